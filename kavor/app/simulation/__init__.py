"""The scenario player: the real runtime, with simulated clocks and targets, through months in seconds."""
