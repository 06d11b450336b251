"""Body families: coordinates of a body, and what its points are in terms of them."""
