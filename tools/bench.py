"""Where the time goes: `make bench`. Ratios within one run mean more than the times, which depend on the machine."""

from functools import partial

from engine.dice import KeyedDice
from engine.game import Fog, Options
from engine.grand_strategy.state import Army, State
from engine.hitlers_war.game import HitlersWar
from tools import bench_draw, bench_mail, bench_records, bench_report, bench_wide
from tools.bench_times import best_of

GAME = HitlersWar()
FOG: Fog = "fog"

#: Twelve armies a side on the front of 1941, the Axis ready to attack along all of it.
AXIS = {
    "NORTH": ("Q13", 2, 3), "OKW": ("Q13", 2, 3), "FOURTH": ("P13", 5, 0), "A": ("P13", 1, 4),
    "CENTER": ("O14", 2, 6), "B": ("O14", 2, 0), "SOUTH": ("N13", 3, 5), "C": ("N13", 2, 0),
    "RUMANIA": ("L14", 4, 2), "WEST": ("M14", 3, 3), "PZAA": ("P12", 3, 3), "ITALY": ("L14", 3, 1),
}  # fmt: skip
SOVIET = {
    "BALTIC": ("R13", 3, 1), "NW": ("Q14", 3, 1), "SWEST": ("P14", 3, 1), "SW": ("O15", 3, 1),
    "KIEV": ("N14", 3, 1), "LENIN": ("T15", 3, 0), "MOSCOW": ("Q17", 2, 2), "SIBERIA": ("SIBERIA", 2, 3),
    "WHITE": ("P15", 3, 2), "1UKR": ("M15", 3, 0), "2UKR": ("L15", 3, 0), "CAUCASUS": ("Q15", 4, 1),
}  # fmt: skip
SHEET = """
SET PZAA P11 3I 3M
ATTACK North R13 ASSAULT ADVANCE
ATTACK OKW Q14 ASSAULT ADVANCE IF RANGE>=1
ATTACK Fourth Q14 ASSAULT
ATTACK A P14 ADVANCE SAVE
ATTACK Center P14 ASSAULT ADVANCE
ATTACK South N14 ASSAULT ADVANCE
ATTACK West M15 ASSAULT ADVANCE
ATTACK Rumania L15 ASSAULT ADVANCE
LOSSES ALL TYPES I,M
EXPLOIT Center P15 Q15:ASSAULT STOP-IF RANGE<1
EXPLOIT South N15 N16 STOP-IF RANGE<1
EXPLOIT North S14 T15 STOP-IF RANGE<1
EXPLOIT A P15 Q16 STOP-IF RANGE<1
EXPLOIT West M16 STOP-IF LOSS>=4
BUILD 1M P10 OR O10
BUILD MAX I ANY
STANDING DEFEND ALL NOW
STANDING RETREAT ALL TOWARD P10
"""


def full_front() -> State:
    state = GAME.setup("barbarossa", Options(fog=FOG))
    state.armies = {}
    for side, armies in (("axis", AXIS), ("soviet", SOVIET)):
        for army, (place, inf, mech) in armies.items():
            state.armies[army] = Army(army, side, place, inf, mech)
    return state


def whole_game(number: int, scenario: str = "barbarossa") -> None:
    state, gates = GAME.setup(scenario, Options(fog=FOG)), 0
    while GAME.gate(state) is not None:
        side = state.phasing
        view = GAME.view(state, side, FOG)
        sheet = GAME.parse(GAME.bot(view, f"bench {number} {gates}".encode()), view)
        gates += 1
        state, _ = GAME.run(state, {side: sheet}, KeyedDice(b"bench", f"{number}/{gates}"))


def main() -> None:
    state = full_front()
    view = GAME.view(state, "axis", FOG)
    sheet = GAME.parse(SHEET, view)
    lines = len(sheet.lines)
    code = best_of(lambda: GAME.decode(GAME.encode(state)), 200)
    turn = best_of(lambda: GAME.run(state, {"axis": sheet}, KeyedDice(b"bench", "turn")), 100)
    look = best_of(lambda: GAME.view(state, "axis", FOG), 100)
    read = best_of(lambda: GAME.parse(SHEET, view), 50)
    judge = best_of(lambda: HitlersWar().check(view, sheet), 50)  # one that has not judged it before
    odds = best_of(lambda: GAME.forecast(view, sheet), 20)
    games = [best_of(partial(whole_game, number), 3) for number in range(4)]
    campaigns = [best_of(partial(whole_game, number, "campaign-1"), 2) for number in range(2)]
    print(f"state encoded and decoded once             {code:8.2f} ms  (1.0)")
    print(f"player-turn, 12 armies a side, 8 attacks   {turn:8.2f} ms  ({turn / code:.1f} times that)")
    print(f"view of one side                           {look:8.2f} ms  ({look / code:.1f} times that)")
    print(f"sheet of {lines} lines parsed                  {read:8.2f} ms  ({read / code:.1f} times that)")
    print(f"sheet of {lines} lines checked                 {judge:8.2f} ms  ({judge / code:.1f} times that)")
    print(f"odds of that sheet, every die counted      {odds:8.2f} ms  ({odds / code:.1f} times that)")
    print(f"sheets parsed and checked a second         {1000 / (read + judge):8.0f}")
    print(f"whole game, set-up to victory              {sum(games) / len(games):8.0f} ms  (mean of {len(games)})")
    print(f"whole Campaign I, 18 turns, three sides    {sum(campaigns) / 2:8.0f} ms  (mean of 2)")
    after, events = GAME.run(state, {"axis": sheet}, KeyedDice(b"bench", "turn"))
    drafted = GAME.drafted(view, sheet)
    bench_draw.main(GAME.view(after, "axis", FOG), GAME.told(events, "axis", FOG), drafted)
    bench_wide.main()
    bench_report.main()
    bench_records.main()
    bench_mail.main()


if __name__ == "__main__":
    main()
