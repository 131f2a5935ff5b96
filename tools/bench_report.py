"""How long a report takes, in words and with its pictures, beside the map alone. Part of `make bench`."""

from itertools import cycle, islice

from engine.game import OwnView
from pbem.games.hitlers_war.pictures import front_png
from pbem.post.bulletin import finished_bytes, report_letter
from pbem.post.post import Mail, compose, subject_of
from tools import samples
from tools.bench_times import best_of

SEATS = 100


def main() -> None:
    run = samples.whole_war("fog")[2]
    now, turn = samples.situation(run.after, "fog", "axis", run.at, 3), samples.told(run, "fog", "axis")
    view: OwnView = now.view
    mail = samples.sample_report("fog", "axis", 2)
    written = finished_bytes(samples.SENDER, mail, run.at)  # the base layers are drawn now
    alone = best_of(lambda: front_png(view, turn.events), 10)
    words = best_of(lambda: report_letter(now, turn, now.war.box.lead(turn.events, turn.known, view)), 10)
    draft = best_of(lambda: compose(samples.SENDER, mail, subject_of(mail), run.at), 10)
    whole = best_of(lambda: finished_bytes(samples.SENDER, samples.sample_report("fog", "axis", 2), run.at), 10)
    mails = list(islice(cycle(_mails()), SEATS))
    every = best_of(lambda: [_finished(one) for one in mails], 1)
    rows = {
        "map of the front alone": alone,
        "report of one seat, text and HTML": words,
        "its MIME, as it is stored": draft,
        f"whole report of one seat, {len(written) // 1000} KB": whole,
        f"pictures for {SEATS} seats, a seat": every / SEATS,
    }
    for name, took in rows.items():
        print(f"{name:<42} {took:8.1f} ms  ({took / alone:.1f} times the map)")


def _mails() -> list[Mail]:
    """Different reports of both sides."""
    return [samples.sample_report(fog, side, number)
            for fog in ("fog", "veiled") for side in ("axis", "soviet") for number in range(5)]  # fmt: skip


def _finished(mail: Mail) -> bytes:
    return finished_bytes(samples.SENDER, mail, samples.BEGINNING)


if __name__ == "__main__":
    main()
