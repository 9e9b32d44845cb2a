"""What agents of COMP30024 (2025) import: see `referee.game`."""
