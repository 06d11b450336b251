"""Body families: coordinates of a body, and its points as functions of them."""
