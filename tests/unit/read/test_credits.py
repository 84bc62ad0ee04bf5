"""The names of East Asian credits."""

from __future__ import annotations

import pytest

from duramen.flatten import parse_tree
from duramen.read.credits import credits_in


def names(body: str) -> list[str]:
    tree = parse_tree(f"<!doctype html><body><h1>橡木</h1>{body}")
    return credits_in(tree, tree.tag.index("h1"))


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("<p>作者：王小明</p>", ["王小明"]),
        ("<p>记者: 王小明 李大山</p>", ["王小明", "李大山"]),
        ("<p>文／王小明、李大山</p>", ["王小明", "李大山"]),
        ("<p>作者：Ada Wood</p>", ["Ada Wood"]),
        ("<p>（记者王小明）</p>", ["王小明"]),
        ("<p>記者 王小明 台北報導</p>", ["王小明"]),
        ("<p>本报记者王小明</p>", ["王小明"]),
        ("<p>记者问小明</p>", []),
        ("<p>作者：</p><p>王小明</p>", ["王小明"]),
        ("<p>作者</p><b>王小明</b>", ["王小明"]),
        (f"<p>作者</p><b>王{'明' * 19}</b>", ["王" + "明" * 19]),
        (f"<p>作者</p><b>王{'明' * 20}</b>", []),
        ("<p>编辑：李大山</p><p>作者：王小明</p>", ["王小明"]),
        ("<p>홍길동 기자</p>", ["홍길동"]),
        ("<p>홍길동 특파원 파리</p>", ["홍길동"]),
        ("<p>홍길동 기자님</p>", []),
        (f"<p>{'가 ' * 28}홍길동 기자</p>", []),
        ("<p>王小明</p>", ["王小明"]),
        ("<p>王小明的橡木</p>", []),
        ("<p>橡木</p><p>王小明</p>", []),
        (f"<p>{'木' * 200}作者：王小明</p>", ["王小明"]),
        (f"<p>作者：王小明{'，木' * 150}</p>", ["王小明"]),
        (f"<p>{'木' * 160}，作者：王小明，{'木' * 160}</p>", []),
    ],
)
def test_credits(body: str, found: list[str]) -> None:
    assert names(body) == found


def test_without_a_title_no_name_is_beside_it() -> None:
    assert credits_in(parse_tree("<p>王小明</p>"), -1) == []
