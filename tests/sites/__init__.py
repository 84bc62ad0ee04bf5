"""Pages of known truth: small sites built with the real generators, and pages written in the structure of others."""
