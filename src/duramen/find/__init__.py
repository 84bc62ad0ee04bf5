"""Where is the content? Each tier is a plain function from a page to candidates; the judge weighs them."""
