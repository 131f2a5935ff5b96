"""How a seat is taken and left: draws, conceding, keys, addresses, joining."""

import pytest
from sqlmodel import select

from engine.game import Options, games
from pbem import referee
from pbem.games import box_of
from pbem.records import models
from pbem.records.matches import SeatTaken
from tests.letterbox import Letterbox, body_of, message_of, new_letterbox, new_match
from tests.postal import GM
from tests.reading import flat

# ------------------------------------------------------------------ ends


def over(box: Letterbox) -> bool:
    return box.office.store.position(box.match).match.status == models.OVER


def test_a_draw_needs_all(box):
    box.play("red", "DRAW")
    assert not over(box)
    assert box.new_mail("blue@")[0].kind == "question"
    box.play("blue", "DRAW")
    assert over(box)
    assert "agreed to a draw" in flat(box.answer("red", "STATUS"))
    standing = box.office.store.standing(1)
    assert (standing.gate, standing.outcome.winners) == (None, ())
    assert {mail.recipient for mail in box.outgoing() if "war is over" in mail.subject.lower()} >= {"red@example.net"}


@pytest.mark.parametrize(
    ("letters", "says"),
    [
        (("DRAW", "DRAW"), "The war ends without a winner: all players agreed to a draw."),
        (("CONCEDE",), "The Soviet Union wins the war: Axis conceded."),
    ],
)
def test_after_the_players_have_ended_a_war_the_map_awaits_no_orders(barbarossa, letters, says):
    assert "Orders are awaited" in barbarossa_now(barbarossa)
    for side, text in zip(("axis", "soviet"), letters, strict=False):
        barbarossa.play(side, text)
    if "CONCEDE" in letters:
        barbarossa.play("axis", f"CONFIRM {barbarossa.word('CONCEDE')}")
    shown = barbarossa_now(barbarossa)
    assert says in flat(shown)
    assert "awaited" not in shown


def barbarossa_now(box: Letterbox) -> str:
    position = box.office.store.position(1)
    return box_of(position.game).position(position.view("axis")).split("\n\n")[0]


def test_the_report_of_a_turn_before_a_draw_shows_it_as_it_was(barbarossa):
    for side in ("axis", "soviet"):
        barbarossa.play(side, "ORDERS NONE\nREADY")
    for side in ("axis", "soviet"):
        barbarossa.play(side, "DRAW")
    assert "Orders are awaited from the Soviet Union" in flat(barbarossa.answer("axis", "REPORT 1"))
    assert "Orders are awaited" not in flat(barbarossa.answer("axis", "REPORT 2"))


def test_an_offer_of_a_draw_ends_with_its_turn(box):
    box.play("red", "DRAW")
    box.play("red", "TAKE north")
    box.play("blue", "TAKE south")
    box.play("blue", "DRAW")
    assert not over(box)


def test_concede_is_confirmed_and_ends_the_war(box):
    assert box.play("red", "CONCEDE").fate == models.ACCEPTED
    assert not over(box)
    word = box.word("CONCEDE")
    assert f"CONFIRM {word}" in body_of(box.only_mail())
    assert "not one I have sent you" in flat(box.answer("blue", f"CONFIRM {word}"))
    assert not over(box)
    assert "You have conceded" in box.answer("red", f"CONFIRM {word}")
    assert over(box)
    assert box.office.store.standing(1).outcome.winners == ("blue",)
    assert "Red conceded" in flat(
        body_of(next(mail for mail in box.outgoing() if mail.key.startswith("ended/1/") and mail.side == "blue"))
    )


def calendar_in(mail: models.Outgoing) -> str:
    """The method of the calendar entry that came with a mail."""
    found = [part for part in message_of(mail).walk() if part.get_content_type() == "text/calendar"]
    return str(found[0].get_param("method")) if found else ""


@pytest.mark.parametrize("act", ["CONCEDE", "RESIGN"])
def test_who_leaves_has_no_deadline_in_his_calendar_any_more(box, act):
    box.play("red", act)
    box.new_mail()
    box.play("red", f"CONFIRM {box.word(act)}")
    to_red = box.new_mail("red@example.net")
    assert [calendar_in(mail) for mail in to_red] == ["CANCEL"]


def test_nor_has_who_agrees_to_a_draw_last(box):
    box.play("red", "DRAW")
    box.play("blue", "DRAW")
    told = [mail for mail in box.outgoing() if "war is over" in mail.subject]
    assert {(mail.recipient, calendar_in(mail)) for mail in told if mail.recipient != GM} == {
        ("red@example.net", "CANCEL"),
        ("blue@example.net", "CANCEL"),
    }


