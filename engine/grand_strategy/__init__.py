"""Grand strategy games that share their combat, supply and production; each war is played by its `Rulebook`.

    rulebook.py    the functions and tables of one war;  turn.py  the player-turn as a list of phases
    state.py       the position as plain data;  war.py  a war in the middle of a run;  events.py  what can happen
    board.py       places and hexsides;  tables.py  scenario.py  setup.py  units.py  containers.py
    orders.py      orders as values;  language/  reading them;  hearing.py  draft.py  conditions.py  policy.py
    check.py       what is wrong with a sheet;  drafting.py  drafted.py  what it would come to before any die is rolled
    rules/         deployment, movement, combat, exploitation, losses, supply, forts, production;  victory.py
    sea/           routes, transport, landings;  politics/  countries that stand aside until they are attacked
    view.py        what a side may know;  viewing.py  sight.py  known.py  seasons_ahead.py
    odds/          what a sheet may come to;  results.py  rolls.py  what came of it, and by which dice

No module of it speaks of a game: what one game has for itself comes in as functions of its rulebook, as values of its
tables, or as the idiom of its language.
"""
