"""Pictures for reports: the map, a cut-out of the front, orders, record sheets, and a page to print.

Everything drawn is a function of a view and of events that were told to its reader, never of a state. The same view
makes the same bytes.
"""

from pbem.draw.front import front_png
from pbem.draw.map import map_png
from pbem.draw.orders import orders_png
from pbem.draw.print import print_png
from pbem.draw.sheet import sheet_png

__all__ = ["front_png", "map_png", "orders_png", "print_png", "sheet_png"]
