"""What lies over the canvas to work on it: the palette, lists to choose from, the keys, the menus."""
