"""Many variants of one model: which design is best, and what a parameter does.

sweep.py        a table of variants on all cores
choose.py       a parameter for which an output takes a wanted value; question.py asks, roots.py finds where, chosen.py tells
optimise.py     parameters for which a number is smallest or largest; search.py tries, minimisers.py propose, optimised.py tells
least_squares.py  named parameters for which a computation comes nearest to what was measured, and how sure they are
trade_off.py    what one parameter does to several outputs
study.py        several aims at once: what no other beats (pareto.py), what limits and sizes in stock leave; studied.py tells
told.py         numbers by name of what is no run with outputs: modes, a device on a person
variant.py, variants.py   a model with other values, without checking all of it again
workers.py      processes that may die
store.py, kept.py         what was found so far, in a file; fingerprint.py says whether it answers the same question
"""
