"""The texts of Sticky Notes, Files and Specifications: glimpses on their cards, and editing in place."""
