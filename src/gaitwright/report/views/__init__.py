"""Views of runs, legs and machines: these modules use mechanics, the rest of report/ only plain data.

scenes/                     a mechanism as a scene; planar_mechanism.py and spatial_mechanism.py create it
pages/run_page.py           the report of a run; default_outputs.py selects its outputs
pages/leg_page.py           legs; pages/walk_page.py machines that walk
"""
