"""A letter on the table: what it asks for, letters that were held, and what is forgotten in time."""
