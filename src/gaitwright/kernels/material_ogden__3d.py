"""Printed by gaitwright.derive from gaitwright.physics.materials.ogden. Do not edit."""

from math import exp, expm1, log1p, sqrt

# Copied from derive/scratch.py, because kernels import nothing of ours.
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload, register_jitable

inlined = register_jitable(forceinline=True)


def scratch(size):
    """Room for a few numbers: on the stack, a list in plain Python. The compiler knows that no other array lies there,
    so that it may compute several elements at once."""
    return [0.0] * size


@intrinsic
def on_stack(typing, size):
    def codegen(context, builder, signature, arguments):
        with builder.goto_entry_block():
            room = builder.alloca(ir.ArrayType(ir.DoubleType(), size.literal_value))
        return builder.bitcast(room, ir.DoubleType().as_pointer())

    # None makes Numba try again with the value of the size in place of its type.
    known = isinstance(size, types.IntegerLiteral)
    return (types.CPointer(types.float64)(size), codegen) if known else None


@overload(scratch, prefer_literal=True, inline="always")
def compiled_scratch(size):
    known = isinstance(size, types.IntegerLiteral)
    return (lambda size: on_stack(size)) if known else None  # pyright: ignore[reportCallIssue]


# Copied from derive/spectral.py, because kernels import nothing of ours.
@register_jitable
def stretches(d, given, first, out):
    """Principal stretches of F = I + H, H = given[first : first + d d] row by row: x - 1 of the eigenvalues x of C = F^T F,
    log x, the eigenvectors n, in columns, and F n.

    By Jacobi's rotations, which are exact to rounding where eigenvalues are equal."""
    m = scratch(9)  # C - I = H + H^T + H^T H, made diagonal
    n = scratch(9)
    for i in range(d):
        for j in range(d):
            total = given[first + d * i + j] + given[first + d * j + i]
            for k in range(d):
                total += given[first + d * k + i] * given[first + d * k + j]
            m[d * i + j] = total
            n[d * i + j] = 1.0 if i == j else 0.0
    for _sweep in range(60):
        off, on = 0.0, 0.0
        for i in range(d):
            on += abs(m[d * i + i])
            for j in range(i):
                off += abs(m[d * i + j])
        if off <= 1e-40 * on:
            break
        for p in range(d):
            for q in range(p + 1, d):
                between = m[d * p + q]
                if between != 0.0:
                    tau = (m[d * q + q] - m[d * p + p]) / (2.0 * between)
                    t = (1.0 if tau >= 0.0 else -1.0) / (abs(tau) + sqrt(1.0 + tau * tau))
                    c = 1.0 / sqrt(1.0 + t * t)
                    s = t * c
                    m[d * p + p] -= t * between
                    m[d * q + q] += t * between
                    m[d * p + q] = m[d * q + p] = 0.0
                    for r in range(d):
                        if r != p and r != q:
                            x, y = m[d * r + p], m[d * r + q]
                            m[d * r + p] = m[d * p + r] = c * x - s * y
                            m[d * r + q] = m[d * q + r] = s * x + c * y
                        x, y = n[d * r + p], n[d * r + q]
                        n[d * r + p] = c * x - s * y
                        n[d * r + q] = s * x + c * y
    for a in range(d):
        out[a] = m[d * a + a]
        out[3 + a] = log1p(m[d * a + a])
    for i in range(d):
        for a in range(d):
            total = n[d * i + a]
            for k in range(d):
                total += given[first + d * i + k] * n[d * k + a]
            out[6 + d * i + a] = n[d * i + a]
            out[15 + d * i + a] = total
    return out


@register_jitable
def power_sum(d, order, alpha, eigen, out):
    """Sum of lambda_i^alpha - 1 over the d principal stretches, from what `stretches` found.

    out: the sum; with order 1 also its derivatives in H, with order 2 also the second ones, one triangle row by row, from

        (x^g - y^g) / (x - y) = y^(g - 1) ((1 + r)^g - 1) / r        r = (x - y) / y

    which is smooth where eigenvalues are equal: expm1 and log1p keep its digits for every r."""
    beta = alpha / 2.0
    gamma = beta - 1.0
    value = 0.0
    for a in range(d):
        value += expm1(beta * eigen[3 + a])
    out[0] = value
    if order > 0:
        slope = scratch(9)  # f'(C) with f(x) = x^beta
        single = scratch(3)  # its eigenvalues
        for a in range(d):
            single[a] = beta * exp(gamma * eigen[3 + a])
        for i in range(d):
            for j in range(d):
                total, straight = 0.0, 0.0
                for a in range(d):
                    total += single[a] * eigen[15 + d * i + a] * eigen[6 + d * j + a]
                    straight += single[a] * eigen[6 + d * i + a] * eigen[6 + d * j + a]
                out[1 + d * i + j] = 2.0 * total
                slope[d * i + j] = straight
    if order > 1:
        size = d * d
        place = 1 + size
        for i in range(size):
            for j in range(i, size):
                out[place] = 2.0 * slope[d * (i % d) + j % d] if i // d == j // d else 0.0
                place += 1
        pair = scratch(9)
        for a in range(d):
            for b in range(a, d):
                y = 1.0 + eigen[b]
                r = (eigen[a] - eigen[b]) / y
                ratio = gamma if r == 0.0 else expm1(gamma * log1p(r)) / r
                weight = (1.0 if a == b else 2.0) * beta * exp((gamma - 1.0) * eigen[3 + b]) * ratio
                for i in range(d):
                    for j in range(d):
                        pair[d * i + j] = eigen[15 + d * i + b] * eigen[6 + d * j + a]
                        pair[d * i + j] += eigen[15 + d * i + a] * eigen[6 + d * j + b]
                place = 1 + size
                for i in range(size):
                    scaled = weight * pair[i]
                    for j in range(i, size):
                        out[place] += scaled * pair[j]
                        place += 1
    return out


KIND = "material"
N_PAR, LINEAR = 7, False


def energy(count, par, given, out):
    for e in range(count):
        h11 = given[9 * e + 0]
        h12 = given[9 * e + 1]
        h13 = given[9 * e + 2]
        h21 = given[9 * e + 3]
        h22 = given[9 * e + 4]
        h23 = given[9 * e + 5]
        h31 = given[9 * e + 6]
        h32 = given[9 * e + 7]
        h33 = given[9 * e + 8]
        mu_1 = par[7 * e + 0]
        alpha_1 = par[7 * e + 1]
        mu_2 = par[7 * e + 2]
        alpha_2 = par[7 * e + 3]
        mu_3 = par[7 * e + 4]
        alpha_3 = par[7 * e + 5]
        bulk_modulus = par[7 * e + 6]
        eigen = stretches(3, given, 9 * e, scratch(24))
        room0 = power_sum(3, 2, alpha_1, eigen, scratch(55))
        s0 = room0[0]
        room1 = power_sum(3, 2, alpha_2, eigen, scratch(55))
        s1 = room1[0]
        room2 = power_sum(3, 2, alpha_3, eigen, scratch(55))
        s2 = room2[0]
        c0 = h22*h33 - h23*h32
        j = h11*h22 + h11*h33 + h11*c0 + h11 - h12*h21 - h12*(h21*h33 - h23*h31) - h13*h31 + h13*(h21*h32 - h22*h31) + h22 + h33 + c0
        c1 = expm1((-1.0 / 3.0*alpha_1) * log1p(j))
        c2 = expm1((-1.0 / 3.0*alpha_2) * log1p(j))
        c3 = expm1((-1.0 / 3.0*alpha_3) * log1p(j))
        c4 = alpha_1
        c5 = (1.0 / (c4))
        c6 = alpha_2
        c7 = (1.0 / (c6))
        c8 = alpha_3
        c9 = (1.0 / (c8))
        c10 = j + 1.0
        w = (0.5)*bulk_modulus*((j) * (j)) + (mu_1*c5*(3.0*c1*(c10) ** ((1.0 / 3.0)*c4) + s0)) / ((c10) ** ((1.0 / 3.0)*c4)) + (mu_2*c7*(3.0*(c10) ** ((1.0 / 3.0)*c6)*c2 + s1)) / ((c10) ** ((1.0 / 3.0)*c6)) + (mu_3*c9*(3.0*(c10) ** ((1.0 / 3.0)*c8)*c3 + s2)) / ((c10) ** ((1.0 / 3.0)*c8))
        out[1 * e + 0] = w


