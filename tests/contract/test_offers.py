"""What a game declares that the world may offer: fogs, modes, dice, bots, and options with values."""

import hmac
import json

import msgspec
import pytest

import pbem.cli.main
from engine.dice import CHAIN_LENGTH
from engine.events import canonical
from engine.game import Choice, Gate, Options, Scenario, games
from engine.hitlers_war.game import HitlersWar
from engine.hitlers_war.scenario import load_scenario
from pbem.mail.correspondents import mailbox_contents
from pbem.records import models
from pbem.records.matches import SeatTaken, TheGameHasNotThat, TheWarIsTooLong, options_that_fit
from pbem.records.seats import bot_named
from pbem.records.store import open_store
from pbem.screens import console
from tests.cli.test_mail_cli import Table
from tests.postal import look, new_office
from tests.reading import flat
from tests.toy.offers import ArmedHills, BoldHills, EndlessHills
from tests.toy.table import SEATS, new_match, new_store
from tests.toy.two_hills import TwoHills

#: As they were written before there were options with values, and gates that say who gets a report.
OLD_OPTIONS = b'{"fog":"fog","mode":"one-run","edition":"","switches":[]}'
OLD_GATE = b'{"id":"1-red","title":"Turn 1","stage":"orders","awaits":["red"],"also_heard":[]}'


def store_of(tmp_path, game):
    store = new_store(tmp_path)
    store.games[game.id] = game
    return store


# ------------------------------------------------------------------ bytes


def test_options_without_values_and_gates_for_everybody_keep_their_bytes():
    assert canonical(Options()) == OLD_OPTIONS
    assert msgspec.json.encode(msgspec.to_builtins(Options())) == OLD_OPTIONS
    assert canonical(Gate("1-red", "Turn 1", "orders", ("red",))) == OLD_GATE
    assert msgspec.json.decode(OLD_OPTIONS, type=Options) == Options()
    assert msgspec.json.decode(OLD_GATE, type=Gate) == Gate("1-red", "Turn 1", "orders", ("red",))


def test_the_options_of_a_position_keep_their_bytes():
    for game in (TwoHills(), HitlersWar()):
        scenario = game.scenarios()[0]
        options = Options("open", "checkpoint", "" if not scenario.editions else scenario.editions[0], ("two-players",))
        encoded = json.loads(game.encode(game.setup(scenario.id, options)))["options"]
        assert list(encoded.items()) == [
            ("fog", "open"), ("mode", "checkpoint"), ("edition", options.edition), ("switches", ["two-players"]),
        ]  # fmt: skip


def test_values_survive_the_position_and_the_match(tmp_path):
    store = store_of(tmp_path, ArmedHills())
    match = new_match(store, options=Options(values={"men": "5"}))
    position = store.position(match)
    assert position.state.men == {"red": 5, "blue": 5}
    assert position.options == position.state.options == Options(values={"men": "5", "late": ""})
    assert json.loads(position.scene.encoded)["options"]["values"] == {"late": "", "men": "5"}
    assert position.options.chosen == ("men=5", "late=")


# ------------------------------------------------------------------ options with values


def test_what_is_not_chosen_is_written_down_all_the_same(tmp_path):
    """So that another default of a later program changes nothing in a war under way."""
    store = store_of(tmp_path, ArmedHills())
    assert store.position(new_match(store)).options.values == {"men": "3", "late": ""}


def test_a_scenario_without_choices_writes_no_values():
    scenario = TwoHills().scenarios()[0]
    assert options_that_fit(TwoHills(), scenario, Options()) == Options()


@pytest.mark.parametrize(
    ("values", "why", "remedy"),
    [
        ({"men": "4"}, "men cannot be '4'", "men=1 or men=3 or men=5"),
        ({"men": ""}, "men cannot be ''", "men=1 or men=3 or men=5"),
        ({"late": "green:1"}, "late cannot be 'green:1'", "late=blue:1"),
        ({"late": "red:1\n"}, "late cannot be", "late=blue:1"),
        ({"women": "3"}, "has no option women", "it has men=1 or men=3 or men=5, late=blue:1"),
    ],
)
def test_a_value_that_cannot_be_is_refused_with_what_would_work(tmp_path, values, why, remedy):
    store = store_of(tmp_path, ArmedHills())
    with pytest.raises(TheGameHasNotThat) as refused:
        new_match(store, options=Options(values=values))
    assert why in str(refused.value)
    assert remedy in refused.value.remedy


