"""Files that keep finished designs and variants, so that an interrupted call can be resumed."""