def stress(count, par, given, out):
    for e in range(count):
        h11 = given[9 * e + 0]
        h12 = given[9 * e + 1]
        h13 = given[9 * e + 2]
        h21 = given[9 * e + 3]
        h22 = given[9 * e + 4]
        h23 = given[9 * e + 5]
        h31 = given[9 * e + 6]
        h32 = given[9 * e + 7]
        h33 = given[9 * e + 8]
        mu_1 = par[7 * e + 0]
        alpha_1 = par[7 * e + 1]
        mu_2 = par[7 * e + 2]
        alpha_2 = par[7 * e + 3]
        mu_3 = par[7 * e + 4]
        alpha_3 = par[7 * e + 5]
        bulk_modulus = par[7 * e + 6]
        eigen = stretches(3, given, 9 * e, scratch(24))
        room0 = power_sum(3, 2, alpha_1, eigen, scratch(55))
        s0 = room0[0]
        s0_0 = room0[1]
        s0_1 = room0[2]
        s0_2 = room0[3]
        s0_3 = room0[4]
        s0_4 = room0[5]
        s0_5 = room0[6]
        s0_6 = room0[7]
        s0_7 = room0[8]
        s0_8 = room0[9]
        room1 = power_sum(3, 2, alpha_2, eigen, scratch(55))
        s1 = room1[0]
        s1_0 = room1[1]
        s1_1 = room1[2]
        s1_2 = room1[3]
        s1_3 = room1[4]
        s1_4 = room1[5]
        s1_5 = room1[6]
        s1_6 = room1[7]
        s1_7 = room1[8]
        s1_8 = room1[9]
        room2 = power_sum(3, 2, alpha_3, eigen, scratch(55))
        s2 = room2[0]
        s2_0 = room2[1]
        s2_1 = room2[2]
        s2_2 = room2[3]
        s2_3 = room2[4]
        s2_4 = room2[5]
        s2_5 = room2[6]
        s2_6 = room2[7]
        s2_7 = room2[8]
        s2_8 = room2[9]
        c0 = h22*h33 - h23*h32
        j = h11*h22 + h11*h33 + h11*c0 + h11 - h12*h21 - h12*(h21*h33 - h23*h31) - h13*h31 + h13*(h21*h32 - h22*h31) + h22 + h33 + c0
        c1 = h33 + 1.0
        j_0 = h22*h33 + h22 - h23*h32 + c1
        j_1 = -h21*h33 - h21 + h23*h31
        j_2 = h21*h32 - h22*h31 - h31
        j_3 = -h12*h33 - h12 + h13*h32
        j_4 = h11*h33 + h11 - h13*h31 + c1
        j_5 = -h11*h32 + h12*h31 - h32
        j_6 = h12*h23 - h13*h22 - h13
        j_7 = -h11*h23 + h13*h21 - h23
        j_8 = h11*h22 + h11 - h12*h21 + h22 + 1.0
        c2 = alpha_1
        c3 = (1.0 / (c2))
        c4 = alpha_2
        c5 = (1.0 / (c4))
        c6 = alpha_3
        c7 = (1.0 / (c6))
        c8 = j + 1.0
        c9 = (1.0 / (c8))
        c10 = (1.0 / 3.0)*c2
        c11 = (c8) ** (-c10)
        c12 = c11*c9
        c13 = mu_1*c3
        c14 = (1.0 / 3.0)*c4
        c15 = (c8) ** (-c14)
        c16 = c15*c9
        c17 = mu_2*c5
        c18 = (1.0 / 3.0)*c6
        c19 = (c8) ** (-c18)
        c20 = c19*c9
        c21 = mu_3*c7
        w_j = bulk_modulus*j + c13*(-c10*c12*s0 - c12*c2) + c17*(-c14*c16*s1 - c16*c4) + c21*(-c18*c20*s2 - c20*c6)
        w_s0 = c11*c13
        w_s1 = c15*c17
        w_s2 = c19*c21
        out[9 * e + 0] = j_0*w_j + s0_0*w_s0 + s1_0*w_s1 + s2_0*w_s2
        out[9 * e + 1] = j_1*w_j + s0_1*w_s0 + s1_1*w_s1 + s2_1*w_s2
        out[9 * e + 2] = j_2*w_j + s0_2*w_s0 + s1_2*w_s1 + s2_2*w_s2
        out[9 * e + 3] = j_3*w_j + s0_3*w_s0 + s1_3*w_s1 + s2_3*w_s2
        out[9 * e + 4] = j_4*w_j + s0_4*w_s0 + s1_4*w_s1 + s2_4*w_s2
        out[9 * e + 5] = j_5*w_j + s0_5*w_s0 + s1_5*w_s1 + s2_5*w_s2
        out[9 * e + 6] = j_6*w_j + s0_6*w_s0 + s1_6*w_s1 + s2_6*w_s2
        out[9 * e + 7] = j_7*w_j + s0_7*w_s0 + s1_7*w_s1 + s2_7*w_s2
        out[9 * e + 8] = j_8*w_j + s0_8*w_s0 + s1_8*w_s1 + s2_8*w_s2


