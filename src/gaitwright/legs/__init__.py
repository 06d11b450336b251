"""Measures of legs, feet and walking machines over turns of their cranks, from results of analyses."""
