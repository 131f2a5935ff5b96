"""Hitler's War (1984): the rules of its scenarios, case by case (`# HW-7.4`).

    game.py      the contract fulfilled;  turn.py  the player-turn as a list of phases
    state.py     the position as plain data;  war.py  a war in the middle of a run;  events.py  what can happen
    board.py     places and hexsides;  europe.py  the map;  tables.py  scenario.py  setup.py  deployment.py
    orders.py    orders as values;  language/  reading them;  hearing.py  draft.py  conditions.py  policy.py
    check.py     what is wrong with a sheet;  drafting.py  drafted.py  what it would come to before any die is rolled
    movement.py  supply.py  combat.py  advance.py  exploitation.py  losses.py  forts.py  production.py  victory.py
    sea/         routes, transport, landings;  politics/  neutrals, entries, surrenders, limits
    view.py      what a side may know;  viewing.py  sight.py  known.py  hidden.py
    odds/        what a sheet may come to;  bot/  a random player;  cases/  positions that settle an argument
    audit.py     what can never happen

What is printed on the map and in the charts is in `data/hitlers-war/`.
"""
