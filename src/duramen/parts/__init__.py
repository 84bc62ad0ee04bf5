"""What a page is made of, as data: each part is computed when it is first used (:class:`duramen.Result`)."""
