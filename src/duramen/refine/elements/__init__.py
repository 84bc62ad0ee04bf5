"""One hard kind of element a module: each turns the shapes found on real pages into the canonical one."""
