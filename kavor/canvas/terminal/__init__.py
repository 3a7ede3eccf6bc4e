"""The live Terminal on the canvas: its screen in the card, and a person's keys and mouse in it."""