def tangent(count, par, given, out):
    for e in range(count):
        h11 = given[9 * e + 0]
        h12 = given[9 * e + 1]
        h13 = given[9 * e + 2]
        h21 = given[9 * e + 3]
        h22 = given[9 * e + 4]
        h23 = given[9 * e + 5]
        h31 = given[9 * e + 6]
        h32 = given[9 * e + 7]
        h33 = given[9 * e + 8]
        mu_1 = par[7 * e + 0]
        alpha_1 = par[7 * e + 1]
        mu_2 = par[7 * e + 2]
        alpha_2 = par[7 * e + 3]
        mu_3 = par[7 * e + 4]
        alpha_3 = par[7 * e + 5]
        bulk_modulus = par[7 * e + 6]
        eigen = stretches(3, given, 9 * e, scratch(24))
        room0 = power_sum(3, 2, alpha_1, eigen, scratch(55))
        s0 = room0[0]
        s0_0 = room0[1]
        s0_1 = room0[2]
        s0_2 = room0[3]
        s0_3 = room0[4]
        s0_4 = room0[5]
        s0_5 = room0[6]
        s0_6 = room0[7]
        s0_7 = room0[8]
        s0_8 = room0[9]
        s0_0_0 = room0[10]
        s0_0_1 = room0[11]
        s0_0_2 = room0[12]
        s0_0_3 = room0[13]
        s0_0_4 = room0[14]
        s0_0_5 = room0[15]
        s0_0_6 = room0[16]
        s0_0_7 = room0[17]
        s0_0_8 = room0[18]
        s0_1_1 = room0[19]
        s0_1_2 = room0[20]
        s0_1_3 = room0[21]
        s0_1_4 = room0[22]
        s0_1_5 = room0[23]
        s0_1_6 = room0[24]
        s0_1_7 = room0[25]
        s0_1_8 = room0[26]
        s0_2_2 = room0[27]
        s0_2_3 = room0[28]
        s0_2_4 = room0[29]
        s0_2_5 = room0[30]
        s0_2_6 = room0[31]
        s0_2_7 = room0[32]
        s0_2_8 = room0[33]
        s0_3_3 = room0[34]
        s0_3_4 = room0[35]
        s0_3_5 = room0[36]
        s0_3_6 = room0[37]
        s0_3_7 = room0[38]
        s0_3_8 = room0[39]
        s0_4_4 = room0[40]
        s0_4_5 = room0[41]
        s0_4_6 = room0[42]
        s0_4_7 = room0[43]
        s0_4_8 = room0[44]
        s0_5_5 = room0[45]
        s0_5_6 = room0[46]
        s0_5_7 = room0[47]
        s0_5_8 = room0[48]
        s0_6_6 = room0[49]
        s0_6_7 = room0[50]
        s0_6_8 = room0[51]
        s0_7_7 = room0[52]
        s0_7_8 = room0[53]
        s0_8_8 = room0[54]
        room1 = power_sum(3, 2, alpha_2, eigen, scratch(55))
        s1 = room1[0]
        s1_0 = room1[1]
        s1_1 = room1[2]
        s1_2 = room1[3]
        s1_3 = room1[4]
        s1_4 = room1[5]
        s1_5 = room1[6]
        s1_6 = room1[7]
        s1_7 = room1[8]
        s1_8 = room1[9]
        s1_0_0 = room1[10]
        s1_0_1 = room1[11]
        s1_0_2 = room1[12]
        s1_0_3 = room1[13]
        s1_0_4 = room1[14]
        s1_0_5 = room1[15]
        s1_0_6 = room1[16]
        s1_0_7 = room1[17]
        s1_0_8 = room1[18]
        s1_1_1 = room1[19]
        s1_1_2 = room1[20]
        s1_1_3 = room1[21]
        s1_1_4 = room1[22]
        s1_1_5 = room1[23]
        s1_1_6 = room1[24]
        s1_1_7 = room1[25]
        s1_1_8 = room1[26]
        s1_2_2 = room1[27]
        s1_2_3 = room1[28]
        s1_2_4 = room1[29]
        s1_2_5 = room1[30]
        s1_2_6 = room1[31]
        s1_2_7 = room1[32]
        s1_2_8 = room1[33]
        s1_3_3 = room1[34]
        s1_3_4 = room1[35]
        s1_3_5 = room1[36]
        s1_3_6 = room1[37]
        s1_3_7 = room1[38]
        s1_3_8 = room1[39]
        s1_4_4 = room1[40]
        s1_4_5 = room1[41]
        s1_4_6 = room1[42]
        s1_4_7 = room1[43]
        s1_4_8 = room1[44]
        s1_5_5 = room1[45]
        s1_5_6 = room1[46]
        s1_5_7 = room1[47]
        s1_5_8 = room1[48]
        s1_6_6 = room1[49]
        s1_6_7 = room1[50]
        s1_6_8 = room1[51]
        s1_7_7 = room1[52]
        s1_7_8 = room1[53]
        s1_8_8 = room1[54]
        room2 = power_sum(3, 2, alpha_3, eigen, scratch(55))
        s2 = room2[0]
        s2_0 = room2[1]
        s2_1 = room2[2]
        s2_2 = room2[3]
        s2_3 = room2[4]
        s2_4 = room2[5]
        s2_5 = room2[6]
        s2_6 = room2[7]
        s2_7 = room2[8]
        s2_8 = room2[9]
        s2_0_0 = room2[10]
        s2_0_1 = room2[11]
        s2_0_2 = room2[12]
        s2_0_3 = room2[13]
        s2_0_4 = room2[14]
        s2_0_5 = room2[15]
        s2_0_6 = room2[16]
        s2_0_7 = room2[17]
        s2_0_8 = room2[18]
        s2_1_1 = room2[19]
        s2_1_2 = room2[20]
        s2_1_3 = room2[21]
        s2_1_4 = room2[22]
        s2_1_5 = room2[23]
        s2_1_6 = room2[24]
        s2_1_7 = room2[25]
        s2_1_8 = room2[26]
        s2_2_2 = room2[27]
        s2_2_3 = room2[28]
        s2_2_4 = room2[29]
        s2_2_5 = room2[30]
        s2_2_6 = room2[31]
        s2_2_7 = room2[32]
        s2_2_8 = room2[33]
        s2_3_3 = room2[34]
        s2_3_4 = room2[35]
        s2_3_5 = room2[36]
        s2_3_6 = room2[37]
        s2_3_7 = room2[38]
        s2_3_8 = room2[39]
        s2_4_4 = room2[40]
        s2_4_5 = room2[41]
        s2_4_6 = room2[42]
        s2_4_7 = room2[43]
        s2_4_8 = room2[44]
        s2_5_5 = room2[45]
        s2_5_6 = room2[46]
        s2_5_7 = room2[47]
        s2_5_8 = room2[48]
        s2_6_6 = room2[49]
        s2_6_7 = room2[50]
        s2_6_8 = room2[51]
        s2_7_7 = room2[52]
        s2_7_8 = room2[53]
        s2_8_8 = room2[54]
        c0 = h22*h33 - h23*h32
        j = h11*h22 + h11*h33 + h11*c0 + h11 - h12*h21 - h12*(h21*h33 - h23*h31) - h13*h31 + h13*(h21*h32 - h22*h31) + h22 + h33 + c0
        c1 = h33 + 1.0
        j_0 = h22*h33 + h22 - h23*h32 + c1
        j_1 = -h21*h33 - h21 + h23*h31
        j_2 = h21*h32 - h22*h31 - h31
        j_3 = -h12*h33 - h12 + h13*h32
        j_4 = h11*h33 + h11 - h13*h31 + c1
        j_5 = -h11*h32 + h12*h31 - h32
        j_6 = h12*h23 - h13*h22 - h13
        j_7 = -h11*h23 + h13*h21 - h23
        j_8 = h11*h22 + h11 - h12*h21 + h22 + 1.0
        c2 = alpha_1
        c3 = (1.0 / (c2))
        c4 = alpha_2
        c5 = (1.0 / (c4))
        c6 = alpha_3
        c7 = (1.0 / (c6))
        c8 = j + 1.0
        c9 = (1.0 / (c8))
        c10 = (1.0 / 3.0)*c2
        c11 = (c8) ** (-c10)
        c12 = c11*c2
        c13 = c10*c11*s0
        c14 = mu_1*c3
        c15 = (1.0 / 3.0)*c4
        c16 = (c8) ** (-c15)
        c17 = c16*c4
        c18 = c15*c16*s1
        c19 = mu_2*c5
        c20 = (1.0 / 3.0)*c6
        c21 = (c8) ** (-c20)
        c22 = c21*c6
        c23 = c20*c21*s2
        c24 = mu_3*c7
        c25 = ((c9) * (c9))
        c26 = (1.0 / 3.0)*c25
        c27 = c11*((c2) * (c2))
        c28 = (1.0 / 9.0)*c25
        c29 = c16*((c4) * (c4))
        c30 = c21*((c6) * (c6))
        c31 = (1.0 / 3.0)*c9
        w_j = bulk_modulus*j + c14*(-c12*c9 - c13*c9) + c19*(-c17*c9 - c18*c9) + c24*(-c22*c9 - c23*c9)
        w_s0 = c11*c14
        w_s1 = c16*c19
        w_s2 = c21*c24
        w_j_j = bulk_modulus + c14*(c12*c25 + c13*c25 + c26*c27 + c27*c28*s0) + c19*(c17*c25 + c18*c25 + c26*c29 + c28*c29*s1) + c24*(c22*c25 + c23*c25 + c26*c30 + c28*c30*s2)
        w_j_s0 = -mu_1*c11*c31
        w_j_s1 = -mu_2*c16*c31
        w_j_s2 = -mu_3*c21*c31
        c32 = 2.0*j_0
        c33 = j_0*w_j_j
        c34 = w_j*(h33 + 1.0)
        c35 = h32*w_j
        c36 = h23*w_j
        c37 = w_j*(h22 + 1.0)
        c38 = 2.0*j_1
        c39 = j_1*w_j_j
        c40 = h31*w_j
        c41 = h21*w_j
        c42 = 2.0*j_2
        c43 = j_2*w_j_j
        c44 = 2.0*j_3
        c45 = j_3*w_j_j
        c46 = h13*w_j
        c47 = h12*w_j
        c48 = 2.0*j_4
        c49 = j_4*w_j_j
        c50 = w_j*(h11 + 1.0)
        c51 = 2.0*j_5
        c52 = j_5*w_j_j
        c53 = 2.0*j_6
        c54 = j_6*w_j_j
        c55 = 2.0*j_7
        c56 = 2.0*j_8
        out[45 * e + 0] = c32*s0_0*w_j_s0 + c32*s1_0*w_j_s1 + c32*s2_0*w_j_s2 + ((j_0) * (j_0))*w_j_j + s0_0_0*w_s0 + s1_0_0*w_s1 + s2_0_0*w_s2
        out[45 * e + 1] = c33*j_1 + s0_0_1*w_s0 + s1_0_1*w_s1 + s2_0_1*w_s2 + w_j_s0*(j_0*s0_1 + j_1*s0_0) + w_j_s1*(j_0*s1_1 + j_1*s1_0) + w_j_s2*(j_0*s2_1 + j_1*s2_0)
        out[45 * e + 2] = c33*j_2 + s0_0_2*w_s0 + s1_0_2*w_s1 + s2_0_2*w_s2 + w_j_s0*(j_0*s0_2 + j_2*s0_0) + w_j_s1*(j_0*s1_2 + j_2*s1_0) + w_j_s2*(j_0*s2_2 + j_2*s2_0)
        out[45 * e + 3] = c33*j_3 + s0_0_3*w_s0 + s1_0_3*w_s1 + s2_0_3*w_s2 + w_j_s0*(j_0*s0_3 + j_3*s0_0) + w_j_s1*(j_0*s1_3 + j_3*s1_0) + w_j_s2*(j_0*s2_3 + j_3*s2_0)
        out[45 * e + 4] = c33*j_4 + c34 + s0_0_4*w_s0 + s1_0_4*w_s1 + s2_0_4*w_s2 + w_j_s0*(j_0*s0_4 + j_4*s0_0) + w_j_s1*(j_0*s1_4 + j_4*s1_0) + w_j_s2*(j_0*s2_4 + j_4*s2_0)
        out[45 * e + 5] = c33*j_5 - c35 + s0_0_5*w_s0 + s1_0_5*w_s1 + s2_0_5*w_s2 + w_j_s0*(j_0*s0_5 + j_5*s0_0) + w_j_s1*(j_0*s1_5 + j_5*s1_0) + w_j_s2*(j_0*s2_5 + j_5*s2_0)
        out[45 * e + 6] = c33*j_6 + s0_0_6*w_s0 + s1_0_6*w_s1 + s2_0_6*w_s2 + w_j_s0*(j_0*s0_6 + j_6*s0_0) + w_j_s1*(j_0*s1_6 + j_6*s1_0) + w_j_s2*(j_0*s2_6 + j_6*s2_0)
        out[45 * e + 7] = c33*j_7 - c36 + s0_0_7*w_s0 + s1_0_7*w_s1 + s2_0_7*w_s2 + w_j_s0*(j_0*s0_7 + j_7*s0_0) + w_j_s1*(j_0*s1_7 + j_7*s1_0) + w_j_s2*(j_0*s2_7 + j_7*s2_0)
        out[45 * e + 8] = c33*j_8 + c37 + s0_0_8*w_s0 + s1_0_8*w_s1 + s2_0_8*w_s2 + w_j_s0*(j_0*s0_8 + j_8*s0_0) + w_j_s1*(j_0*s1_8 + j_8*s1_0) + w_j_s2*(j_0*s2_8 + j_8*s2_0)
        out[45 * e + 9] = c38*s0_1*w_j_s0 + c38*s1_1*w_j_s1 + c38*s2_1*w_j_s2 + ((j_1) * (j_1))*w_j_j + s0_1_1*w_s0 + s1_1_1*w_s1 + s2_1_1*w_s2
        out[45 * e + 10] = c39*j_2 + s0_1_2*w_s0 + s1_1_2*w_s1 + s2_1_2*w_s2 + w_j_s0*(j_1*s0_2 + j_2*s0_1) + w_j_s1*(j_1*s1_2 + j_2*s1_1) + w_j_s2*(j_1*s2_2 + j_2*s2_1)
        out[45 * e + 11] = -c34 + c39*j_3 + s0_1_3*w_s0 + s1_1_3*w_s1 + s2_1_3*w_s2 + w_j_s0*(j_1*s0_3 + j_3*s0_1) + w_j_s1*(j_1*s1_3 + j_3*s1_1) + w_j_s2*(j_1*s2_3 + j_3*s2_1)
        out[45 * e + 12] = c39*j_4 + s0_1_4*w_s0 + s1_1_4*w_s1 + s2_1_4*w_s2 + w_j_s0*(j_1*s0_4 + j_4*s0_1) + w_j_s1*(j_1*s1_4 + j_4*s1_1) + w_j_s2*(j_1*s2_4 + j_4*s2_1)
        out[45 * e + 13] = c39*j_5 + c40 + s0_1_5*w_s0 + s1_1_5*w_s1 + s2_1_5*w_s2 + w_j_s0*(j_1*s0_5 + j_5*s0_1) + w_j_s1*(j_1*s1_5 + j_5*s1_1) + w_j_s2*(j_1*s2_5 + j_5*s2_1)
        out[45 * e + 14] = c36 + c39*j_6 + s0_1_6*w_s0 + s1_1_6*w_s1 + s2_1_6*w_s2 + w_j_s0*(j_1*s0_6 + j_6*s0_1) + w_j_s1*(j_1*s1_6 + j_6*s1_1) + w_j_s2*(j_1*s2_6 + j_6*s2_1)
        out[45 * e + 15] = c39*j_7 + s0_1_7*w_s0 + s1_1_7*w_s1 + s2_1_7*w_s2 + w_j_s0*(j_1*s0_7 + j_7*s0_1) + w_j_s1*(j_1*s1_7 + j_7*s1_1) + w_j_s2*(j_1*s2_7 + j_7*s2_1)
        out[45 * e + 16] = c39*j_8 - c41 + s0_1_8*w_s0 + s1_1_8*w_s1 + s2_1_8*w_s2 + w_j_s0*(j_1*s0_8 + j_8*s0_1) + w_j_s1*(j_1*s1_8 + j_8*s1_1) + w_j_s2*(j_1*s2_8 + j_8*s2_1)
        out[45 * e + 17] = c42*s0_2*w_j_s0 + c42*s1_2*w_j_s1 + c42*s2_2*w_j_s2 + ((j_2) * (j_2))*w_j_j + s0_2_2*w_s0 + s1_2_2*w_s1 + s2_2_2*w_s2
        out[45 * e + 18] = c35 + c43*j_3 + s0_2_3*w_s0 + s1_2_3*w_s1 + s2_2_3*w_s2 + w_j_s0*(j_2*s0_3 + j_3*s0_2) + w_j_s1*(j_2*s1_3 + j_3*s1_2) + w_j_s2*(j_2*s2_3 + j_3*s2_2)
        out[45 * e + 19] = -c40 + c43*j_4 + s0_2_4*w_s0 + s1_2_4*w_s1 + s2_2_4*w_s2 + w_j_s0*(j_2*s0_4 + j_4*s0_2) + w_j_s1*(j_2*s1_4 + j_4*s1_2) + w_j_s2*(j_2*s2_4 + j_4*s2_2)
        out[45 * e + 20] = c43*j_5 + s0_2_5*w_s0 + s1_2_5*w_s1 + s2_2_5*w_s2 + w_j_s0*(j_2*s0_5 + j_5*s0_2) + w_j_s1*(j_2*s1_5 + j_5*s1_2) + w_j_s2*(j_2*s2_5 + j_5*s2_2)
        out[45 * e + 21] = -c37 + c43*j_6 + s0_2_6*w_s0 + s1_2_6*w_s1 + s2_2_6*w_s2 + w_j_s0*(j_2*s0_6 + j_6*s0_2) + w_j_s1*(j_2*s1_6 + j_6*s1_2) + w_j_s2*(j_2*s2_6 + j_6*s2_2)
        out[45 * e + 22] = c41 + c43*j_7 + s0_2_7*w_s0 + s1_2_7*w_s1 + s2_2_7*w_s2 + w_j_s0*(j_2*s0_7 + j_7*s0_2) + w_j_s1*(j_2*s1_7 + j_7*s1_2) + w_j_s2*(j_2*s2_7 + j_7*s2_2)
        out[45 * e + 23] = c43*j_8 + s0_2_8*w_s0 + s1_2_8*w_s1 + s2_2_8*w_s2 + w_j_s0*(j_2*s0_8 + j_8*s0_2) + w_j_s1*(j_2*s1_8 + j_8*s1_2) + w_j_s2*(j_2*s2_8 + j_8*s2_2)
        out[45 * e + 24] = c44*s0_3*w_j_s0 + c44*s1_3*w_j_s1 + c44*s2_3*w_j_s2 + ((j_3) * (j_3))*w_j_j + s0_3_3*w_s0 + s1_3_3*w_s1 + s2_3_3*w_s2
        out[45 * e + 25] = c45*j_4 + s0_3_4*w_s0 + s1_3_4*w_s1 + s2_3_4*w_s2 + w_j_s0*(j_3*s0_4 + j_4*s0_3) + w_j_s1*(j_3*s1_4 + j_4*s1_3) + w_j_s2*(j_3*s2_4 + j_4*s2_3)
        out[45 * e + 26] = c45*j_5 + s0_3_5*w_s0 + s1_3_5*w_s1 + s2_3_5*w_s2 + w_j_s0*(j_3*s0_5 + j_5*s0_3) + w_j_s1*(j_3*s1_5 + j_5*s1_3) + w_j_s2*(j_3*s2_5 + j_5*s2_3)
        out[45 * e + 27] = c45*j_6 + s0_3_6*w_s0 + s1_3_6*w_s1 + s2_3_6*w_s2 + w_j_s0*(j_3*s0_6 + j_6*s0_3) + w_j_s1*(j_3*s1_6 + j_6*s1_3) + w_j_s2*(j_3*s2_6 + j_6*s2_3)
        out[45 * e + 28] = c45*j_7 + c46 + s0_3_7*w_s0 + s1_3_7*w_s1 + s2_3_7*w_s2 + w_j_s0*(j_3*s0_7 + j_7*s0_3) + w_j_s1*(j_3*s1_7 + j_7*s1_3) + w_j_s2*(j_3*s2_7 + j_7*s2_3)
        out[45 * e + 29] = c45*j_8 - c47 + s0_3_8*w_s0 + s1_3_8*w_s1 + s2_3_8*w_s2 + w_j_s0*(j_3*s0_8 + j_8*s0_3) + w_j_s1*(j_3*s1_8 + j_8*s1_3) + w_j_s2*(j_3*s2_8 + j_8*s2_3)
        out[45 * e + 30] = c48*s0_4*w_j_s0 + c48*s1_4*w_j_s1 + c48*s2_4*w_j_s2 + ((j_4) * (j_4))*w_j_j + s0_4_4*w_s0 + s1_4_4*w_s1 + s2_4_4*w_s2
        out[45 * e + 31] = c49*j_5 + s0_4_5*w_s0 + s1_4_5*w_s1 + s2_4_5*w_s2 + w_j_s0*(j_4*s0_5 + j_5*s0_4) + w_j_s1*(j_4*s1_5 + j_5*s1_4) + w_j_s2*(j_4*s2_5 + j_5*s2_4)
        out[45 * e + 32] = -c46 + c49*j_6 + s0_4_6*w_s0 + s1_4_6*w_s1 + s2_4_6*w_s2 + w_j_s0*(j_4*s0_6 + j_6*s0_4) + w_j_s1*(j_4*s1_6 + j_6*s1_4) + w_j_s2*(j_4*s2_6 + j_6*s2_4)
        out[45 * e + 33] = c49*j_7 + s0_4_7*w_s0 + s1_4_7*w_s1 + s2_4_7*w_s2 + w_j_s0*(j_4*s0_7 + j_7*s0_4) + w_j_s1*(j_4*s1_7 + j_7*s1_4) + w_j_s2*(j_4*s2_7 + j_7*s2_4)
        out[45 * e + 34] = c49*j_8 + c50 + s0_4_8*w_s0 + s1_4_8*w_s1 + s2_4_8*w_s2 + w_j_s0*(j_4*s0_8 + j_8*s0_4) + w_j_s1*(j_4*s1_8 + j_8*s1_4) + w_j_s2*(j_4*s2_8 + j_8*s2_4)
        out[45 * e + 35] = c51*s0_5*w_j_s0 + c51*s1_5*w_j_s1 + c51*s2_5*w_j_s2 + ((j_5) * (j_5))*w_j_j + s0_5_5*w_s0 + s1_5_5*w_s1 + s2_5_5*w_s2
        out[45 * e + 36] = c47 + c52*j_6 + s0_5_6*w_s0 + s1_5_6*w_s1 + s2_5_6*w_s2 + w_j_s0*(j_5*s0_6 + j_6*s0_5) + w_j_s1*(j_5*s1_6 + j_6*s1_5) + w_j_s2*(j_5*s2_6 + j_6*s2_5)
        out[45 * e + 37] = -c50 + c52*j_7 + s0_5_7*w_s0 + s1_5_7*w_s1 + s2_5_7*w_s2 + w_j_s0*(j_5*s0_7 + j_7*s0_5) + w_j_s1*(j_5*s1_7 + j_7*s1_5) + w_j_s2*(j_5*s2_7 + j_7*s2_5)
        out[45 * e + 38] = c52*j_8 + s0_5_8*w_s0 + s1_5_8*w_s1 + s2_5_8*w_s2 + w_j_s0*(j_5*s0_8 + j_8*s0_5) + w_j_s1*(j_5*s1_8 + j_8*s1_5) + w_j_s2*(j_5*s2_8 + j_8*s2_5)
        out[45 * e + 39] = c53*s0_6*w_j_s0 + c53*s1_6*w_j_s1 + c53*s2_6*w_j_s2 + ((j_6) * (j_6))*w_j_j + s0_6_6*w_s0 + s1_6_6*w_s1 + s2_6_6*w_s2
        out[45 * e + 40] = c54*j_7 + s0_6_7*w_s0 + s1_6_7*w_s1 + s2_6_7*w_s2 + w_j_s0*(j_6*s0_7 + j_7*s0_6) + w_j_s1*(j_6*s1_7 + j_7*s1_6) + w_j_s2*(j_6*s2_7 + j_7*s2_6)
        out[45 * e + 41] = c54*j_8 + s0_6_8*w_s0 + s1_6_8*w_s1 + s2_6_8*w_s2 + w_j_s0*(j_6*s0_8 + j_8*s0_6) + w_j_s1*(j_6*s1_8 + j_8*s1_6) + w_j_s2*(j_6*s2_8 + j_8*s2_6)
        out[45 * e + 42] = c55*s0_7*w_j_s0 + c55*s1_7*w_j_s1 + c55*s2_7*w_j_s2 + ((j_7) * (j_7))*w_j_j + s0_7_7*w_s0 + s1_7_7*w_s1 + s2_7_7*w_s2
        out[45 * e + 43] = j_7*j_8*w_j_j + s0_7_8*w_s0 + s1_7_8*w_s1 + s2_7_8*w_s2 + w_j_s0*(j_7*s0_8 + j_8*s0_7) + w_j_s1*(j_7*s1_8 + j_8*s1_7) + w_j_s2*(j_7*s2_8 + j_8*s2_7)
        out[45 * e + 44] = c56*s0_8*w_j_s0 + c56*s1_8*w_j_s1 + c56*s2_8*w_j_s2 + ((j_8) * (j_8))*w_j_j + s0_8_8*w_s0 + s1_8_8*w_s1 + s2_8_8*w_s2


