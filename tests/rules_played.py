"""The numbers of the rules of Hitler's War: those that are played, and those that come with later levels."""

#: The chapters of the rules up to level 3, and those about dice and the order of combat, with their number of rules.
CHAPTERS = {
    1: 7, 2: 5, 3: 6, 4: 6, 5: 4, 6: 7, 7: 5, 8: 17, 9: 17, 10: 10, 11: 6, 12: 7, 13: 17, 14: 9, 15: 10, 16: 8, 17: 3,
    18: 8, 19: 11, 20: 7, 21: 10, 22: 3, 23: 6, 38: 5, 40: 8,
}  # fmt: skip

#: Rules in these chapters that belong to a later level.
LATER = {
    "HW-3.3": "the phases of Campaign II",
    "HW-10.10": "partisans",
    "HW-18.8": "the set-up of Campaign II",
    "HW-38.4": "costs with halves and thirds",
}

RULES = {
    rule for chapter, last in CHAPTERS.items() for number in range(1, last + 1) if (rule := f"HW-{chapter}.{number}")
} | {"HW-41"}  # the automatic events of the campaign are one table
