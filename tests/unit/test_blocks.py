"""Text blocks: where they begin and end, whose they are, what they measure."""

from __future__ import annotations

import pytest

from duramen.blocks import Blocks, segment
from duramen.flatten import parse_tree
from duramen.tree import Tree


def cut(body: str) -> tuple[Tree, Blocks]:
    tree = parse_tree(f"<!doctype html><html><head></head><body>{body}</body></html>")
    return tree, segment(tree)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>one</p><p>two</p>", ["one", "two"]),
        ("<p>one <b>two</b> <i>three</i></p>", ["one two three"]),
        ("<p>o<b>n</b>e</p>", ["one"]),
        ("<p>one<br>two</p>", ["one two"]),
        ("<div>before<p>inside</p>after</div>", ["before", "inside", "after"]),
        ("<div>before<hr>after</div>", ["before", "after"]),
        ("<div>before<div></div>after</div>", ["before", "after"]),
        ("<div>before<img src=x>after</div>", ["beforeafter"]),
        ("<ul><li>one<li>two</ul>", ["one", "two"]),
        ("<table><tr><td>a<td>b</table>", ["a", "b"]),
        ("loose <b>words</b>", ["loose words"]),
        ("<x-card>one</x-card><x-card>two</x-card>", ["one", "two"]),
        ("<p>  folded \n\t space  </p>", ["folded space"]),
        ("<p>one<script>var x</script>two</p>", ["one two"]),
        ("<p>shown<button>silent</button></p>", ["shown"]),
        ("<noscript><p>one</p></noscript><template><p>two</p></template>", ["one", "two"]),
        ("<h1>head</h1>text", ["head", "text"]),
        ("<p></p><div> </div>", []),
        ("", []),
        ("<p>one <span> </span><span>two</span></p>", ["one two"]),
        ("<dl><dt>term<dd>meaning</dl>", ["term", "meaning"]),
        ("<p>心材<b>是</b>硬的</p>", ["心材是硬的"]),
    ],
)
def test_segments(body: str, expected: list[str]) -> None:
    assert cut(body)[1].text == expected


def test_measures_add_up_to_the_page() -> None:
    tree, blocks = cut("<h1>Title here</h1><p>Some <a href=/>linked words</a> here.</p><ul><li><a href=/>all</a></ul>")
    assert blocks.text == ["Title here", "Some linked words here.", "all"]
    assert blocks.words == [2, 4, 1] and sum(blocks.words) == tree.words[-1]
    assert sum(blocks.chars) == tree.chars[-1] and sum(blocks.links) == tree.links[-1]
    assert blocks.links == [0, len("linked words "), len("all ")]
    assert [tree.tag[owner] for owner in blocks.owner] == ["h1", "p", "li"]


def test_every_shown_text_node_is_in_exactly_one_block() -> None:
    tree, blocks = cut("<div>a<p>b <i>c</i></p>d<br>e</div><table><tr><td>f</td><td>g<hr>h</td></tr></table>" * 3)
    seen = [
        i
        for b in range(len(blocks))
        for i in range(blocks.first[b], blocks.last[b] + 1)
        if tree.chars[i + 1] > tree.chars[i]
    ]
    assert seen == [i for i in range(len(tree)) if tree.chars[i + 1] > tree.chars[i]]


def test_blocks_are_in_document_order_inside_their_owner() -> None:
    tree, blocks = cut("<div>one<p>two</p>three<p>four</p></div>")
    assert blocks.first == sorted(blocks.first)
    for b, owner in enumerate(blocks.owner):
        assert tree.contains(owner, blocks.first[b]) and tree.contains(owner, blocks.last[b])
        assert blocks.first[b] <= blocks.last[b]


def test_a_deep_page_takes_linear_time() -> None:
    _, blocks = cut("<div>word " * 20_000)
    assert len(blocks) == 20_000


def test_formulas_are_part_of_their_line() -> None:
    for tag in ("mjx-container", "mjx-assistive-mml", "math-renderer"):
        assert cut(f"<p>one <{tag}>x</{tag}> two</p>")[1].text == ["one x two"]
    assert cut("<p>one <x-card>x</x-card> two</p>")[1].text == ["one", "x", "two"]


def test_white_space_is_folded_wherever_it_stands() -> None:
    # Words are copied eight bytes at a time: each kind of space comes to stand at each place of them.
    signs = ("a", "bc", "ä", "漢", " ", "  ", "\n", "\t ", "\u2003", "\x1c", "\x1b")
    for seed in range(3_000):
        text = "".join(signs[seed * (k + 7) ** 3 // 11 % len(signs)] for k in range(3 + seed % 40))
        assert cut(f"<p>x{text}</p>")[1].text == [" ".join(f"x{text}".split())]
