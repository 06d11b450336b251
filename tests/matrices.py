"""Sparse matrices that tests of solvers share."""

import numpy as np
import scipy.sparse as sparse


def mesh(*shape, per_node=3, seed=0):
    """Return a random symmetric positive-definite matrix with the pattern of a grid in which each node couples to
    all neighbours."""
    index, rng = np.arange(np.prod(shape)).reshape(shape), np.random.default_rng(seed)
    pairs = []
    for off in np.ndindex(*(2,) * len(shape)):
        near = index[tuple(slice(0, size - step) for size, step in zip(shape, off, strict=True))].ravel()
        far = index[tuple(slice(step, size) for size, step in zip(shape, off, strict=True))].ravel()
        pairs.append(np.stack([near, far]))
    near, far = np.concatenate(pairs, axis=1)
    graph = sparse.coo_matrix((np.ones(near.size), (near, far)), shape=(index.size, index.size))
    matrix = sparse.kron(graph, np.ones((per_node, per_node))).tocsr()
    matrix.data = rng.standard_normal(matrix.nnz)
    matrix = matrix + matrix.T
    return (matrix + sparse.diags(np.asarray(abs(matrix).sum(axis=1)).ravel() + 0.1)).tocsc()
