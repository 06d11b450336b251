"""Linear algebra of sparse systems: orderings, multifrontal factorisations, Schur complements, elimination programs."""
