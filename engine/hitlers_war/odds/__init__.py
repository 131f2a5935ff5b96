"""The odds of a sheet, from what its side knows: the rules of combat asked for every result of every die."""
