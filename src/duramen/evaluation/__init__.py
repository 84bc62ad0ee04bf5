"""Measures extraction on annotated pages: scores of pages, rates by site category and page type, and reports."""
