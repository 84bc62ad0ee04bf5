"""How the gate tells whether predicted F1 is true."""

from __future__ import annotations

from benchmarks.gate import reliability


def test_reliability_parts_pages_by_their_prediction() -> None:
    pairs = [(0.2, 0.1), (0.55, 0.8), (0.56, 0.6), (1.0, 1.0), (0.95, 0.9)]
    assert list(reliability(pairs))[2:] == [
        "| 0.00 to 0.50 | 1 | 0.200 | 0.100 | 100 % |",
        "| 0.50 to 0.60 | 2 | 0.555 | 0.700 | 50 % |",
        "| 0.95 to 1.00 | 2 | 0.975 | 0.950 | 0 % |",
    ]
