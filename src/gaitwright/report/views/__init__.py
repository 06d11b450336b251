"""What runs, legs and machines show of themselves: the files here know mechanics, the rest of report/ only plain data.

pictures.py         a mechanism as a scene; planar_picture.py and spatial_picture.py make it
run_page.py         the report of a run; shown.py which of its outputs it shows
leg_page.py         legs; walk_page.py machines that walk
"""
