"""One of each event of the sea and of forts, with something in the text that only this event would say."""

from engine.events import Event, Roll
from engine.grand_strategy.events import (
    ArmyLanded,
    CoastalAirFired,
    FortAbsorbed,
    FortCompleted,
    FortLost,
    FortPointsLost,
    FortStarted,
    InvasionAnnounced,
    LandingTried,
    NavalFired,
    PointsConverted,
    PointsShipped,
    SeaTransportUsed,
    SupportFired,
)

ROLL = Roll(2, "17/14-allies/N6/landing/1")

SEA_SAMPLES: list[tuple[Event, str]] = [
    (PointsConverted("axis", {"NORTH": 2}), "Amphibious points that become infantry: 2 of Army Group North"),
    (PointsShipped("axis", 1, "Q13", "T14", ("Baltic",)), "1 point goes by sea from Q13"),
    (SeaTransportUsed("axis", {"Baltic": 1}, {"Baltic": 0}), "Baltic 1 (none left)"),
    (InvasionAnnounced("axis", "NORTH", "Q9", "S7", ("Q9", "R8", "S7")), "from Q9 Wilhelmshaven, by way of R8."),
    (InvasionAnnounced("axis", "NORTH", "?", "S7"), "comes over the sea from out of sight."),
    (NavalFired("axis", "BRITAIN", "allies", ("R8", "S8"), "S7", 6, ROLL, 2), "between R8 and S8, strength 6: die 2"),
    (SupportFired("axis", "N6", 6, ROLL, 0), "ships fire at the coast, strength 6: die 2 [#1]: no hit"),
    (CoastalAirFired("axis", "BRITAIN", "allies", "N6", 6, ROLL, 1), "Axis aircraft fire at Britain"),
    (LandingTried("axis", "NORTH", "S7", 8, "6", 2, ROLL, True), "8 points against 6: needs 1-2; die 2 [#1]: it lands"),
    (LandingTried("axis", "NORTH", "S7", 8, "friendly", 9, None, True), "comes ashore in a friendly hex"),
    (LandingTried("axis", "NORTH", "S7", 2, "10", None, None, False), "no die would do. It stays on its own coast"),
    (ArmyLanded("axis", "NORTH", "?", "S7"), "lands in S7 Edinburgh."),
    (FortStarted("axis", 3, "N6", 2, 10), "2 fort points begun in N6 Brest (fort 3); cost 10"),
    (FortCompleted("axis", 3, "N6", 2, 4), "2 fort points completed in N6 Brest: fort 3 now has 4"),
    (FortAbsorbed("axis", "N6", 2), "The fort takes 2 hits without harm"),
    (FortPointsLost("axis", 3, "N6", 1), "The fort loses 1 point"),
    (FortLost("axis", 3, "N6", "captured", 2), "The Axis fort in N6 Brest falls with its hex (2 points)"),
    (FortLost("axis", 3, "N6", "dismantled", 2), "is dismantled"),
    (FortLost("axis", 3, "N6", "isolated", 2), "is cut off and lost"),
]
