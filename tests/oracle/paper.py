"""paper.py SIZE SVG...: of pictures made for a page: the size, at least three ticks on each axis that has numbers, both
ends with a label, no two texts upon one another, no title, a ground that covers all."""
import re
import sys
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"


def texts(root):
    """Of each text: its class, words, and box."""
    found = []

    def walk(e, dx, dy, turned):
        move = re.match(r"translate\(([-.\d]+) ([-.\d]+)\)rotate\(-90\)", e.get("transform", ""))
        if move:
            dx, dy, turned = float(move[1]), float(move[2]), True
        if e.tag == SVG + "text":
            words = "".join(t for t in e.itertext())
            title = e.find(SVG + "title")
            if title is not None:
                words = words.replace(title.text, "", 1)
            style = e.get("class", "").split()
            size = 11 if "t" in style else 17 if "h" in style else 12
            wide = len(words) * size * 0.5
            left = {"middle": wide / 2, "end": wide}.get(e.get("text-anchor"), 0)
            x, y = float(e.get("x")), float(e.get("y"))
            box = (x - left, y - size * 0.7, x - left + wide, y)
            if turned:
                box = (dx + box[1], dy - box[2], dx + box[3], dy - box[0])
            found.append((style, words, box, turned))
        if e.tag == SVG + "svg" and e.get("x"):
            return
        for child in e:
            walk(child, dx, dy, turned)

    walk(root, 0, 0, False)
    return found


def check(path, size):
    root = ET.parse(path).getroot()
    assert f"{root.get('width')}x{root.get('height')}" == size, (path, root.attrib)
    wide, high = map(float, root.get("viewBox").split()[2:])
    ground = root.find(SVG + "rect")
    assert ground.get("width") == ground.get("height") == "100%" and ground.get("class") == "bg"
    found = texts(root)
    assert not [t for t in found if "h" in t[0]], (path, "a title")
    for a, (_, words, box, _) in enumerate(found):
        assert box[0] >= -1 and box[1] >= -1 and box[2] <= wide + 1 and box[3] <= high + 1, (path, words, box)
        for _, other, with_, _ in found[a + 1:]:
            across = min(box[2], with_[2]) - max(box[0], with_[0])
            down = min(box[3], with_[3]) - max(box[1], with_[1])
            assert across <= 1 or down <= 1, (path, words, other, box, with_)
    # Numbers of one line are those of the horizontal axis.
    rows = {}
    for style, words, box, turned in found:
        if "n" in style and "t" in style and not turned and re.match(r"[−\d]", words):
            rows.setdefault(round(box[3]), []).append(words)
    return max(map(len, rows.values()), default=0), found


def main():
    size, *paths = sys.argv[1:]
    for path in paths:
        ticks, found = check(path, size)
        kind = re.search(r"(\w+)\.svg$", path)[1]
        if kind not in ("matrix", "flame"):
            assert ticks >= 3, (path, ticks)
        if kind in ("rate", "heat", "hist", "line"):
            marks = [t for t in found if t[0][-2:] == ["t", "n"] and not t[3]]
            left = [t for t in marks if t[2][2] < 110 and t[2][3] < max(m[2][3] for m in marks) - 5]
            assert len(left) >= (6 if kind in ("rate", "hist") else 3), (path, left)
        if kind in ("timeline", "points"):
            assert sum(t[1].startswith(("rank", "unit")) for t in found) >= 4, path
    print(len(paths), "pictures are made for", size)


main()
