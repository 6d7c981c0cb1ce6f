"""`python -m workbench`: the command line."""

from workbench.cli.main import main

main()
