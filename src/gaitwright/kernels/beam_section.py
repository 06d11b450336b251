"""Printed by gaitwright.derive from gaitwright.physics.beams.section. Do not edit."""

KIND = "section"

def gradient(count, par, given, out):
    for e in range(count):
        r_xx_x = given[18 * e + 3]
        r_xx_y = given[18 * e + 4]
        r_xx_z = given[18 * e + 5]
        w2_x = given[18 * e + 6]
        w2_y = given[18 * e + 7]
        w2_z = given[18 * e + 8]
        w3_x = given[18 * e + 9]
        w2_x_x = given[18 * e + 12]
        w2_x_y = given[18 * e + 13]
        w2_x_z = given[18 * e + 14]
        w3_x_x = given[18 * e + 15]
        w3_x_y = given[18 * e + 16]
        w3_x_z = given[18 * e + 17]
        c0 = r_xx_y*w3_x
        c1 = r_xx_z*w2_x
        c3 = c0 - c1
        c4 = ((w2_x) * (w2_x))
        c5 = ((w3_x) * (w3_x))
        c7 = -w2_x_z + w3_x_y - c3
        c8 = r_xx_y*w2_x
        c9 = r_xx_z*w3_x
        c10 = -w2_x_y - w3_x_z + c8 + c9
        out[0] = -c3
        out[1] = -r_xx_x*w3_x + 2.0*r_xx_y*w2_x*w3_x + r_xx_y*w2_z - r_xx_z*w2_y - r_xx_z*c4 + r_xx_z*c5 + w2_x*w2_x_z - w2_x*w3_x_y - w2_x_y*w3_x - w3_x*w3_x_z + w3_x_x
        out[2] = r_xx_x*w2_x - r_xx_y*w2_y - r_xx_y*c4 + r_xx_y*c5 + r_xx_y - r_xx_z*w2_z + w2_x*w2_x_y + w2_x*w3_x_z - w2_x_x + w2_x_z*w3_x - w3_x*w3_x_y - 2.0*w3_x*c1
        out[4] = w3_x
        out[5] = -w2_x
        out[6] = out[42] = -r_xx_z
        out[7] = out[11] = c7
        out[8] = c10
        out[9] = out[24] = r_xx_y
        out[10] = -c10
        out[14] = out[36] = 1.0
        out[16] = out[40] = r_xx_z
        out[17] = c0
        out[18] = r_xx_x - c8
        out[21] = -1.0
        out[26] = out[32] = -r_xx_y
        out[33] = -r_xx_x + c9
        out[34] = -c1

