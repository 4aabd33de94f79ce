"""Prints the letters of a font as text that a program reads without a font library.

Each line has a letter's code point in hexadecimal (0 for the box that stands for all letters which the font lacks),
how far the next letter is, and the outline: m, l and c as in an SVG path, with relative places and Y up. Lengths are
parts of an em, whose size is in the first line. Kerning and ligatures are left out.

Needs fontTools:  python3 outlines.py Inter-Regular.otf > Inter-Regular.txt
"""

import sys

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont


class Outline(BasePen):
    def __init__(self, glyphs):
        super().__init__(glyphs)
        self.words, self.at = [], (0, 0)

    def put(self, command, *points):
        steps = [f"{round(x - self.at[0])} {round(y - self.at[1])}" for x, y in points]
        self.words.append(f"{command} " + " ".join(steps))
        self.at = tuple(round(x) for x in points[-1])

    def _moveTo(self, to):
        self.put("m", to)

    def _lineTo(self, to):
        self.put("l", to)

    def _curveToOne(self, first, second, to):
        self.put("c", first, second, to)


def main(path):
    font = TTFont(path)
    glyphs = font.getGlyphSet()
    print(font["head"].unitsPerEm)
    letters = {0: font.getGlyphOrder()[0], **font.getBestCmap()}
    for code, name in sorted(letters.items()):
        outline = Outline(glyphs)
        glyphs[name].draw(outline)
        print(f"{code:x} {glyphs[name].width}", *outline.words)


main(*sys.argv[1:])
