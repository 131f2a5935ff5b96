"""Round Island: a small game with all that a game can have, to be read beside the guide and copied.

In the house a game is spread over five folders. Here they lie together, each under the name it has there:

rules/      engine/<game>/        what happens
shown/      pbem/games/<game>/    how it is shown
data/       data/<game>/          the map, the scenarios, the schema of view.json
templates/  templates/<game>/     the words
docs/       docs/<game>/          what HELP and RULES answer from
"""

from pathlib import Path

FOLDER = Path(__file__).parent