def mean_energy(count, par, given, out):
    for e in range(count):
        h11 = given[10 * e + 0]
        h12 = given[10 * e + 1]
        h13 = given[10 * e + 2]
        h21 = given[10 * e + 3]
        h22 = given[10 * e + 4]
        h23 = given[10 * e + 5]
        h31 = given[10 * e + 6]
        h32 = given[10 * e + 7]
        h33 = given[10 * e + 8]
        t = given[10 * e + 9]
        mu_1 = par[7 * e + 0]
        alpha_1 = par[7 * e + 1]
        mu_2 = par[7 * e + 2]
        alpha_2 = par[7 * e + 3]
        mu_3 = par[7 * e + 4]
        alpha_3 = par[7 * e + 5]
        bulk_modulus = par[7 * e + 6]
        eigen = stretches(3, given, 10 * e, scratch(24))
        room0 = power_sum(3, 2, alpha_1, eigen, scratch(55))
        s0 = room0[0]
        room1 = power_sum(3, 2, alpha_2, eigen, scratch(55))
        s1 = room1[0]
        room2 = power_sum(3, 2, alpha_3, eigen, scratch(55))
        s2 = room2[0]
        c0 = h22*h33 - h23*h32
        j = h11*h22 + h11*h33 + h11*c0 + h11 - h12*h21 - h12*(h21*h33 - h23*h31) - h13*h31 + h13*(h21*h32 - h22*h31) + h22 + h33 + c0
        c1 = expm1((-1.0 / 3.0*alpha_1) * log1p(t))
        c2 = expm1((-1.0 / 3.0*alpha_2) * log1p(t))
        c3 = expm1((-1.0 / 3.0*alpha_3) * log1p(t))
        c4 = alpha_1
        c5 = (1.0 / (c4))
        c6 = alpha_2
        c7 = (1.0 / (c6))
        c8 = alpha_3
        c9 = (1.0 / (c8))
        c10 = t + 1.0
        c11 = (1.0 / 3.0)*c4
        c12 = (c10) ** (c11)
        c13 = j + 1.0
        c14 = (1.0 / 3.0)*c6
        c15 = (c10) ** (c14)
        c16 = (1.0 / 3.0)*c8
        c17 = (c10) ** (c16)
        w = (0.5)*bulk_modulus*((t) * (t)) + (mu_1*c5*(3.0*c1*c12*(c13) ** (c11) + c12*(s0 + 3.0) - 3.0*(c13) ** (c11))) / (c12*(c13) ** (c11)) + (mu_2*c7*(3.0*(c13) ** (c14)*c15*c2 - 3.0*(c13) ** (c14) + c15*(s1 + 3.0))) / ((c13) ** (c14)*c15) + (mu_3*c9*(3.0*(c13) ** (c16)*c17*c3 - 3.0*(c13) ** (c16) + c17*(s2 + 3.0))) / ((c13) ** (c16)*c17)
        out[1 * e + 0] = w


