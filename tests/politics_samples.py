"""One of each event of deployment and politics, with something in the text that only this event would say."""

from engine.events import Event, Roll
from engine.grand_strategy.events import (
    ArmyDeployed,
    ArmyJoined,
    CountryConquered,
    CountryJoined,
    CountrySurrendered,
    CountryViolated,
    FullyMobilized,
    GiftReceived,
    HeirRolled,
    LendLeaseGiven,
    LimitedWar,
    TermsAnswered,
    TermsOffered,
)

POLITICS_SAMPLES: list[tuple[Event, str]] = [
    (ArmyDeployed("axis", "NORTH", "Q13", {"inf": 5, "mech": 2}), "begins the war in Q13 Königsberg with 5I 2M"),
    (CountryViolated("Spain", "allies"), "The Allies attack Spain, which was unaligned"),
    (CountryJoined("Spain", "axis", "HW-19.3", ("J5",)), "Spain joins the Axis, having been attacked"),
    (CountryConquered("United States", "axis"), "The United States are conquered by the Axis"),
    (CountrySurrendered("France", "axis", "HW-21.4", ("L6", "M7"), 2, ("E3",)), "France surrenders to the Axis (HW-21.4)"),
    (CountrySurrendered("Italy", "allies", "HW-21.2"), "Its hexes stay whose they are"),
    (ArmyJoined("axis", "Italy", "ITALY", "L9", "ITALY", {"inf": 4, "mech": 1}), "The army of Italy in L9 Milan fights"),
    (GiftReceived("axis", "Rumania", "RUMANIA", "L14", {"inf": 2, "mech": 1}), "Rumania brings 2 infantry and 1 mechanized"),
    (TermsOffered(), "the Soviet Union offers to surrender"),
    (TermsAnswered(True), "The Axis accepts the Soviet surrender"),
    (FullyMobilized("the Axis has attacked"), "The Soviet Union is fully mobilized: the Axis has attacked"),
    (LimitedWar(), "limited war, until five of its hexes are Axis"),
    (LendLeaseGiven("axis", 2, "U18"), "2 production points of lend-lease go to the Soviet Union"),
    (HeirRolled("axis", "R13", Roll(2, "17/14-axis/R13/heir/1")), "equally near R13"),
]  # fmt: skip
