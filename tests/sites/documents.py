"""The documents that every site is built from. All of it is invented for this purpose; the documents are the truth.

Inline text is CommonMark with code, emphasis and links only; ``{fn:key}`` refers to a note, ``{math:…}`` is a formula.
What a generator has no syntax for is left out of its pages and of their truth (see :mod:`tests.sites.dialects`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Heading:
    level: int
    text: str


@dataclass(frozen=True)
class Para:
    text: str


@dataclass(frozen=True)
class Code:
    language: str
    text: str
    title: str = ""
    numbered: bool = False
    marked: str = ""
    """Lines to highlight, such as ``1,3``."""


@dataclass(frozen=True)
class Table:
    rows: tuple[tuple[str, ...], ...]
    """The first is the header."""


@dataclass(frozen=True)
class Items:
    items: tuple[tuple[Block, ...], ...]
    """Each begins with a paragraph."""
    ordered: bool = False


@dataclass(frozen=True)
class Callout:
    kind: Literal["note", "tip", "warning"]
    blocks: tuple[Block, ...]
    title: str = ""


@dataclass(frozen=True)
class Tabs:
    tabs: tuple[tuple[str, tuple[Block, ...]], ...]


@dataclass(frozen=True)
class Definitions:
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Quote:
    text: str


@dataclass(frozen=True)
class Math:
    tex: str


@dataclass(frozen=True)
class Picture:
    src: str
    alt: str


@dataclass(frozen=True)
class Api:
    """A documented function: a directive where the generator has one, a heading of code elsewhere."""

    signature: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Notes:
    """The texts of the footnotes, which stand at the end of the page."""

    notes: tuple[tuple[str, str], ...]


Block = Heading | Para | Code | Table | Items | Callout | Tabs | Definitions | Quote | Math | Picture | Api | Notes


@dataclass(frozen=True)
class Document:
    name: str
    title: str
    blocks: tuple[Block, ...]
    language: str = "en"
    post: bool = False
    """Written as a post where the generator knows posts."""


SITE = "Quillwort Archive"
TAGLINE = "Papers kept by the wardens of the fen"
AUTHOR = "Ottoline Farrow"
FOOTER = "Fenland wardens cooperative, all sheets reserved"
DATE = "2026-03-14"


def _items(*texts: str, ordered: bool = False) -> Items:
    return Items(tuple((Para(text),) for text in texts), ordered)


GUIDE = Document(
    "guide",
    "Measuring a hollow tree",
    (
        Para(
            "A hollow tree keeps its secrets behind a wall of living wood, and the wall is often thinner than it looks from "
            "the path. This guide shows how to take the measure of such a tree with **borehole** tools and a little "
            "*patience*, and how to hand the figures to the `heartwood` program. The method goes back to the [survey of "
            "the northern parks](https://example.org/parks/survey?year=1931&part=2) and has hardly changed.{fn:parks}"
        ),
        Heading(2, "What you need"),
        Para("Before you walk out, lay these things on a table and count them twice:"),
        Items(
            (
                (Para("a steel tape of at least ten metres,"),),
                (
                    Para("two wooden wedges, and between them:"),
                    _items("a strip of felt, so that the bark is not hurt,", "a peg with a `3/8` thread;"),
                ),
                (Para("a notebook, since [batteries die in the cold](https://example.org/cold)."),),
            )
        ),
        Callout(
            "warning",
            (
                Para("Never drill into a tree that leans over a road. The wall may give way without a sound."),
                _items("Ask a second person to stand by.", "Keep the path closed until the wedge is out."),
            ),
        ),
        Heading(2, "Installing the program"),
        Para("Choose the tool that your machine already has:"),
        Tabs(
            (
                ("Snapdragon", (Code("bash", "snapdragon add heartwood --channel=stable\nheartwood --version"),)),
                (
                    "Foxglove",
                    (
                        Code("bash", "foxglove install heartwood\nfoxglove run heartwood --version"),
                        Para("Foxglove asks for the keeper's password once."),
                    ),
                ),
            )
        ),
        Para("Then write the first script. Lines that matter are marked:"),
        Code(
            "python",
            "from heartwood import Ring, Tree\n\n\ndef hollow(tree: Tree, *, depth: float = 0.5) -> list[Ring]:\n"
            '    """Rings whose wall is thinner than ``depth``."""\n'
            "    found = [ring for ring in tree.rings if ring.wall < depth]\n\n"
            '    # A ring may be missing: the borer slips in rotten wood.\n    return found or [Ring.unknown("Höhle & <gap>")]\n',
            title="measure.py",
            marked="6,9",
        ),
        Callout(
            "tip", (Para("Run it with `python measure.py --dry` first; nothing is stored then."),), title="Rehearse"
        ),
        Heading(2, "Reading the figures"),
        Para("Every ring gives one row. The columns are explained below the table."),
        Table(
            (
                ("Ring", "Wall", "Sound", "Advice"),
                ("innermost", "4.2 cm", "dull", "leave it alone"),
                ("second", "11 cm", "clear", "[mark it](https://example.org/mark)"),
                ("bark side", "0.8 cm", "none", "call `warden()` at once"),
            )
        ),
        Definitions(
            (
                ("Wall", "The sound wood between the hollow and the next ring, taken at breast height."),
                ("Sound", "What a mallet hears. A *dull* answer means water."),
            )
        ),
        Para("The share of sound wood follows from the two radii {math:r_i} and {math:r_o}:"),
        Math("s = 1 - \\frac{r_i^2}{r_o^2}"),
        Para("A share below one third is a reason to worry.{fn:third}"),
        Heading(3, "From the figures to a map"),
        _items(
            "Sort the rows by ring.",
            "Draw a circle for each, with its wall as the line's width.",
            "Colour the circles that answered dull.",
            ordered=True,
        ),
        Code(
            "json",
            '{\n  "tree": "oak-17",\n  "rings": [\n    {"wall": 4.2, "sound": "dull"},\n    {"wall": 11, "sound": null}\n  ]\n}',
            numbered=True,
        ),
        Picture("https://example.org/pictures/rings.png", "Rings of an old oak, the hollow drawn dark"),
        Para("The map is then read from the inside outwards, as one reads the tree itself."),
        Heading(2, "When it goes wrong"),
        Quote("The borer that sticks has found iron; the keeper that pulls has found trouble."),
        Items(
            (
                (
                    Para("The program stops with `E41`: the notebook was closed too early. Open it again:"),
                    Code("bash", "heartwood resume --from last \\\n  --notebook ./oak-17.toml"),
                    Para("The rows come back in their old order."),
                ),
                (Para("The tape is too short: take the girth in two parts and add them."),),
            ),
            ordered=True,
        ),
        Code("", "oak-17   ........##..\n             ^^ hollow\n\n  scale 1:40"),
        Para("Everything else is told in the [keeper's handbook](https://example.org/handbook#rings)."),
        Notes(
            (
                (
                    "parks",
                    "The survey was printed in eighty copies, of which [three are left](https://example.org/copies).",
                ),
                ("third", "Some wardens say one quarter, and they have fewer fallen trees."),
            )
        ),
    ),
)

REFERENCE = Document(
    "reference",
    "Functions of the ring module",
    (
        Para(
            "The ring module holds everything that turns taps of a mallet into numbers. Import it by name; it has no side effects."
        ),
        Heading(2, "Constants"),
        Table(
            (
                ("Name", "Type", "Default", "Meaning"),
                ("`MAX_WALL`", "`float`", "`120.0`", "the thickest wall that is believed"),
                ("`MIN_TAPS`", "`int`", "`3`", "taps that make an answer; two are none"),
                ("`UNSURE`", "`str`", "`None`", "what stands for a ring nobody heard"),
            )
        ),
        Heading(2, "Functions"),
        Api(
            "tap(ring, force=1.0, *, wet=False)",
            (
                Para(
                    "Tap a ring once and return the answer in hertz. A wet ring answers lower, which `wet` makes up for."
                ),
                Code("python", ">>> tap(oak.rings[0], force=0.5)\n212.5\n>>> tap(oak.rings[0], wet=True)\n240.0"),
            ),
        ),
        Api(
            "fold(answers, /)",
            (
                Para(
                    "Fold many answers into one. Answers beyond two deviations are left out, and fewer than `MIN_TAPS` raise `TooFew`."
                ),
                Callout(
                    "note",
                    (Para("The order of the answers does not count. See [the proof](https://example.org/proof)."),),
                ),
            ),
        ),
        Heading(2, "Exceptions"),
        _items("`TooFew`: not enough answers to fold.", "`Rotten`: the wall gave way; the ring is marked `UNSURE`."),
        Heading(2, "Settings"),
        Para("Settings are read once, from the first file that exists:"),
        Code(
            "yaml",
            "rings:\n  believe: 120.0   # centimetres\n  taps: [1, 2, 3]\n  names:\n    - \"inner: dull\"\n    - 'outer'\n",
        ),
        Code(
            "html",
            '<ring-map src="/oak.json" scale="40">\n  <p class="fallback">No map &amp; no script.</p>\n</ring-map>',
        ),
    ),
)

SHORT = Document(
    "short",
    "Borrowing a mallet",
    (
        Para(
            "Mallets hang behind the door of the lodge. Take one, write your name on the slate, and bring it back dry."
        ),
    ),
)

CHANGES = Document(
    "changes",
    "What is new in heartwood",
    (
        Para("Releases follow the seasons. The newest stands first, and nothing is ever taken back."),
        Heading(2, "4.2.0 (autumn)"),
        Heading(3, "Added"),
        Items(
            (
                (Para("`fold()` takes any iterable ([#211](https://example.org/issues/211))."),),
                (
                    Para("Maps can be drawn as:"),
                    _items("plain text, for the slate,", "SVG, for the web,", "a punched card, for the loom."),
                ),
            )
        ),
        Heading(3, "Fixed"),
        _items(
            "A tap of zero force no longer rings the lodge's bell.",
            "German names keep their umlauts ([#198](https://example.org/issues/198)).",
        ),
        Heading(2, "4.1.3 (summer)"),
        _items(
            "The borer's thread is read in inches where the tape is.",
            "Faster by a third on trees with more than two hundred rings.",
        ),
        Heading(2, "4.0.0 (spring)"),
        Callout("warning", (Para("Files of version 3 are not read any more. Convert them with `heartwood convert`."),)),
        _items("Rings are counted from the inside.", "The `Trunk` class is gone; use `Tree`."),
        Code(
            "diff",
            "-from heartwood import Trunk\n+from heartwood import Tree\n import slate\n-oak = Trunk(17)\n+oak = Tree(17)",
        ),
    ),
)

GERMAN = Document(
    "kernholz",
    "Das Kernholz und seine Farben",
    (
        Para(
            "Das Kernholz ist der innere, dunklere Teil des Stammes. Es leitet kein Wasser mehr, trägt aber den Baum, und mancher Tischler zahlt für eine dunkle Eiche das Doppelte."
        ),
        Heading(2, "Woran man es erkennt"),
        _items(
            "Die Farbe wechselt auf wenigen Millimetern.",
            "Der Klang ist hell, solange keine Höhle darin ist.",
            "Ein nasser Finger trocknet langsamer.",
        ),
        Table(
            (
                ("Baum", "Farbe", "Dauer im Boden"),
                ("Eiche", "graubraun", "25 Jahre"),
                ("Robinie", "gelbgrün", "über 30 Jahre"),
                ("Lärche", "rötlich", "15 Jahre"),
            )
        ),
        Callout(
            "note",
            (
                Para(
                    "Buchen bilden nur selten einen echten Kern; der [Rotkern](https://example.org/rotkern) ist eine Antwort auf Luft im Stamm."
                ),
            ),
        ),
        Heading(2, "Wie man es prüft"),
        Para("Man schlägt mit dem Hammer und hört zu. Wer es genauer wissen will, nimmt das Programm:"),
        Code("bash", "heartwood prüfen --baum Eiche-17 --sprache de"),
        Para(
            "Die Ausgabe nennt jeden Ring mit seiner Wandstärke. Weniger als fünf Zentimeter sind ein Grund, den Weg zu sperren."
        ),
    ),
    "de",
)

CHINESE = Document(
    "shuxin",
    "如何听懂一棵空心树",
    (
        Para(
            "空心的树不会说话,但是会回答。用木槌轻轻敲一下树干,声音清脆的地方木质坚实,声音沉闷的地方多半有水或者空洞。守林人靠这个办法巡视了一百多年。"
        ),
        Heading(2, "准备工作"),
        _items("带上木槌、卷尺和一本纸质笔记。", "选择没有风的早晨,最好是在下雨之前。", "请另一个人站在旁边记录数字。"),
        Para("每一圈年轮都要敲三次,取中间的数值。详细的方法见[守林人手册](https://example.org/zh/handbook)。"),
        Heading(2, "计算"),
        Code("python", "def 厚度(外径: float, 内径: float) -> float:\n    return (外径 - 内径) / 2  # 厘米"),
        Table((("位置", "厚度", "声音"), ("内圈", "四厘米", "沉闷"), ("外圈", "十一厘米", "清脆"))),
        Para(
            "如果厚度小于五厘米,就应当立即封闭道路,并且通知当地的林务站。不要自己动手砍伐,因为空心树往往住着猫头鹰和蝙蝠。"
        ),
    ),
    "zh",
)

POST = Document(
    "slate",
    "Why the slate outlived the tablet",
    (
        Para(
            "Four winters ago the lodge bought a tablet, so that wardens could enter their rings by the tree. It was a good tablet. It had a map, a torch and a bird that sang when a row was stored."
        ),
        Para(
            "The slate by the door was to be taken down in spring. It still hangs there, and this is the story of why."
        ),
        Heading(2, "Cold hands"),
        Para(
            "A finger in a wool glove is no finger to a tablet. Wardens took the glove off, entered three rings, and put it on again with a thumb that felt nothing. By the tenth tree they *guessed*; by the twentieth they went home. [Ask anyone who was there](https://example.org/wardens)."
        ),
        Quote("I trust what I can write with a frozen hand."),
        Heading(2, "What we kept"),
        Para(
            "The program stayed, since it folds answers better than any of us. Once a week somebody reads the slate aloud and somebody types:"
        ),
        Code("bash", "heartwood enter --from-slate << EOF\noak-17  4.2 dull\noak-18  9.0 clear\nEOF"),
        Para("That is all. The tablet now plays bird song in the tea room, and nobody has complained.{fn:tea}"),
        _items("The slate costs nothing.", "It is never out of charge.", "It can be read from the path."),
        Para("Next year we may paint the frame. We have asked the fox, and the fox says **green**."),
        Notes((("tea", "The tea has improved as well, but for other reasons."),)),
    ),
    post=True,
)

DOCUMENTS = (GUIDE, REFERENCE, SHORT, CHANGES, GERMAN, CHINESE, POST)
