"""`python -m quandary`."""

import sys

from quandary.cli.main import main

sys.exit(main())
