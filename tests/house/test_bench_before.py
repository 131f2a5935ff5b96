"""The bench beside an earlier commit reads what the benchmarks print, and says what is too slow."""

import pytest

from tools.bench_before import read_figures, table

PRINTED = """\
state encoded and decoded once                 0.50 ms  (1.0)
sheets parsed and checked a second              250
map, drawn and encoded                         12.5 ms  (1.25 times that)
maps a second, one thread and two              10.0 and 12.5
pictures kept in memory                          40 MB  (the process had 200 MB at most)
Maildir, letters fetched and read                        500 a second  (0.2 times the processor)
Maildir, one small commit with its fsync: 1.00 ms
letters over IMAP: not measured, Dovecot is not installed
"""


def test_of_each_line_the_figure_is_read():
    assert dict(read_figures(PRINTED)) == {
        "state encoded and decoded once": 0.5,
        "sheets parsed and checked, each": 4.0,
        "map, drawn and encoded": 12.5,
        "maps, one thread and two, each": 100.0,
        "pictures kept in memory": 40.0,
        "Maildir, letters fetched and read, each": 2.0,
    }


@pytest.mark.parametrize(
    ("name", "now", "within"),
    [("a map", 110.0, True), ("a map", 111.0, False), ("one letter, with all it causes", 76.0, False)],
)
def test_what_is_too_slow_is_said(name, now, within):
    text = table("9b5beeb", {name: 100.0, "gone": 1.0}, {name: now, "new": 1.0})
    assert ("too slow" not in text) is within
    assert text.endswith(f"{int(within)} of 1 are within the aim.")
    assert "gone" not in text
    assert "new" not in text