@pytest.mark.parametrize("successor", ["new@example.org", "bot"])
def test_nor_has_who_is_replaced(box, successor):
    with box.office.store.writing() as session:
        match, seat = (
            box.office.store.match_in(session, 1),
            referee.seat_in(session, box.office.store.match_in(session, 1), "red"),
        )
        if successor == "bot":
            referee.seat_bot(session, box.office, match, seat)
        else:
            referee.seat_player(session, box.office, match, seat, successor)
    (mail,) = box.new_mail("red@example.net")
    assert "somebody else plays Red" in flat(body_of(mail))
    assert calendar_in(mail) == "CANCEL"


@pytest.mark.parametrize(
    ("switches", "side", "winners"),
    [
        (("two-players",), "axis", ("soviet", "allies")),
        (("two-players",), "soviet", ("axis",)),
        ((), "axis", None),
    ],
)
def test_conceding_ends_a_war_of_two_parties_and_no_other(tmp_path, switches, side, winners):
    """With two players the Soviets and the Allies win and lose together (HW-16.5)."""
    options = Options(fog="fog", switches=switches)
    box = new_letterbox(tmp_path / "war", games(), "hitlers-war", "campaign-1", options=options)
    asked = flat(box.answer(side, "CONCEDE"))
    box.play(side, f"CONFIRM {box.word('CONCEDE')}")
    outcome = box.office.store.standing(1).outcome
    assert (outcome.winners if outcome else None) == winners
    assert ("the war goes on without you" in asked) is (winners is None)
    assert box.seat(side).state == (models.TAKEN if winners else models.OPEN)


def test_resign_is_confirmed_and_opens_the_seat(box):
    box.play("red", "RESIGN")
    word = box.word("RESIGN")
    old = box.key("red")
    box.new_mail()
    letter = box.send("red@example.net", f"CONFIRM {word}", key=old)
    assert letter.fate == models.ACCEPTED
    seat = box.seat("red")
    assert (seat.state, seat.key) == (models.OPEN, "")
    to_red = box.new_mail("red@example.net")
    assert ["You have given up your seat" in flat(body_of(mail)) for mail in to_red] == [True]
    assert not over(box)


@pytest.mark.parametrize("act", ["CONCEDE", "RESIGN"])
def test_a_word_is_good_once_and_for_three_days(box, act):
    box.play("red", act)
    word = box.word(act)
    box.watch.forward(days=3, seconds=1)
    assert "expired" in flat(box.answer("red", f"CONFIRM {word}"))
    box.play("red", act)
    first = box.word(act)
    box.play("red", act)
    assert "expired" in flat(box.answer("red", f"CONFIRM {first}")), "a newer word takes the place of an older one"
    box.play("red", f"CONFIRM {box.word(act)}")
    assert over(box) or box.seat("red").state == models.OPEN


def test_a_word_that_was_never_given_is_refused(box):
    assert "not one I have sent you" in flat(box.answer("red", "CONFIRM abcdefghij"))
    box.play("red", "DRAW")
    with box.office.store.reading() as session:
        (vote,) = session.exec(select(models.Word)).all()
    assert "not one I have sent you" in flat(box.answer("red", f"CONFIRM {vote.word}"))


# ------------------------------------------------------------------ key and address


def test_key_gives_a_new_key_to_the_seats_own_address(box):
    old = box.seat("red").key
    box.play("red", "KEY")
    new = box.seat("red").key
    assert new != old
    mail = box.only_mail()
    assert mail.recipient == "red@example.net"
    assert new in message_of(mail)["Subject"]
    assert old not in mail.raw.decode()
    assert new not in mail.subject


def change_address(box: Letterbox) -> tuple[str, str]:
    box.play("red", "ADDRESS <New@Example.com>")
    mails = {mail.recipient: body_of(mail) for mail in box.new_mail()}
    words = {address: text.partition("CONFIRM ")[2].split()[0] for address, text in mails.items()}
    return words["red@example.net"], words["new@example.com"]


