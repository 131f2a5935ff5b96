"""What a map that goes round shows once more beyond its edges is paler, so that nothing is counted twice."""

from PIL import Image, ImageDraw

from pbem.draw.canvas import Canvas
from pbem.draw.scene import Scene

#: How far it fades into paper, and how wide the lines around it are that fade with it, in hex widths.
PALE, LINES = 0.6, 0.06


def pale_copies(canvas: Canvas, _scene: Scene) -> None:
    frame = canvas.frame
    if not frame.atlas.period:
        return
    mask = Image.new("L", canvas.picture.size)
    draw, shade, width = ImageDraw.Draw(mask), round(255 * PALE), round(LINES * canvas.scale)
    for place, at in frame.atlas.hexes_in(frame.part.grown(1)):
        if frame.pixel(*at) != frame.pixel_of(place):
            corners = frame.corners_around(*frame.pixel(*at))
            draw.polygon(corners, fill=shade)
            draw.line([*corners, *corners[:2]], fill=shade, width=width, joint="curve")
    canvas.picture.paste(canvas.style.paper, mask=mask)