def mean_stress(count, par, given, out):
    for e in range(count):
        h11 = given[10 * e + 0]
        h12 = given[10 * e + 1]
        h13 = given[10 * e + 2]
        h21 = given[10 * e + 3]
        h22 = given[10 * e + 4]
        h23 = given[10 * e + 5]
        h31 = given[10 * e + 6]
        h32 = given[10 * e + 7]
        h33 = given[10 * e + 8]
        t = given[10 * e + 9]
        mu_1 = par[7 * e + 0]
        alpha_1 = par[7 * e + 1]
        mu_2 = par[7 * e + 2]
        alpha_2 = par[7 * e + 3]
        mu_3 = par[7 * e + 4]
        alpha_3 = par[7 * e + 5]
        bulk_modulus = par[7 * e + 6]
        eigen = stretches(3, given, 10 * e, scratch(24))
        room0 = power_sum(3, 2, alpha_1, eigen, scratch(55))
        s0 = room0[0]
        s0_0 = room0[1]
        s0_1 = room0[2]
        s0_2 = room0[3]
        s0_3 = room0[4]
        s0_4 = room0[5]
        s0_5 = room0[6]
        s0_6 = room0[7]
        s0_7 = room0[8]
        s0_8 = room0[9]
        room1 = power_sum(3, 2, alpha_2, eigen, scratch(55))
        s1 = room1[0]
        s1_0 = room1[1]
        s1_1 = room1[2]
        s1_2 = room1[3]
        s1_3 = room1[4]
        s1_4 = room1[5]
        s1_5 = room1[6]
        s1_6 = room1[7]
        s1_7 = room1[8]
        s1_8 = room1[9]
        room2 = power_sum(3, 2, alpha_3, eigen, scratch(55))
        s2 = room2[0]
        s2_0 = room2[1]
        s2_1 = room2[2]
        s2_2 = room2[3]
        s2_3 = room2[4]
        s2_4 = room2[5]
        s2_5 = room2[6]
        s2_6 = room2[7]
        s2_7 = room2[8]
        s2_8 = room2[9]
        c0 = h22*h33 - h23*h32
        j = h11*h22 + h11*h33 + h11*c0 + h11 - h12*h21 - h12*(h21*h33 - h23*h31) - h13*h31 + h13*(h21*h32 - h22*h31) + h22 + h33 + c0
        c1 = h33 + 1.0
        j_0 = h22*h33 + h22 - h23*h32 + c1
        j_1 = -h21*h33 - h21 + h23*h31
        j_2 = h21*h32 - h22*h31 - h31
        j_3 = -h12*h33 - h12 + h13*h32
        j_4 = h11*h33 + h11 - h13*h31 + c1
        j_5 = -h11*h32 + h12*h31 - h32
        j_6 = h12*h23 - h13*h22 - h13
        j_7 = -h11*h23 + h13*h21 - h23
        j_8 = h11*h22 + h11 - h12*h21 + h22 + 1.0
        c2 = alpha_1
        c3 = (1.0 / (c2))
        c4 = alpha_2
        c5 = (1.0 / (c4))
        c6 = alpha_3
        c7 = (1.0 / (c6))
        c8 = j + 1.0
        c9 = (1.0 / (c8))
        c10 = t + 1.0
        c11 = (1.0 / (c10))
        c12 = (1.0 / 3.0)*c2
        c13 = (c10) ** (c12)
        c14 = c11 / (c13)
        c15 = s0 + 3.0
        c16 = (c8) ** (-c12)
        c17 = c15*c16
        c18 = mu_1*c3
        c19 = (1.0 / 3.0)*c4
        c20 = (c10) ** (c19)
        c21 = c11 / (c20)
        c22 = s1 + 3.0
        c23 = (c8) ** (-c19)
        c24 = c22*c23
        c25 = mu_2*c5
        c26 = (1.0 / 3.0)*c6
        c27 = (c10) ** (c26)
        c28 = c11 / (c27)
        c29 = s2 + 3.0
        c30 = (c8) ** (-c26)
        c31 = c29*c30
        c32 = mu_3*c7
        c33 = (1.0 / 3.0)*c9
        w_t = bulk_modulus*t + c18*((1.0 / 3.0)*c11*c15*c16*c2 - c12*c14*(c13*c17 - 3.0) - c14*c2) + c25*((1.0 / 3.0)*c11*c22*c23*c4 - c19*c21*(c20*c24 - 3.0) - c21*c4) + c32*((1.0 / 3.0)*c11*c29*c30*c6 - c26*c28*(c27*c31 - 3.0) - c28*c6)
        w_j = -mu_1*c17*c33 - mu_2*c24*c33 - mu_3*c31*c33
        w_s0 = c16*c18
        w_s1 = c23*c25
        w_s2 = c30*c32
        out[10 * e + 0] = j_0*w_j + s0_0*w_s0 + s1_0*w_s1 + s2_0*w_s2
        out[10 * e + 1] = j_1*w_j + s0_1*w_s0 + s1_1*w_s1 + s2_1*w_s2
        out[10 * e + 2] = j_2*w_j + s0_2*w_s0 + s1_2*w_s1 + s2_2*w_s2
        out[10 * e + 3] = j_3*w_j + s0_3*w_s0 + s1_3*w_s1 + s2_3*w_s2
        out[10 * e + 4] = j_4*w_j + s0_4*w_s0 + s1_4*w_s1 + s2_4*w_s2
        out[10 * e + 5] = j_5*w_j + s0_5*w_s0 + s1_5*w_s1 + s2_5*w_s2
        out[10 * e + 6] = j_6*w_j + s0_6*w_s0 + s1_6*w_s1 + s2_6*w_s2
        out[10 * e + 7] = j_7*w_j + s0_7*w_s0 + s1_7*w_s1 + s2_7*w_s2
        out[10 * e + 8] = j_8*w_j + s0_8*w_s0 + s1_8*w_s1 + s2_8*w_s2
        out[10 * e + 9] = w_t