@pytest.mark.parametrize("first", ["old", "new"])
def test_a_new_address_is_confirmed_from_both(box, first):
    old_key = box.seat("red").key
    old, new = change_address(box)
    steps = [lambda: box.play("red", f"CONFIRM {old}"), lambda: box.send("new@example.com", f"CONFIRM {new}")]
    steps = steps if first == "old" else steps[::-1]
    assert steps[0]().fate == models.ACCEPTED
    assert box.seat("red").address == "red@example.net"
    box.new_mail()
    assert steps[1]().fate == models.ACCEPTED
    seat = box.seat("red")
    assert seat.address == "new@example.com"
    assert seat.key != old_key
    for mail in box.new_mail():
        assert mail.recipient == "new@example.com" or seat.key.encode() not in mail.raw
    assert box.play("red", "TAKE north").fate == models.ACCEPTED


def test_a_new_address_needs_its_own_word_from_itself(box):
    old, new = change_address(box)
    box.send("thief@example.com", f"CONFIRM {new}")
    box.play("red", f"CONFIRM {new}")
    box.play("red", f"CONFIRM {old}")
    assert box.seat("red").address == "red@example.net"


def test_the_mail_to_a_new_address_carries_no_key_and_is_not_for_spam(box):
    for number in range(6):
        box.play("red", f"ADDRESS victim{number}@example.com")
    sent = box.new_mail("victim")
    assert len(sent) == 3
    assert all(box.seat("red").key.encode() not in mail.raw for mail in sent)


@pytest.mark.parametrize(
    "address", ["", "nobody", "a@b@c", "red@example.net", "referee@example.org", "a b@example.com"]
)
def test_an_address_that_cannot_be_is_refused(box, address):
    assert box.play("red", f"ADDRESS {address}").fate == models.ANSWERED


# ------------------------------------------------------------------ joining


@pytest.fixture
def open_box(tmp_path) -> Letterbox:
    seats = [SeatTaken("red", "red@example.net", "Rosa"), SeatTaken("blue", "")]
    return new_letterbox(tmp_path / "war", seats=seats, title="Open hills")


def test_a_match_with_an_open_seat_waits(open_box):
    match = open_box.office.store.position(1).match
    assert (match.paused, match.deadline) == (True, None)
    assert [mail.key for mail in open_box.outgoing()] == ["welcome/1/red"]


def test_a_stranger_joins_with_a_word(open_box):
    assert open_box.send("Boris <boris@example.com>", "JOIN 1 AS blue").fate == models.ACCEPTED
    mail = open_box.only_mail()
    word = open_box.word("JOIN")
    assert (mail.recipient, f"CONFIRM {word}" in body_of(mail)) == ("boris@example.com", True)
    assert open_box.seat("blue").state == models.OPEN
    open_box.send("thief@example.com", f"CONFIRM {word}")
    assert open_box.seat("blue").state == models.OPEN
    open_box.new_mail()
    assert open_box.send("boris@example.com", f"CONFIRM {word}").fate == models.ACCEPTED
    seat = open_box.seat("blue")
    assert (seat.state, seat.address, seat.name) == (models.TAKEN, "boris@example.com", "Boris")
    welcome = next(mail for mail in open_box.new_mail("boris@") if mail.kind == "welcome")
    assert seat.key in message_of(welcome)["Subject"]
    match = open_box.office.store.position(1).match
    assert (match.paused, match.deadline is not None) == (False, True)
    assert open_box.play("blue", "TAKE north").fate == models.ACCEPTED


def test_with_the_last_seat_the_game_begins_and_everybody_reads_it_once(open_box):
    open_box.send("Boris <boris@example.com>", "JOIN 1 AS blue")
    open_box.new_mail()
    open_box.send("boris@example.com", f"CONFIRM {open_box.word('JOIN')}")
    mails = open_box.new_mail()
    assert sorted(mail.kind for mail in mails if mail.recipient == "boris@example.com") == ["notice", "welcome"]
    welcome = next(mail for mail in mails if mail.kind == "welcome")
    assert "at the deadline" in flat(body_of(welcome))
    assert "paused" not in body_of(welcome)
    assert [mail.subject for mail in mails if mail.kind == "notice" and mail.recipient.startswith("boris")] == [
        "You have a seat"
    ]
    (news,) = (mail for mail in mails if mail.recipient == "red@example.net")
    assert "All seats are taken: the game begins" in message_of(news)["Subject"]
    assert "Blue has a player now" in flat(body_of(news))
    assert "Deadline: " in body_of(news)


