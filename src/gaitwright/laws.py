"""Contact laws, as values of `law=`: `gw.laws.Hertz(stiffness=1e5)`."""

import lazy_loader

from gaitwright.physics import load_all

__getattr__, __dir__, __all__ = lazy_loader.attach_stub("gaitwright", __file__)

load_all()  # a declaration of a user must find the names of the library registered
