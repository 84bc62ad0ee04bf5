"""Turns the chosen content into its canonical form, then makes it safe."""
