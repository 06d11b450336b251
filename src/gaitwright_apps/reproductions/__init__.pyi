from .runner import checks_by_paper as checks_by_paper
from .runner import experiment_options as experiment_options
from .runner import failure_message as failure_message
from .runner import reproduce as reproduce
from .runner import run_in_sequence as run_in_sequence
from .runner import select_experiments as select_experiments
from .runner import show_findings as show_findings
from .runner import write_paper_files as write_paper_files

EXPERIMENTS: dict[str, str]
ALL_EXPERIMENTS: str
