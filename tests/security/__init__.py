"""Proof that nothing a page carries comes out alive."""
