"""The browser: for pages that exist only after their scripts have run."""