def test_a_pattern_takes_the_whole_value():
    choice = Choice("level", "1", "How hard.", pattern="[1-3]")
    assert [value for value in ("", "1", "3", "4", "12", " 1") if choice.takes(value)] == ["1", "3"]
    assert choice.what_works == "level=1"


def test_games_and_status_show_the_choices(tmp_path):
    store = store_of(tmp_path, ArmedHills())
    match = new_match(store, options=Options(values={"late": "blue:1"}))
    listed = console.games_text([ArmedHills()])
    assert "option men=3, or men=1 or men=3 or men=5. How many men each side begins" in listed
    facts = json.loads(console.as_json(console.game_facts(ArmedHills())))
    assert facts["scenarios"][0]["choices"][0]["allowed"] == ["1", "3", "5"]
    standing = store.standing(match)
    assert "Options: men=3, late=blue:1" in console.status_text([standing])
    assert console.match_facts(standing)["options"]["values"] == {"men": "3", "late": "blue:1"}


# ------------------------------------------------------------------ traits


def test_every_trait_is_shown_where_there_is_a_choice():
    assert "  bots random, bold" in console.games_text([BoldHills()])
    assert "fogs" not in console.games_text([BoldHills()])
    listed = console.games_text([HitlersWar()]).splitlines()
    assert listed[1:3] == ["  fogs fog, veiled, open", "  modes one-run, checkpoint"]
    assert not any(line.startswith("  bots") for line in listed)
    assert console.game_facts(HitlersWar())["traits"].dice == (6,)


def test_what_the_game_has_not_is_refused(tmp_path):
    store = store_of(tmp_path, BoldHills())
    for options, why in ((Options(fog="veiled"), "fog 'veiled'"), (Options("open", "checkpoint"), "mode 'checkpoint'")):
        with pytest.raises(TheGameHasNotThat, match=why) as refused:
            new_match(store, options=options)
        assert refused.value.remedy.startswith("There is: ")
    assert store.position(new_match(store, options=BoldHills.traits.usual)).options.fog == "open"


def test_a_war_that_could_outlive_its_dice_is_not_begun(tmp_path):
    store = store_of(tmp_path, EndlessHills())
    with pytest.raises(TheWarIsTooLong, match=f"1801 gates.* last for {CHAIN_LENGTH}"):
        new_match(store)


def test_no_war_of_a_game_has_more_gates_than_it_says():
    """HW-2.4, D-41: three sides with three stops a turn, once the terms, and deployments before the first turn."""
    game = HitlersWar()
    for scenario in game.scenarios():
        sides = len(scenario.sides)
        deployments = sides if load_scenario(scenario.id).pools else 0
        assert scenario.turns * sides * 3 + scenario.turns + deployments <= game.traits.most_gates
    assert all(each.traits.fogs and each.traits.modes and each.traits.bots for each in games().values())


# ------------------------------------------------------------------ bots


@pytest.mark.parametrize(
    ("text", "level"), [("bot", ""), ("bot:bold", "bold"), ("bot:", None), ("bots", None), ("bot@example.org", None)]
)
def test_a_bot_is_named_with_or_without_its_level(text, level):
    assert bot_named(text) == level
    if level is not None:
        assert console.seat_from(f"blue={text}") == SeatTaken("blue", "", bot=level)


@pytest.mark.parametrize(("level", "orders"), [("bold", "TAKE north"), ("", "random"), ("random", "random")])
def test_a_bot_that_is_seated_at_the_beginning_plays_by_its_level(tmp_path, level, orders):
    office = new_office(tmp_path, games={"two-hills": BoldHills()})
    seats = [SEATS[0], SeatTaken("blue", "", bot=level)]
    match = office.store.new_match("two-hills", "at-once", seats, BoldHills.traits.usual, secret=bytes(32))
    assert [(seat.state, seat.bot) for seat in office.store.seats_of(match.id)] == [
        (models.TAKEN, ""),
        (models.BOT, level),
    ]
    assert match.paused is False
    look(office)
    position = office.store.position(match.id)
    with office.store.reading() as session:
        sheet = office.store.waiting_in(session, match.id, position.gate)["blue"]
    key = hmac.digest(bytes(32), f"bot/{position.occasion}/blue".encode(), "sha256")
    expected = TwoHills().bot(position.view("blue"), key) if orders == "random" else f"{orders}\n"
    assert sheet.text == expected


