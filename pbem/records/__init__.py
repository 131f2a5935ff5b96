"""What is kept: the tables and the database, matches with their sheets and turns, and playing them again."""
