"""Fetching pages: robots.txt, rate limits, size limits, and no access to private networks."""
