"""The rules of Round Island, without mail, words or pictures. The numbers of cases are those of docs/rules.md.

game.py      the contract: what the house asks of a game
turn.py      the moon as a list of phases, and the phases
battle.py    one battle, and what may come of it
plan.py      what a side's sheet would do, for the run, the check, the odds and the picture of the orders
orders.py    the orders, and how a sheet is read
state.py     the position          view.py   what one side knows of it
events.py    what can happen       bot.py    a player who draws lots
board.py     the island            forecast.py   the odds of a sheet
"""