def test_a_successor_is_news_for_the_others_alone(box):
    box.new_mail()
    with box.office.store.writing() as session:
        match = box.office.store.position_in(session, 1).match
        referee.seat_player(session, box.office, match, referee.seat_in(session, match, "blue"), "boris@example.com")
    told = {mail.recipient: message_of(mail)["Subject"] for mail in box.new_mail() if mail.kind == "notice"}
    assert "Blue has a new player" in told.pop("red@example.net")
    assert "boris@example.com" not in told


def test_join_by_title_and_from_another_game(open_box):
    second = new_match(open_box)
    letter = open_box.send("blue@example.net", "JOIN open hills AS blue", key=open_box.key("blue", second))
    assert letter.fate == models.ACCEPTED
    assert open_box.seat("blue").address == "blue@example.net"  # his key has proved that it is he


@pytest.mark.parametrize("wish", ["1 AS red", "1 AS green", "9 AS blue", "AS blue", "1", "hills AS blue"])
def test_a_seat_that_is_not_free_is_refused(open_box, wish):
    open_box.send("boris@example.com", f"JOIN {wish}")
    with open_box.office.store.reading() as session:
        assert session.exec(select(models.Word)).all() == []


def test_nobody_sits_on_two_seats(open_box):
    assert "already" in open_box.answer("red", "JOIN 1 AS blue")
    open_box.send("red@example.net", "JOIN 1 AS blue")
    with open_box.office.store.reading() as session:
        assert session.exec(select(models.Word)).all() == []


def test_nobody_confirms_two_seats_that_were_both_free(tmp_path):
    box = new_letterbox(tmp_path / "war", seats=[SeatTaken("red", ""), SeatTaken("blue", "")])
    words = []
    for side in ("red", "blue"):
        box.send("boris@example.com", f"JOIN 1 AS {side}")
        words.append(box.word("JOIN"))
    for word in words:
        box.send("boris@example.com", f"CONFIRM {word}")
    assert [box.seat(side).state for side in ("red", "blue")] == [models.TAKEN, models.OPEN]


@pytest.mark.parametrize(
    ("switches", "first", "second", "allowed"),
    [
        (("two-players",), "soviet", "allies", True),
        (("two-players",), "allies", "soviet", True),
        (("two-players",), "axis", "allies", False),
        ((), "soviet", "allies", False),
    ],
)
def test_with_two_players_one_holds_the_soviets_and_the_allies(tmp_path, switches, first, second, allowed):
    seats = [SeatTaken(side, "") for side in ("axis", "soviet", "allies")]  # HW-16.5, HW-18.5
    options = Options(switches=switches)
    box = new_letterbox(tmp_path / "war", games(), "hitlers-war", "fall-of-germany", seats=seats, options=options)
    box.send("boris@example.com", f"JOIN 1 AS {first}")
    box.send("boris@example.com", f"CONFIRM {box.word('JOIN')}")
    text = flat(box.answer(first, f"JOIN 1 AS {second}"))
    assert (f"You play {second.capitalize()} in The Fall of Germany" in text) == allowed
    assert box.seat(first).address == "boris@example.com"
    assert (box.seat(second).address == "boris@example.com") == allowed
    assert box.seat(first).key != box.seat(second).key


def test_what_a_player_says_of_himself_counts_for_both_his_seats(tmp_path):
    """Who is away is away with both; the other player is not."""
    addresses = {"axis": "anna@example.org", "soviet": "boris@example.org", "allies": "Boris@example.org"}
    seats = [SeatTaken(side, address) for side, address in addresses.items()]
    options = Options(switches=("two-players",))
    box = new_letterbox(tmp_path / "war", games(), "hitlers-war", "campaign-1", seats=seats, options=options)
    box.play("soviet", "TIMEZONE Europe/Warsaw\nREMIND 48\nABSENCE 2026-12-20 2027-01-03")
    soviet, allies, axis = (box.seat(side) for side in ("soviet", "allies", "axis"))
    assert (allies.zone, allies.lead_hours) == ("Europe/Warsaw", 48)
    assert allies.absent_to == soviet.absent_to
    assert soviet.absent_to is not None
    assert (axis.zone, axis.lead_hours, axis.absent_to) == ("", 24, None)


def test_the_faster_one_gets_the_seat(open_box):
    for who in ("boris", "carla"):
        open_box.send(f"{who}@example.com", "JOIN 1 AS blue")
    with open_box.office.store.reading() as session:
        words = {word.argument.split()[0]: word for word in session.exec(select(models.Word))}
    open_box.send("carla@example.com", f"CONFIRM {words['carla@example.com'].word}")
    assert open_box.seat("blue").address == "carla@example.com"
