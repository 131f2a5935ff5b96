"""How Round Island is shown. Everything here is made from a view and from what was told, never from a position.

box.py       what the referee may ask
names.py     what hexes, sides and bands are called
lead.py      what a report begins with
story.py     the diary: events sorted into chapters
record.py    the record sheets and the alt texts      form.py   the order form
ordered.py   what came of a line
textmap.py   the map in letters                       picture.py, style.py   the map as a picture
view_file.py the schema of view.json
"""

from pbem.words.pages import Templates
from tests.toy.round_island import FOLDER

TEMPLATES = Templates(FOLDER / "templates")
