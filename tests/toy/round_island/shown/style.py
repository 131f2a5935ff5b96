"""How the island looks: the colours of its mails and of its pictures."""

from pbem.draw.style import LandColours, SideColours, Style, mix

PAPER, INK, SOFT, LINE = "#fbf6e9", "#2b2622", "#6d6358", "#b9ad97"
SIDES = {"ember": "#a83a26", "tide": "#2f5f8f"}
TINTS = {"ember": ("#e9b6a6", "diamond"), "tide": ("#bcd2e6", "ring")}
#: Land that nobody holds has the colour of what grows there. It has no emblem.
GROUND = {"open": "#e9e0c4", "forest": "#b9cba0", "village": "#efd9a7"}
#: From the glow at its shore to the crust.
LAVA = ("#a8523c", "#82483c", "#66433d", "#5a4a46")

STYLE = Style(
    paper=PAPER,
    white="#fffdf7",
    ink=INK,
    soft_ink=SOFT,
    shore="#43302c",
    sea=LAVA,
    gold="#f2b824",
    red="#c4261d",
    sides=tuple(
        SideColours(side, land, SIDES[side], mix(SIDES[side], INK, 0.4), emblem)
        for side, (land, emblem) in TINTS.items()
    ),
    nobody=tuple(LandColours(terrain, colour, "") for terrain, colour in GROUND.items()),
    closed=LandColours("lava", LAVA[-1], ""),
)
