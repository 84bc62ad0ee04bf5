"""Duramen where people already work: one thin module a library, each with an extra of its own name.

``scrapy``, ``langchain``, ``llamaindex`` and ``datatrove``; pandas and polars need none, see
:func:`duramen.batch.extract_table`. Nothing here is imported unless it is asked for.
"""
