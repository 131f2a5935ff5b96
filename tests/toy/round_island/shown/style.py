"""How the island looks: every colour and size of its pictures."""

PAPER, INK, SOFT, LINE = "#fbf6e9", "#2b2622", "#6d6358", "#b9ad97"
GROUND = {"open": "#e9e0c4", "forest": "#b9cba0", "village": "#efd9a7"}
LAVA, GLOW = "#5a4a46", "#c4573a"
SIDES = {"ember": "#a83a26", "tide": "#2f5f8f"}
TINTS = {"ember": "#e5a898", "tide": "#a5c2de"}
#: How much of the ground is tinted in the colour of its owner.
TINT = 0.55

#: A hex from its upper to its lower side, in pixels of the finished picture; it is painted larger and reduced.
HEX, FINER = 96, 2
MARGIN, TITLE, KEY = 14, 40, 34
NAME_SIZE, NUMBER_SIZE, TITLE_SIZE, TEXT_SIZE = 13, 11, 19, 13
COUNTER, COUNTER_SIZE = (46, 30), 20
#: How far an arrow lies beside the way from middle to middle.
ASIDE, ASIDE_UPRIGHT = 12, 34
#: Of hexes that are shown once more beyond the edge.
GHOST = 0.6
COLOURS_IN_PNG = 96
