"""Other people's files as plain data. What becomes of the data, others decide: nothing here knows a model.

reading.py      the door: which files are read, how much of them, in which encoding
columns.py      tables of numbers: CSV, .mot, .sto; opensim_table.py the whole of one, and its writer
trc_file.py     markers in .trc; c3d_file.py markers, plates and events in C3D; forces_file.py plates in .forces; with writers
urdf_file.py    robots; urdf_files.py the files that they name, urdf_tree.py their bodies, urdf_inertia.py their masses,
                urdf_table.py what became of each link
mesh_file.py    triangles: STL, OBJ, PLY, COLLADA
assembly.py     bodies and joints of other engines; mjcf_*.py those of MuJoCo, sdf_file.py of Gazebo, osim_file.py of OpenSim
drawing.py      technical drawings; dxf_file.py and svg_file.py read and write them
"""
