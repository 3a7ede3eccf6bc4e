"""The Schedule's form: what a person types, held as values, and the widgets over them."""
