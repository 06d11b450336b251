"""File formats of other programs as plain data, independent of the model; model/io converts the data.

text_table.py   tables of numbers: CSV, .mot, .sto; opensim_table.py reads whole tables and writes them
trc_file.py     markers in .trc; c3d_file.py markers, plates and events in C3D; forces_file.py plates in .forces; with writers
apd_file.py     pressure images of platforms
urdf_file.py    robots; urdf_resources.py files that URDF refers to, urdf_tree.py bodies, urdf_inertia.py masses,
                urdf_conversion_table.py the result for each link and joint
mesh_file.py    triangles: STL, OBJ, PLY, COLLADA
imported_assembly.py  bodies and joints of other engines; mjcf_*.py MuJoCo, sdf_file.py Gazebo, osim_file.py OpenSim
drawing.py      technical drawings; dxf_file.py and svg_file.py read and write them

All files are opened by _core/input_files.py, which limits their size and decodes them.
"""
