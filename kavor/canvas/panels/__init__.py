"""What opens beside the canvas: a Schedule's form, its history, a Terminal's settings."""
