"""Hitler's War (1984): what it has besides the rules of its family, case by case (`# HW-9.16`).

    game.py        the contract fulfilled;  rulebook.py  which functions each scenario is played by
    europe.py      the map;  tables.py  the charts;  scenario.py  the scenarios;  sides.py  fronts.py  who fights whom
    language/      its words, and the orders it has for itself
    winter.py      berlin.py  french_points.py  growth.py  reasons.py  rules of Europe alone
    politics/      entries, surrenders, gifts, lend-lease, mobilization, limits;  sea/  the Mediterranean
    bot/           a random player;  cases/  positions that settle an argument
    hidden.py      what a side cannot know;  audit.py  what can never happen

What is printed on the map and in the charts is in `data/hitlers-war/`.
"""