def test_a_level_the_game_has_not_is_refused(tmp_path):
    store = store_of(tmp_path, BoldHills())
    with pytest.raises(TheGameHasNotThat, match="bot 'clever'") as refused:
        store.new_match("two-hills", "at-once", [SEATS[0], SeatTaken("blue", "", bot="clever")], Options("open"))
    assert refused.value.remedy == "There is: random, bold."


# ------------------------------------------------------------------ as the GM types it


class CarefulHills(ArmedHills):
    """With a switch beside its choices."""

    def scenarios(self) -> list[Scenario]:
        return [msgspec.structs.replace(one, switches=("truce",)) for one in super().scenarios()]


@pytest.fixture
def gm(tmp_path, monkeypatch) -> Table:
    monkeypatch.delenv("PBEM_DIR", raising=False)
    monkeypatch.setattr(pbem.cli.main, "known_games", lambda: {"two-hills": CarefulHills()})
    table = Table(tmp_path / "wars")
    table("init", table.directory)
    return table


def begin(gm: Table, *words: str, ok: int = 0) -> str:
    seats = ("--seat", "red=red@example.org", "--seat", "blue=bot")
    return flat(gm("new", "two-hills", "at-once", *seats, *words, ok=ok).replace("│", " "))


def test_options_are_set_with_and_without_values(gm):
    said = begin(gm, "--option", "men=5", "--option", "truce", "--option", "late=blue:2")
    assert "blue: a bot" in said
    assert "options truce, men=5, late=blue:2" in said
    assert gm.json("status", 1)[0]["options"]["values"] == {"men": "5", "late": "blue:2"}
    assert "Options: truce, men=5, late=blue:2" in gm("status", 1)
    assert gm.json("show", 1)["view"]["men"] == {"red": 5, "blue": 3}
    gm("tick")
    (welcome,) = mailbox_contents(gm.directory / "mail" / "out" / "red@example.org")
    assert "with truce, men=5, late=blue:2." in flat(welcome.get_body(("plain",)).get_content())


@pytest.mark.parametrize(
    ("words", "why", "code"),
    [
        (("--option", "men"), "men wants a value: men=1 or men=3 or men=5", 2),
        (("--option", "truce=yes"), "truce takes no value; write --option truce", 2),
        (("--option", "women=2"), "has no option women; it has truce, men=1 or men=3 or men=5, late=blue:1", 2),
        (("--option", "women"), "has no option women; it has truce", 2),
        (("--option", "men=3", "--option", "men=5"), "men is given twice", 2),
        (("--option", "men=2"), "men cannot be '2'", 1),
        (("--seat", "blue=bot:clever"), "has more than one seat", 1),
    ],
)
def test_what_cannot_be_set_is_refused_in_words(gm, words, why, code):
    assert why in begin(gm, *words, ok=code)
    assert gm("status").startswith("There are no matches yet")


def test_a_level_is_named_with_the_seat(gm):
    said = flat(gm("new", "two-hills", "at-once", "--seat", "red=bot:random", "--seat", "blue=bot:clever", ok=1))
    assert "Two Hills has no bot 'clever'" in said
    assert "There is: random." in said
    begin(gm)
    assert "is played by the random player now" in gm("replace", 1, "blue", "bot:random")
    assert "the seat is bot:random" in gm("deadline", 1)
    assert "has no bot 'clever'" in gm("replace", 1, "blue", "bot:clever", ok=1)
    assert [seat.bot for seat in open_store(gm.directory).seats_of(1)] == ["", "random"]


def test_a_war_between_bots_is_played_by_the_daemon_alone(gm):
    gm("new", "two-hills", "at-once", "--seat", "red=bot", "--seat", "blue=bot")
    for _ in range(4):
        gm("tick")
    assert gm.json("status", 1)[0]["status"] == "over"


def test_left_out_is_what_is_usual_in_the_game(gm, monkeypatch):
    monkeypatch.setattr(pbem.cli.main, "known_games", lambda: {"two-hills": BoldHills()})
    begin(gm)
    options = gm.json("status", 1)[0]["options"]
    assert (options["fog"], options["mode"]) == ("open", "one-run")
    assert "Two Hills has no fog 'fog'" in begin(gm, "--fog", "fog", ok=1)
