"""``python -m kavor``: the same as the ``kavor`` command."""

from kavor.cli.main import main

if __name__ == "__main__":
    main()
