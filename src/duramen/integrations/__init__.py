"""Adapters for other libraries: one thin module each, with an extra of the same name.

``scrapy``, ``langchain``, ``llamaindex`` and ``datatrove``; pandas and polars need none, see
:func:`duramen.batch.extract_table`. Nothing here is imported by default.
"""