def mean_tangent(count, par, given, out):
    for e in range(count):
        h11 = given[10 * e + 0]
        h12 = given[10 * e + 1]
        h13 = given[10 * e + 2]
        h21 = given[10 * e + 3]
        h22 = given[10 * e + 4]
        h23 = given[10 * e + 5]
        h31 = given[10 * e + 6]
        h32 = given[10 * e + 7]
        h33 = given[10 * e + 8]
        t = given[10 * e + 9]
        mu_1 = par[7 * e + 0]
        alpha_1 = par[7 * e + 1]
        mu_2 = par[7 * e + 2]
        alpha_2 = par[7 * e + 3]
        mu_3 = par[7 * e + 4]
        alpha_3 = par[7 * e + 5]
        bulk_modulus = par[7 * e + 6]
        eigen = stretches(3, given, 10 * e, scratch(24))
        room0 = power_sum(3, 2, alpha_1, eigen, scratch(55))
        s0 = room0[0]
        s0_0 = room0[1]
        s0_1 = room0[2]
        s0_2 = room0[3]
        s0_3 = room0[4]
        s0_4 = room0[5]
        s0_5 = room0[6]
        s0_6 = room0[7]
        s0_7 = room0[8]
        s0_8 = room0[9]
        s0_0_0 = room0[10]
        s0_0_1 = room0[11]
        s0_0_2 = room0[12]
        s0_0_3 = room0[13]
        s0_0_4 = room0[14]
        s0_0_5 = room0[15]
        s0_0_6 = room0[16]
        s0_0_7 = room0[17]
        s0_0_8 = room0[18]
        s0_1_1 = room0[19]
        s0_1_2 = room0[20]
        s0_1_3 = room0[21]
        s0_1_4 = room0[22]
        s0_1_5 = room0[23]
        s0_1_6 = room0[24]
        s0_1_7 = room0[25]
        s0_1_8 = room0[26]
        s0_2_2 = room0[27]
        s0_2_3 = room0[28]
        s0_2_4 = room0[29]
        s0_2_5 = room0[30]
        s0_2_6 = room0[31]
        s0_2_7 = room0[32]
        s0_2_8 = room0[33]
        s0_3_3 = room0[34]
        s0_3_4 = room0[35]
        s0_3_5 = room0[36]
        s0_3_6 = room0[37]
        s0_3_7 = room0[38]
        s0_3_8 = room0[39]
        s0_4_4 = room0[40]
        s0_4_5 = room0[41]
        s0_4_6 = room0[42]
        s0_4_7 = room0[43]
        s0_4_8 = room0[44]
        s0_5_5 = room0[45]
        s0_5_6 = room0[46]
        s0_5_7 = room0[47]
        s0_5_8 = room0[48]
        s0_6_6 = room0[49]
        s0_6_7 = room0[50]
        s0_6_8 = room0[51]
        s0_7_7 = room0[52]
        s0_7_8 = room0[53]
        s0_8_8 = room0[54]
        room1 = power_sum(3, 2, alpha_2, eigen, scratch(55))
        s1 = room1[0]
        s1_0 = room1[1]
        s1_1 = room1[2]
        s1_2 = room1[3]
        s1_3 = room1[4]
        s1_4 = room1[5]
        s1_5 = room1[6]
        s1_6 = room1[7]
        s1_7 = room1[8]
        s1_8 = room1[9]
        s1_0_0 = room1[10]
        s1_0_1 = room1[11]
        s1_0_2 = room1[12]
        s1_0_3 = room1[13]
        s1_0_4 = room1[14]
        s1_0_5 = room1[15]
        s1_0_6 = room1[16]
        s1_0_7 = room1[17]
        s1_0_8 = room1[18]
        s1_1_1 = room1[19]
        s1_1_2 = room1[20]
        s1_1_3 = room1[21]
        s1_1_4 = room1[22]
        s1_1_5 = room1[23]
        s1_1_6 = room1[24]
        s1_1_7 = room1[25]
        s1_1_8 = room1[26]
        s1_2_2 = room1[27]
        s1_2_3 = room1[28]
        s1_2_4 = room1[29]
        s1_2_5 = room1[30]
        s1_2_6 = room1[31]
        s1_2_7 = room1[32]
        s1_2_8 = room1[33]
        s1_3_3 = room1[34]
        s1_3_4 = room1[35]
        s1_3_5 = room1[36]
        s1_3_6 = room1[37]
        s1_3_7 = room1[38]
        s1_3_8 = room1[39]
        s1_4_4 = room1[40]
        s1_4_5 = room1[41]
        s1_4_6 = room1[42]
        s1_4_7 = room1[43]
        s1_4_8 = room1[44]
        s1_5_5 = room1[45]
        s1_5_6 = room1[46]
        s1_5_7 = room1[47]
        s1_5_8 = room1[48]
        s1_6_6 = room1[49]
        s1_6_7 = room1[50]
        s1_6_8 = room1[51]
        s1_7_7 = room1[52]
        s1_7_8 = room1[53]
        s1_8_8 = room1[54]
        room2 = power_sum(3, 2, alpha_3, eigen, scratch(55))
        s2 = room2[0]
        s2_0 = room2[1]
        s2_1 = room2[2]
        s2_2 = room2[3]
        s2_3 = room2[4]
        s2_4 = room2[5]
        s2_5 = room2[6]
        s2_6 = room2[7]
        s2_7 = room2[8]
        s2_8 = room2[9]
        s2_0_0 = room2[10]
        s2_0_1 = room2[11]
        s2_0_2 = room2[12]
        s2_0_3 = room2[13]
        s2_0_4 = room2[14]
        s2_0_5 = room2[15]
        s2_0_6 = room2[16]
        s2_0_7 = room2[17]
        s2_0_8 = room2[18]
        s2_1_1 = room2[19]
        s2_1_2 = room2[20]
        s2_1_3 = room2[21]
        s2_1_4 = room2[22]
        s2_1_5 = room2[23]
        s2_1_6 = room2[24]
        s2_1_7 = room2[25]
        s2_1_8 = room2[26]
        s2_2_2 = room2[27]
        s2_2_3 = room2[28]
        s2_2_4 = room2[29]
        s2_2_5 = room2[30]
        s2_2_6 = room2[31]
        s2_2_7 = room2[32]
        s2_2_8 = room2[33]
        s2_3_3 = room2[34]
        s2_3_4 = room2[35]
        s2_3_5 = room2[36]
        s2_3_6 = room2[37]
        s2_3_7 = room2[38]
        s2_3_8 = room2[39]
        s2_4_4 = room2[40]
        s2_4_5 = room2[41]
        s2_4_6 = room2[42]
        s2_4_7 = room2[43]
        s2_4_8 = room2[44]
        s2_5_5 = room2[45]
        s2_5_6 = room2[46]
        s2_5_7 = room2[47]
        s2_5_8 = room2[48]
        s2_6_6 = room2[49]
        s2_6_7 = room2[50]
        s2_6_8 = room2[51]
        s2_7_7 = room2[52]
        s2_7_8 = room2[53]
        s2_8_8 = room2[54]
        c0 = h22*h33 - h23*h32
        j = h11*h22 + h11*h33 + h11*c0 + h11 - h12*h21 - h12*(h21*h33 - h23*h31) - h13*h31 + h13*(h21*h32 - h22*h31) + h22 + h33 + c0
        c1 = h33 + 1.0
        j_0 = h22*h33 + h22 - h23*h32 + c1
        j_1 = -h21*h33 - h21 + h23*h31
        j_2 = h21*h32 - h22*h31 - h31
        j_3 = -h12*h33 - h12 + h13*h32
        j_4 = h11*h33 + h11 - h13*h31 + c1
        j_5 = -h11*h32 + h12*h31 - h32
        j_6 = h12*h23 - h13*h22 - h13
        j_7 = -h11*h23 + h13*h21 - h23
        j_8 = h11*h22 + h11 - h12*h21 + h22 + 1.0
        c2 = alpha_1
        c3 = (1.0 / (c2))
        c4 = alpha_2
        c5 = (1.0 / (c4))
        c6 = alpha_3
        c7 = (1.0 / (c6))
        c8 = j + 1.0
        c9 = (1.0 / (c8))
        c10 = t + 1.0
        c11 = (1.0 / (c10))
        c12 = (1.0 / 3.0)*c2
        c13 = (c10) ** (c12)
        c14 = (1.0 / (c13))
        c15 = c14*c2
        c16 = s0 + 3.0
        c17 = (c8) ** (-c12)
        c18 = c16*c17
        c19 = c13*c18 - 3.0
        c20 = c14*c19
        c21 = mu_1*c3
        c22 = (1.0 / 3.0)*c4
        c23 = (c10) ** (c22)
        c24 = (1.0 / (c23))
        c25 = c24*c4
        c26 = s1 + 3.0
        c27 = (c8) ** (-c22)
        c28 = c26*c27
        c29 = c23*c28 - 3.0
        c30 = c24*c29
        c31 = mu_2*c5
        c32 = (1.0 / 3.0)*c6
        c33 = (c10) ** (c32)
        c34 = (1.0 / (c33))
        c35 = c34*c6
        c36 = s2 + 3.0
        c37 = (c8) ** (-c32)
        c38 = c36*c37
        c39 = c33*c38 - 3.0
        c40 = c34*c39
        c41 = mu_3*c7
        c42 = (1.0 / 3.0)*c9
        c43 = mu_1*c42
        c44 = mu_2*c42
        c45 = mu_3*c42
        c46 = ((c11) * (c11))
        c47 = (1.0 / 3.0)*c46
        c48 = ((c2) * (c2))
        c49 = c14*c48
        c50 = c18*c46
        c51 = (1.0 / 9.0)*c46
        c52 = ((c4) * (c4))
        c53 = c24*c52
        c54 = c22*c46
        c55 = ((c6) * (c6))
        c56 = c34*c55
        c57 = c32*c46
        c58 = ((c9) * (c9))
        c59 = (1.0 / 3.0)*c58
        c60 = mu_1*c18
        c61 = mu_2*c28
        c62 = mu_3*c38
        c63 = (1.0 / 9.0)*c58
        w_j = -c18*c43 - c28*c44 - c38*c45
        w_s0 = c17*c21
        w_s1 = c27*c31
        w_s2 = c37*c41
        w_t_t = bulk_modulus + c21*(c12*c20*c46 - c12*c50 + c15*c46 + c19*c49*c51 + c47*c49 - 1.0 / 9.0*c48*c50) + c31*(c25*c46 - c28*c51*c52 - c28*c54 + c29*c51*c53 + c30*c54 + c47*c53) + c41*(c35*c46 - c38*c51*c55 - c38*c57 + c39*c51*c56 + c40*c57 + c47*c56)
        w_j_j = c2*c60*c63 + c4*c61*c63 + c59*c60 + c59*c61 + c59*c62 + c6*c62*c63
        w_j_s0 = -c17*c43
        w_j_s1 = -c27*c44
        w_j_s2 = -c37*c45
        c64 = 2.0*j_0
        c65 = j_0*w_j_j
        c66 = w_j*(h33 + 1.0)
        c67 = h32*w_j
        c68 = h23*w_j
        c69 = w_j*(h22 + 1.0)
        c70 = 2.0*j_1
        c71 = j_1*w_j_j
        c72 = h31*w_j
        c73 = h21*w_j
        c74 = 2.0*j_2
        c75 = j_2*w_j_j
        c76 = 2.0*j_3
        c77 = j_3*w_j_j
        c78 = h13*w_j
        c79 = h12*w_j
        c80 = 2.0*j_4
        c81 = j_4*w_j_j
        c82 = w_j*(h11 + 1.0)
        c83 = 2.0*j_5
        c84 = j_5*w_j_j
        c85 = 2.0*j_6
        c86 = j_6*w_j_j
        c87 = 2.0*j_7
        c88 = 2.0*j_8
        out[55 * e + 0] = c64*s0_0*w_j_s0 + c64*s1_0*w_j_s1 + c64*s2_0*w_j_s2 + ((j_0) * (j_0))*w_j_j + s0_0_0*w_s0 + s1_0_0*w_s1 + s2_0_0*w_s2
        out[55 * e + 1] = c65*j_1 + s0_0_1*w_s0 + s1_0_1*w_s1 + s2_0_1*w_s2 + w_j_s0*(j_0*s0_1 + j_1*s0_0) + w_j_s1*(j_0*s1_1 + j_1*s1_0) + w_j_s2*(j_0*s2_1 + j_1*s2_0)
        out[55 * e + 2] = c65*j_2 + s0_0_2*w_s0 + s1_0_2*w_s1 + s2_0_2*w_s2 + w_j_s0*(j_0*s0_2 + j_2*s0_0) + w_j_s1*(j_0*s1_2 + j_2*s1_0) + w_j_s2*(j_0*s2_2 + j_2*s2_0)
        out[55 * e + 3] = c65*j_3 + s0_0_3*w_s0 + s1_0_3*w_s1 + s2_0_3*w_s2 + w_j_s0*(j_0*s0_3 + j_3*s0_0) + w_j_s1*(j_0*s1_3 + j_3*s1_0) + w_j_s2*(j_0*s2_3 + j_3*s2_0)
        out[55 * e + 4] = c65*j_4 + c66 + s0_0_4*w_s0 + s1_0_4*w_s1 + s2_0_4*w_s2 + w_j_s0*(j_0*s0_4 + j_4*s0_0) + w_j_s1*(j_0*s1_4 + j_4*s1_0) + w_j_s2*(j_0*s2_4 + j_4*s2_0)
        out[55 * e + 5] = c65*j_5 - c67 + s0_0_5*w_s0 + s1_0_5*w_s1 + s2_0_5*w_s2 + w_j_s0*(j_0*s0_5 + j_5*s0_0) + w_j_s1*(j_0*s1_5 + j_5*s1_0) + w_j_s2*(j_0*s2_5 + j_5*s2_0)
        out[55 * e + 6] = c65*j_6 + s0_0_6*w_s0 + s1_0_6*w_s1 + s2_0_6*w_s2 + w_j_s0*(j_0*s0_6 + j_6*s0_0) + w_j_s1*(j_0*s1_6 + j_6*s1_0) + w_j_s2*(j_0*s2_6 + j_6*s2_0)
        out[55 * e + 7] = c65*j_7 - c68 + s0_0_7*w_s0 + s1_0_7*w_s1 + s2_0_7*w_s2 + w_j_s0*(j_0*s0_7 + j_7*s0_0) + w_j_s1*(j_0*s1_7 + j_7*s1_0) + w_j_s2*(j_0*s2_7 + j_7*s2_0)
        out[55 * e + 8] = c65*j_8 + c69 + s0_0_8*w_s0 + s1_0_8*w_s1 + s2_0_8*w_s2 + w_j_s0*(j_0*s0_8 + j_8*s0_0) + w_j_s1*(j_0*s1_8 + j_8*s1_0) + w_j_s2*(j_0*s2_8 + j_8*s2_0)
        out[55 * e + 9] = 0.0
        out[55 * e + 10] = c70*s0_1*w_j_s0 + c70*s1_1*w_j_s1 + c70*s2_1*w_j_s2 + ((j_1) * (j_1))*w_j_j + s0_1_1*w_s0 + s1_1_1*w_s1 + s2_1_1*w_s2
        out[55 * e + 11] = c71*j_2 + s0_1_2*w_s0 + s1_1_2*w_s1 + s2_1_2*w_s2 + w_j_s0*(j_1*s0_2 + j_2*s0_1) + w_j_s1*(j_1*s1_2 + j_2*s1_1) + w_j_s2*(j_1*s2_2 + j_2*s2_1)
        out[55 * e + 12] = -c66 + c71*j_3 + s0_1_3*w_s0 + s1_1_3*w_s1 + s2_1_3*w_s2 + w_j_s0*(j_1*s0_3 + j_3*s0_1) + w_j_s1*(j_1*s1_3 + j_3*s1_1) + w_j_s2*(j_1*s2_3 + j_3*s2_1)
        out[55 * e + 13] = c71*j_4 + s0_1_4*w_s0 + s1_1_4*w_s1 + s2_1_4*w_s2 + w_j_s0*(j_1*s0_4 + j_4*s0_1) + w_j_s1*(j_1*s1_4 + j_4*s1_1) + w_j_s2*(j_1*s2_4 + j_4*s2_1)
        out[55 * e + 14] = c71*j_5 + c72 + s0_1_5*w_s0 + s1_1_5*w_s1 + s2_1_5*w_s2 + w_j_s0*(j_1*s0_5 + j_5*s0_1) + w_j_s1*(j_1*s1_5 + j_5*s1_1) + w_j_s2*(j_1*s2_5 + j_5*s2_1)
        out[55 * e + 15] = c68 + c71*j_6 + s0_1_6*w_s0 + s1_1_6*w_s1 + s2_1_6*w_s2 + w_j_s0*(j_1*s0_6 + j_6*s0_1) + w_j_s1*(j_1*s1_6 + j_6*s1_1) + w_j_s2*(j_1*s2_6 + j_6*s2_1)
        out[55 * e + 16] = c71*j_7 + s0_1_7*w_s0 + s1_1_7*w_s1 + s2_1_7*w_s2 + w_j_s0*(j_1*s0_7 + j_7*s0_1) + w_j_s1*(j_1*s1_7 + j_7*s1_1) + w_j_s2*(j_1*s2_7 + j_7*s2_1)
        out[55 * e + 17] = c71*j_8 - c73 + s0_1_8*w_s0 + s1_1_8*w_s1 + s2_1_8*w_s2 + w_j_s0*(j_1*s0_8 + j_8*s0_1) + w_j_s1*(j_1*s1_8 + j_8*s1_1) + w_j_s2*(j_1*s2_8 + j_8*s2_1)
        out[55 * e + 18] = 0.0
        out[55 * e + 19] = c74*s0_2*w_j_s0 + c74*s1_2*w_j_s1 + c74*s2_2*w_j_s2 + ((j_2) * (j_2))*w_j_j + s0_2_2*w_s0 + s1_2_2*w_s1 + s2_2_2*w_s2
        out[55 * e + 20] = c67 + c75*j_3 + s0_2_3*w_s0 + s1_2_3*w_s1 + s2_2_3*w_s2 + w_j_s0*(j_2*s0_3 + j_3*s0_2) + w_j_s1*(j_2*s1_3 + j_3*s1_2) + w_j_s2*(j_2*s2_3 + j_3*s2_2)
        out[55 * e + 21] = -c72 + c75*j_4 + s0_2_4*w_s0 + s1_2_4*w_s1 + s2_2_4*w_s2 + w_j_s0*(j_2*s0_4 + j_4*s0_2) + w_j_s1*(j_2*s1_4 + j_4*s1_2) + w_j_s2*(j_2*s2_4 + j_4*s2_2)
        out[55 * e + 22] = c75*j_5 + s0_2_5*w_s0 + s1_2_5*w_s1 + s2_2_5*w_s2 + w_j_s0*(j_2*s0_5 + j_5*s0_2) + w_j_s1*(j_2*s1_5 + j_5*s1_2) + w_j_s2*(j_2*s2_5 + j_5*s2_2)
        out[55 * e + 23] = -c69 + c75*j_6 + s0_2_6*w_s0 + s1_2_6*w_s1 + s2_2_6*w_s2 + w_j_s0*(j_2*s0_6 + j_6*s0_2) + w_j_s1*(j_2*s1_6 + j_6*s1_2) + w_j_s2*(j_2*s2_6 + j_6*s2_2)
        out[55 * e + 24] = c73 + c75*j_7 + s0_2_7*w_s0 + s1_2_7*w_s1 + s2_2_7*w_s2 + w_j_s0*(j_2*s0_7 + j_7*s0_2) + w_j_s1*(j_2*s1_7 + j_7*s1_2) + w_j_s2*(j_2*s2_7 + j_7*s2_2)
        out[55 * e + 25] = c75*j_8 + s0_2_8*w_s0 + s1_2_8*w_s1 + s2_2_8*w_s2 + w_j_s0*(j_2*s0_8 + j_8*s0_2) + w_j_s1*(j_2*s1_8 + j_8*s1_2) + w_j_s2*(j_2*s2_8 + j_8*s2_2)
        out[55 * e + 26] = 0.0
        out[55 * e + 27] = c76*s0_3*w_j_s0 + c76*s1_3*w_j_s1 + c76*s2_3*w_j_s2 + ((j_3) * (j_3))*w_j_j + s0_3_3*w_s0 + s1_3_3*w_s1 + s2_3_3*w_s2
        out[55 * e + 28] = c77*j_4 + s0_3_4*w_s0 + s1_3_4*w_s1 + s2_3_4*w_s2 + w_j_s0*(j_3*s0_4 + j_4*s0_3) + w_j_s1*(j_3*s1_4 + j_4*s1_3) + w_j_s2*(j_3*s2_4 + j_4*s2_3)
        out[55 * e + 29] = c77*j_5 + s0_3_5*w_s0 + s1_3_5*w_s1 + s2_3_5*w_s2 + w_j_s0*(j_3*s0_5 + j_5*s0_3) + w_j_s1*(j_3*s1_5 + j_5*s1_3) + w_j_s2*(j_3*s2_5 + j_5*s2_3)
        out[55 * e + 30] = c77*j_6 + s0_3_6*w_s0 + s1_3_6*w_s1 + s2_3_6*w_s2 + w_j_s0*(j_3*s0_6 + j_6*s0_3) + w_j_s1*(j_3*s1_6 + j_6*s1_3) + w_j_s2*(j_3*s2_6 + j_6*s2_3)
        out[55 * e + 31] = c77*j_7 + c78 + s0_3_7*w_s0 + s1_3_7*w_s1 + s2_3_7*w_s2 + w_j_s0*(j_3*s0_7 + j_7*s0_3) + w_j_s1*(j_3*s1_7 + j_7*s1_3) + w_j_s2*(j_3*s2_7 + j_7*s2_3)
        out[55 * e + 32] = c77*j_8 - c79 + s0_3_8*w_s0 + s1_3_8*w_s1 + s2_3_8*w_s2 + w_j_s0*(j_3*s0_8 + j_8*s0_3) + w_j_s1*(j_3*s1_8 + j_8*s1_3) + w_j_s2*(j_3*s2_8 + j_8*s2_3)
        out[55 * e + 33] = 0.0
        out[55 * e + 34] = c80*s0_4*w_j_s0 + c80*s1_4*w_j_s1 + c80*s2_4*w_j_s2 + ((j_4) * (j_4))*w_j_j + s0_4_4*w_s0 + s1_4_4*w_s1 + s2_4_4*w_s2
        out[55 * e + 35] = c81*j_5 + s0_4_5*w_s0 + s1_4_5*w_s1 + s2_4_5*w_s2 + w_j_s0*(j_4*s0_5 + j_5*s0_4) + w_j_s1*(j_4*s1_5 + j_5*s1_4) + w_j_s2*(j_4*s2_5 + j_5*s2_4)
        out[55 * e + 36] = -c78 + c81*j_6 + s0_4_6*w_s0 + s1_4_6*w_s1 + s2_4_6*w_s2 + w_j_s0*(j_4*s0_6 + j_6*s0_4) + w_j_s1*(j_4*s1_6 + j_6*s1_4) + w_j_s2*(j_4*s2_6 + j_6*s2_4)
        out[55 * e + 37] = c81*j_7 + s0_4_7*w_s0 + s1_4_7*w_s1 + s2_4_7*w_s2 + w_j_s0*(j_4*s0_7 + j_7*s0_4) + w_j_s1*(j_4*s1_7 + j_7*s1_4) + w_j_s2*(j_4*s2_7 + j_7*s2_4)
        out[55 * e + 38] = c81*j_8 + c82 + s0_4_8*w_s0 + s1_4_8*w_s1 + s2_4_8*w_s2 + w_j_s0*(j_4*s0_8 + j_8*s0_4) + w_j_s1*(j_4*s1_8 + j_8*s1_4) + w_j_s2*(j_4*s2_8 + j_8*s2_4)
        out[55 * e + 39] = 0.0
        out[55 * e + 40] = c83*s0_5*w_j_s0 + c83*s1_5*w_j_s1 + c83*s2_5*w_j_s2 + ((j_5) * (j_5))*w_j_j + s0_5_5*w_s0 + s1_5_5*w_s1 + s2_5_5*w_s2
        out[55 * e + 41] = c79 + c84*j_6 + s0_5_6*w_s0 + s1_5_6*w_s1 + s2_5_6*w_s2 + w_j_s0*(j_5*s0_6 + j_6*s0_5) + w_j_s1*(j_5*s1_6 + j_6*s1_5) + w_j_s2*(j_5*s2_6 + j_6*s2_5)
        out[55 * e + 42] = -c82 + c84*j_7 + s0_5_7*w_s0 + s1_5_7*w_s1 + s2_5_7*w_s2 + w_j_s0*(j_5*s0_7 + j_7*s0_5) + w_j_s1*(j_5*s1_7 + j_7*s1_5) + w_j_s2*(j_5*s2_7 + j_7*s2_5)
        out[55 * e + 43] = c84*j_8 + s0_5_8*w_s0 + s1_5_8*w_s1 + s2_5_8*w_s2 + w_j_s0*(j_5*s0_8 + j_8*s0_5) + w_j_s1*(j_5*s1_8 + j_8*s1_5) + w_j_s2*(j_5*s2_8 + j_8*s2_5)
        out[55 * e + 44] = 0.0
        out[55 * e + 45] = c85*s0_6*w_j_s0 + c85*s1_6*w_j_s1 + c85*s2_6*w_j_s2 + ((j_6) * (j_6))*w_j_j + s0_6_6*w_s0 + s1_6_6*w_s1 + s2_6_6*w_s2
        out[55 * e + 46] = c86*j_7 + s0_6_7*w_s0 + s1_6_7*w_s1 + s2_6_7*w_s2 + w_j_s0*(j_6*s0_7 + j_7*s0_6) + w_j_s1*(j_6*s1_7 + j_7*s1_6) + w_j_s2*(j_6*s2_7 + j_7*s2_6)
        out[55 * e + 47] = c86*j_8 + s0_6_8*w_s0 + s1_6_8*w_s1 + s2_6_8*w_s2 + w_j_s0*(j_6*s0_8 + j_8*s0_6) + w_j_s1*(j_6*s1_8 + j_8*s1_6) + w_j_s2*(j_6*s2_8 + j_8*s2_6)
        out[55 * e + 48] = 0.0
        out[55 * e + 49] = c87*s0_7*w_j_s0 + c87*s1_7*w_j_s1 + c87*s2_7*w_j_s2 + ((j_7) * (j_7))*w_j_j + s0_7_7*w_s0 + s1_7_7*w_s1 + s2_7_7*w_s2
        out[55 * e + 50] = j_7*j_8*w_j_j + s0_7_8*w_s0 + s1_7_8*w_s1 + s2_7_8*w_s2 + w_j_s0*(j_7*s0_8 + j_8*s0_7) + w_j_s1*(j_7*s1_8 + j_8*s1_7) + w_j_s2*(j_7*s2_8 + j_8*s2_7)
        out[55 * e + 51] = 0.0
        out[55 * e + 52] = c88*s0_8*w_j_s0 + c88*s1_8*w_j_s1 + c88*s2_8*w_j_s2 + ((j_8) * (j_8))*w_j_j + s0_8_8*w_s0 + s1_8_8*w_s1 + s2_8_8*w_s2
        out[55 * e + 53] = 0.0
        out[55 * e + 54] = w_t_t
