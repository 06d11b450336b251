"""Variants of one model: find the best design and study the effect of parameters.

question.py         DesignQuestion: parameters, analysis, measures, goals, limits and rules, read once for all methods
                    (parameter_ranges.py, requested_numbers.py, number_limits.py, rules.py)
result.py           DesignResult: all designs as a Dataset, and the chosen one
sweep.py            all combinations of parameter values, on all cores
choose.py           value of a parameter for which a number has a target value (root_search.py, choose_result.py)
optimise.py         parameters that minimise or maximise a number (trial_search.py, minimisers.py, gradient_search.py,
                    optimise_result.py)
least_squares.py    bounded least-squares fit of named parameters to measured data, with confidence intervals
trade_off.py        several numbers as functions of one parameter
study.py            several goals at once: Pareto front (pareto.py), limits and stock sizes (study_result.py)
measure_plan.py     analysis that provides requested numbers of a leg or of a walk
evaluation.py       analysis of one variant, and its outputs and scalar results by name
executors/          run jobs in this process, in worker processes that may crash, or on a Dask cluster
stores/             files that keep finished results; fingerprint.py tests if they answer the same question
"""
