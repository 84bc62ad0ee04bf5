"""The records of a page: posts, items, a product, comments, questions, steps."""
