"""``python -m duramen``."""

import sys

from duramen.cli import main

if __name__ == "__main__":
    sys.exit(main())
