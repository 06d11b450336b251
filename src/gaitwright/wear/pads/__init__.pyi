from .pad import CuffPad as CuffPad
from .pressure import PadPressure as PadPressure
from .pressure import press as press