def curved(count, par, given, out):
    for e in range(count):
        r_xx_x = given[18 * e + 3]
        r_xx_y = given[18 * e + 4]
        r_xx_z = given[18 * e + 5]
        w2_x = given[18 * e + 6]
        w2_y = given[18 * e + 7]
        w2_z = given[18 * e + 8]
        w3_x = given[18 * e + 9]
        w2_x_x = given[18 * e + 12]
        w2_x_y = given[18 * e + 13]
        w2_x_z = given[18 * e + 14]
        w3_x_x = given[18 * e + 15]
        w3_x_y = given[18 * e + 16]
        w3_x_z = given[18 * e + 17]
        n_twist = par[3 * e + 0]
        n_curvature_2 = par[3 * e + 1]
        n_curvature_3 = par[3 * e + 2]
        c0 = n_twist*w2_x
        c1 = r_xx_z*c0
        c2 = -n_twist*r_xx_y*w3_x
        c3 = n_curvature_2*r_xx_z
        c4 = n_curvature_3*r_xx_y
        c5 = c3 - c4
        c6 = w2_x_z*c0
        c7 = r_xx_y*w3_x
        c8 = 2.0*c7
        c9 = n_curvature_3*r_xx_z
        c10 = w3_x*c9
        c11 = n_twist*r_xx_y
        c12 = 2.0*c11
        c13 = n_twist*w3_x_x
        c14 = ((w2_x) * (w2_x))
        c15 = n_twist*r_xx_z
        c16 = 2.0*c15
        c17 = ((w3_x) * (w3_x))
        c18 = n_twist*w3_x
        c19 = r_xx_y*c18
        c20 = 4.0*w2_x
        c21 = c13 - c14*c16 + c16*c17 + c19*c20
        c22 = n_curvature_2*r_xx_x
        c23 = w3_x_y*c18
        c24 = w2_x_y*c0
        c25 = w3_x_z*c0
        c26 = w2_x_z*c18
        c27 = r_xx_x*c0
        c28 = n_curvature_2*r_xx_y
        c29 = w2_x*c28
        c30 = r_xx_z*w2_x
        c31 = 2.0*c30
        c32 = w2_z*c15
        c33 = n_twist*w2_x_x
        c34 = c12*c14 - c12*c17 + 4.0*c18*c30 + c33
        c35 = n_curvature_3 + c18
        c37 = n_curvature_2 + c0
        c38 = -c30 + c7
        c39 = n_twist*c38
        c40 = r_xx_y*c0
        c41 = r_xx_z*c18
        c42 = c28 + c9
        c43 = c40 + c41 + c42
        c45 = 2.0*c1
        c46 = 3.0*c19
        c47 = n_curvature_2*w3_x
        c48 = n_twist*w3_x_y
        c49 = n_twist*w2_y
        c50 = n_twist*w2_x_y
        c51 = n_twist*w2_z
        c52 = 2.0*c48
        c53 = ((w2_x) * (w2_x) * (w2_x))
        c54 = n_twist*c17
        c55 = 2.0*w2_x_z
        c56 = ((w3_x) * (w3_x) * (w3_x))
        c57 = n_twist*r_xx_x
        c58 = 2.0*c57
        c59 = n_twist*c14
        c60 = 2.0*w2_x
        c61 = 2.0*w3_x
        c62 = r_xx_x*c18
        c63 = w2_x_y*c18
        c64 = w3_x_z*c18
        c65 = 3.0*w2_y
        c66 = n_curvature_2*w2_x
        c67 = n_curvature_3*w3_x
        c68 = 3.0*w2_z
        c69 = 6.0*c14
        c70 = 6.0*c17
        c71 = w2_x_z*c49 + w2_y*c46 - w2_y*c48 + w2_z*c28 - w2_z*c50 - w2_z*c58 + w2_z*c9 - w3_x_z*c51 - c1*c65 + c1*c70 - c12*c56 + c13*c60 - c14*c52 - c16*c53 + c17*c52 + c19*c69 - c20*c62 - c20*c63 - c20*c64 + c31*c67 + c33*c61 + c40*c68 + c41*c68 + c48 - c54*c55 + c55*c59 + c66*c8
        c72 = 2.0*c40
        c73 = 2.0*c50
        c74 = 2.0*w3_x_z
        c75 = w3_x*c4
        c76 = w3_x*c3
        c77 = -c50 - c57
        c78 = c18*c60 + c51
        c79 = w2_x_z - w3_x_y
        c80 = n_twist*(-c31 + c79 + c8)
        c81 = n_curvature_2*c7 - w2_y*c15 + w2_z*c11 - 2.0*w3_x_y*c0 + c10 + c21 + 2.0*c6 - c62 - 2.0*c63 - 2.0*c64
        c82 = c15 + c81
        c83 = n_curvature_3*c30 + w2_y*c11 + 2.0*c23 - 2.0*c24 - 2.0*c25 - 2.0*c26 - c27 + c29 + c32 + c34
        c84 = -c22 - c75 + c76
        c85 = 2.0*c41 + c42 + c72
        c86 = -n_twist*w3_x_z + c77 + c85
        c87 = -c11 + c83
        c90 = -n_curvature_3*r_xx_x - w2_x*c3 + w2_x*c4
        c91 = 2.0*n_twist
        c92 = c91*(c38 + c79)
        c93 = -2.0*n_twist*w2_x_y - 2.0*n_twist*w3_x_z + c85
        c95 = -w2_x_z*c91 - 2.0*c19 + c45 + c5 + c52
        out[0] = -2.0*c1 - 2.0*c2 - 2.0*c5
        out[1] = -n_curvature_2*c8 + 2.0*n_curvature_3*r_xx_x + 2.0*n_twist*r_xx_x*w3_x + 2.0*n_twist*r_xx_z*w2_y + n_twist*w2_x*w3_x_y + n_twist*w2_x_y*w3_x + n_twist*w3_x*w3_x_z - w2_z*c12 - 2.0*c10 - c21 - c6
        out[2] = n_curvature_3*c31 + w2_y*c12 - c12 - 2.0*c22 + c23 - c24 - c25 - c26 - 2.0*c27 + 2.0*c29 + 2.0*c32 + c34
        out[4] = out[18] = out[75] = -c35
        out[5] = out[32] = out[62] = c37
        out[6] = out[82] = out[86] = out[101] = c15
        out[7] = out[11] = c39
        out[8] = -c43
        out[9] = out[85] = out[93] = out[110] = -c11
        out[10] = c43
        out[16] = -2.0*r_xx_x*c47 + c17*c3 - c17*c4 + c3 - 2.0*c4 + c45 - c46 + c71
        out[17] = -r_xx_x*c67 + w2_x*c22 + w2_x*c75 - w2_x*c76 + w2_x_z*c51 - w2_y*c28 + w2_y*c50 + w2_y*c58 - w2_y*c9 + w2_z*c46 - w2_z*c48 + w3_x_z*c49 - c1*c68 - c12*c53 + c13*c61 - c14*c28 + c14*c58 + c14*c73 - c14*c9 + c16*c56 + c17*c28 - c17*c58 - c17*c73 + c17*c9 - c20*c23 + c20*c26 + c28 - c33*c60 - c40*c65 + c40*c70 - c41*c65 - c41*c69 + c41 - c54*c74 + c59*c74 + c72 + c77
        out[19] = c47 + c78
        out[20] = -c49 + c54 - c59 + c67
        out[21] = out[38] = c80
        out[22] = -c82
        out[23] = c83 + c84
        out[24] = c86
        out[25] = -c84 - c87
        out[26] = -c81
        out[28] = out[61] = out[65] = -c18
        out[29] = out[42] = out[72] = out[76] = c0
        out[30] = out[63] = out[118] = n_twist
        out[31] = n_curvature_2*r_xx_z*c14 + 2.0*n_curvature_2*r_xx_z + 2.0*n_curvature_3*r_xx_x*w2_x - c14*c4 - c2 - c4 - c71
        out[33] = n_twist*c17 + n_twist - c49 - c59 - c66
        out[34] = -n_curvature_3*w2_x - c78
        out[35] = -c86
        out[36] = c87
        out[37] = c81 + c90
        out[39] = -c82 - c90
        out[40] = c83
        out[41] = out[71] = out[98] = out[105] = out[124] = -n_twist
        out[43] = c18
        out[64] = -c37
        out[73] = c35
        out[83] = c11
        out[91] = out[95] = out[121] = c92
        out[92] = out[103] = -c93
        out[94] = out[116] = c93
        out[100] = out[115] = c95
        out[102] = -c95
        out[109] = -c15
