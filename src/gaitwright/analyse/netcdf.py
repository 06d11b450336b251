"""Writing netCDF files quickly.

A netCDF-4 file is an HDF5 file whose dimensions are HDF5 dimension scales. Written through h5py it takes a tenth of the
time of xarray and h5netcdf (0.15 s against 1.4 s for the 366 outputs of a Theo Jansen leg, pandas not imported), which
decides how soon a small run is back at the prompt. Reading is xarray's business.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

NO_VARIABLE = "This is a netCDF dimension but not a netCDF variable. %10d"
"""How netCDF-4 marks the scale of a dimension that has no coordinate."""


class Variable(NamedTuple):
    """dimensions: a name for each axis of the values; a one-dimensional variable called after its dimension is its
    coordinate."""

    dimensions: tuple[str, ...]
    values: np.ndarray
    attributes: Mapping[str, str] = {}


def write(path: Path, variables: Mapping[str, Variable], attributes: Mapping[str, str]) -> None:
    """Write variables (numbers or texts) and global attributes. The file appears under its name only when it is
    complete."""
    import h5py

    sizes = {d: n for v in variables.values() for d, n in zip(v.dimensions, np.shape(v.values), strict=True)}
    part = path.with_name(path.name + ".part")
    with h5py.File(part, "w", track_order=True) as file:
        file.attrs.update(attributes)
        scales = {}
        for number, (name, size) in enumerate(sizes.items()):
            if name in variables:
                scale, label = file.create_dataset(name, data=variables[name].values), name
                scale.attrs.update(variables[name].attributes)
            else:
                scale, label = file.create_dataset(name, shape=(size,), dtype=">f4"), NO_VARIABLE % size
            scale.make_scale(label)
            scale.attrs["_Netcdf4Dimid"] = np.int32(number)
            scales[name] = scale
        for name, variable in variables.items():
            if name in scales:
                continue
            if variable.values.dtype.kind == "U":
                texts = variable.values.astype(object)
                data = file.create_dataset(name, data=texts, dtype=h5py.string_dtype())
            else:
                data = file.create_dataset(name, data=variable.values)
            data.attrs.update(variable.attributes)
            for axis, dimension in enumerate(variable.dimensions):
                data.dims[axis].attach_scale(scales[dimension])
    os.replace(part, path)
