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
        h11 = given[4 * e + 0]
        h12 = given[4 * e + 1]
        h21 = given[4 * e + 2]
        h22 = given[4 * e + 3]
        mu_1 = par[7 * e + 0]
        alpha_1 = par[7 * e + 1]
        mu_2 = par[7 * e + 2]
        alpha_2 = par[7 * e + 3]
        mu_3 = par[7 * e + 4]
        alpha_3 = par[7 * e + 5]
        bulk_modulus = par[7 * e + 6]
        eigen = stretches(2, given, 4 * e, scratch(24))
        room0 = power_sum(2, 2, alpha_1, eigen, scratch(15))
        s0 = room0[0]
        room1 = power_sum(2, 2, alpha_2, eigen, scratch(15))
        s1 = room1[0]
        room2 = power_sum(2, 2, alpha_3, eigen, scratch(15))
        s2 = room2[0]
        j = h11*h22 + h11 - h12*h21 + h22
        c0 = expm1((-1.0 / 3.0*alpha_1) * log1p(j))
        c1 = expm1((-1.0 / 3.0*alpha_2) * log1p(j))
        c2 = expm1((-1.0 / 3.0*alpha_3) * log1p(j))
        c3 = alpha_1
        c4 = (1.0 / (c3))
        c5 = alpha_2
        c6 = (1.0 / (c5))
        c7 = alpha_3
        c8 = (1.0 / (c7))
        c9 = j + 1.0
        w = (0.5)*bulk_modulus*((j) * (j)) + (mu_1*c4*(3.0*c0*(c9) ** ((1.0 / 3.0)*c3) + s0)) / ((c9) ** ((1.0 / 3.0)*c3)) + (mu_2*c6*(3.0*c1*(c9) ** ((1.0 / 3.0)*c5) + s1)) / ((c9) ** ((1.0 / 3.0)*c5)) + (mu_3*c8*(3.0*c2*(c9) ** ((1.0 / 3.0)*c7) + s2)) / ((c9) ** ((1.0 / 3.0)*c7))
        out[1 * e + 0] = w


def stress(count, par, given, out):
    for e in range(count):
        h11 = given[4 * e + 0]
        h12 = given[4 * e + 1]
        h21 = given[4 * e + 2]
        h22 = given[4 * e + 3]
        mu_1 = par[7 * e + 0]
        alpha_1 = par[7 * e + 1]
        mu_2 = par[7 * e + 2]
        alpha_2 = par[7 * e + 3]
        mu_3 = par[7 * e + 4]
        alpha_3 = par[7 * e + 5]
        bulk_modulus = par[7 * e + 6]
        eigen = stretches(2, given, 4 * e, scratch(24))
        room0 = power_sum(2, 2, alpha_1, eigen, scratch(15))
        s0 = room0[0]
        s0_0 = room0[1]
        s0_1 = room0[2]
        s0_2 = room0[3]
        s0_3 = room0[4]
        room1 = power_sum(2, 2, alpha_2, eigen, scratch(15))
        s1 = room1[0]
        s1_0 = room1[1]
        s1_1 = room1[2]
        s1_2 = room1[3]
        s1_3 = room1[4]
        room2 = power_sum(2, 2, alpha_3, eigen, scratch(15))
        s2 = room2[0]
        s2_0 = room2[1]
        s2_1 = room2[2]
        s2_2 = room2[3]
        s2_3 = room2[4]
        j = h11*h22 + h11 - h12*h21 + h22
        j_0 = h22 + 1.0
        j_1 = -h21
        j_2 = -h12
        j_3 = h11 + 1.0
        c0 = alpha_1
        c1 = (1.0 / (c0))
        c2 = alpha_2
        c3 = (1.0 / (c2))
        c4 = alpha_3
        c5 = (1.0 / (c4))
        c6 = j + 1.0
        c7 = (1.0 / (c6))
        c8 = (1.0 / 3.0)*c0
        c9 = (c6) ** (-c8)
        c10 = c7*c9
        c11 = mu_1*c1
        c12 = (1.0 / 3.0)*c2
        c13 = (c6) ** (-c12)
        c14 = c13*c7
        c15 = mu_2*c3
        c16 = (1.0 / 3.0)*c4
        c17 = (c6) ** (-c16)
        c18 = c17*c7
        c19 = mu_3*c5
        w_j = bulk_modulus*j + c11*(-c0*c10 - c10*c8*s0) + c15*(-c12*c14*s1 - c14*c2) + c19*(-c16*c18*s2 - c18*c4)
        w_s0 = c11*c9
        w_s1 = c13*c15
        w_s2 = c17*c19
        out[4 * e + 0] = j_0*w_j + s0_0*w_s0 + s1_0*w_s1 + s2_0*w_s2
        out[4 * e + 1] = j_1*w_j + s0_1*w_s0 + s1_1*w_s1 + s2_1*w_s2
        out[4 * e + 2] = j_2*w_j + s0_2*w_s0 + s1_2*w_s1 + s2_2*w_s2
        out[4 * e + 3] = j_3*w_j + s0_3*w_s0 + s1_3*w_s1 + s2_3*w_s2


def tangent(count, par, given, out):
    for e in range(count):
        h11 = given[4 * e + 0]
        h12 = given[4 * e + 1]
        h21 = given[4 * e + 2]
        h22 = given[4 * e + 3]
        mu_1 = par[7 * e + 0]
        alpha_1 = par[7 * e + 1]
        mu_2 = par[7 * e + 2]
        alpha_2 = par[7 * e + 3]
        mu_3 = par[7 * e + 4]
        alpha_3 = par[7 * e + 5]
        bulk_modulus = par[7 * e + 6]
        eigen = stretches(2, given, 4 * e, scratch(24))
        room0 = power_sum(2, 2, alpha_1, eigen, scratch(15))
        s0 = room0[0]
        s0_0 = room0[1]
        s0_1 = room0[2]
        s0_2 = room0[3]
        s0_3 = room0[4]
        s0_0_0 = room0[5]
        s0_0_1 = room0[6]
        s0_0_2 = room0[7]
        s0_0_3 = room0[8]
        s0_1_1 = room0[9]
        s0_1_2 = room0[10]
        s0_1_3 = room0[11]
        s0_2_2 = room0[12]
        s0_2_3 = room0[13]
        s0_3_3 = room0[14]
        room1 = power_sum(2, 2, alpha_2, eigen, scratch(15))
        s1 = room1[0]
        s1_0 = room1[1]
        s1_1 = room1[2]
        s1_2 = room1[3]
        s1_3 = room1[4]
        s1_0_0 = room1[5]
        s1_0_1 = room1[6]
        s1_0_2 = room1[7]
        s1_0_3 = room1[8]
        s1_1_1 = room1[9]
        s1_1_2 = room1[10]
        s1_1_3 = room1[11]
        s1_2_2 = room1[12]
        s1_2_3 = room1[13]
        s1_3_3 = room1[14]
        room2 = power_sum(2, 2, alpha_3, eigen, scratch(15))
        s2 = room2[0]
        s2_0 = room2[1]
        s2_1 = room2[2]
        s2_2 = room2[3]
        s2_3 = room2[4]
        s2_0_0 = room2[5]
        s2_0_1 = room2[6]
        s2_0_2 = room2[7]
        s2_0_3 = room2[8]
        s2_1_1 = room2[9]
        s2_1_2 = room2[10]
        s2_1_3 = room2[11]
        s2_2_2 = room2[12]
        s2_2_3 = room2[13]
        s2_3_3 = room2[14]
        j = h11*h22 + h11 - h12*h21 + h22
        j_0 = h22 + 1.0
        j_1 = -h21
        j_2 = -h12
        j_3 = h11 + 1.0
        c0 = alpha_1
        c1 = (1.0 / (c0))
        c2 = alpha_2
        c3 = (1.0 / (c2))
        c4 = alpha_3
        c5 = (1.0 / (c4))
        c6 = j + 1.0
        c7 = (1.0 / (c6))
        c8 = (1.0 / 3.0)*c0
        c9 = (c6) ** (-c8)
        c10 = c0*c9
        c11 = c8*c9*s0
        c12 = mu_1*c1
        c13 = (1.0 / 3.0)*c2
        c14 = (c6) ** (-c13)
        c15 = c14*c2
        c16 = c13*c14*s1
        c17 = mu_2*c3
        c18 = (1.0 / 3.0)*c4
        c19 = (c6) ** (-c18)
        c20 = c19*c4
        c21 = c18*c19*s2
        c22 = mu_3*c5
        c23 = ((c7) * (c7))
        c24 = (1.0 / 3.0)*c23
        c25 = ((c0) * (c0))*c9
        c26 = (1.0 / 9.0)*c23
        c27 = c14*((c2) * (c2))
        c28 = c19*((c4) * (c4))
        c29 = (1.0 / 3.0)*c7
        w_j = bulk_modulus*j + c12*(-c10*c7 - c11*c7) + c17*(-c15*c7 - c16*c7) + c22*(-c20*c7 - c21*c7)
        w_s0 = c12*c9
        w_s1 = c14*c17
        w_s2 = c19*c22
        w_j_j = bulk_modulus + c12*(c10*c23 + c11*c23 + c24*c25 + c25*c26*s0) + c17*(c15*c23 + c16*c23 + c24*c27 + c26*c27*s1) + c22*(c20*c23 + c21*c23 + c24*c28 + c26*c28*s2)
        w_j_s0 = -mu_1*c29*c9
        w_j_s1 = -mu_2*c14*c29
        w_j_s2 = -mu_3*c19*c29
        c30 = 2.0*j_0
        c31 = j_0*w_j_j
        c32 = 2.0*j_1
        c33 = j_1*w_j_j
        c34 = 2.0*j_2
        c35 = 2.0*j_3
        out[10 * e + 0] = c30*s0_0*w_j_s0 + c30*s1_0*w_j_s1 + c30*s2_0*w_j_s2 + ((j_0) * (j_0))*w_j_j + s0_0_0*w_s0 + s1_0_0*w_s1 + s2_0_0*w_s2
        out[10 * e + 1] = c31*j_1 + s0_0_1*w_s0 + s1_0_1*w_s1 + s2_0_1*w_s2 + w_j_s0*(j_0*s0_1 + j_1*s0_0) + w_j_s1*(j_0*s1_1 + j_1*s1_0) + w_j_s2*(j_0*s2_1 + j_1*s2_0)
        out[10 * e + 2] = c31*j_2 + s0_0_2*w_s0 + s1_0_2*w_s1 + s2_0_2*w_s2 + w_j_s0*(j_0*s0_2 + j_2*s0_0) + w_j_s1*(j_0*s1_2 + j_2*s1_0) + w_j_s2*(j_0*s2_2 + j_2*s2_0)
        out[10 * e + 3] = c31*j_3 + s0_0_3*w_s0 + s1_0_3*w_s1 + s2_0_3*w_s2 + w_j + w_j_s0*(j_0*s0_3 + j_3*s0_0) + w_j_s1*(j_0*s1_3 + j_3*s1_0) + w_j_s2*(j_0*s2_3 + j_3*s2_0)
        out[10 * e + 4] = c32*s0_1*w_j_s0 + c32*s1_1*w_j_s1 + c32*s2_1*w_j_s2 + ((j_1) * (j_1))*w_j_j + s0_1_1*w_s0 + s1_1_1*w_s1 + s2_1_1*w_s2
        out[10 * e + 5] = c33*j_2 + s0_1_2*w_s0 + s1_1_2*w_s1 + s2_1_2*w_s2 - w_j + w_j_s0*(j_1*s0_2 + j_2*s0_1) + w_j_s1*(j_1*s1_2 + j_2*s1_1) + w_j_s2*(j_1*s2_2 + j_2*s2_1)
        out[10 * e + 6] = c33*j_3 + s0_1_3*w_s0 + s1_1_3*w_s1 + s2_1_3*w_s2 + w_j_s0*(j_1*s0_3 + j_3*s0_1) + w_j_s1*(j_1*s1_3 + j_3*s1_1) + w_j_s2*(j_1*s2_3 + j_3*s2_1)
        out[10 * e + 7] = c34*s0_2*w_j_s0 + c34*s1_2*w_j_s1 + c34*s2_2*w_j_s2 + ((j_2) * (j_2))*w_j_j + s0_2_2*w_s0 + s1_2_2*w_s1 + s2_2_2*w_s2
        out[10 * e + 8] = j_2*j_3*w_j_j + s0_2_3*w_s0 + s1_2_3*w_s1 + s2_2_3*w_s2 + w_j_s0*(j_2*s0_3 + j_3*s0_2) + w_j_s1*(j_2*s1_3 + j_3*s1_2) + w_j_s2*(j_2*s2_3 + j_3*s2_2)
        out[10 * e + 9] = c35*s0_3*w_j_s0 + c35*s1_3*w_j_s1 + c35*s2_3*w_j_s2 + ((j_3) * (j_3))*w_j_j + s0_3_3*w_s0 + s1_3_3*w_s1 + s2_3_3*w_s2


def mean_energy(count, par, given, out):
    for e in range(count):
        h11 = given[5 * e + 0]
        h12 = given[5 * e + 1]
        h21 = given[5 * e + 2]
        h22 = given[5 * e + 3]
        t = given[5 * e + 4]
        mu_1 = par[7 * e + 0]
        alpha_1 = par[7 * e + 1]
        mu_2 = par[7 * e + 2]
        alpha_2 = par[7 * e + 3]
        mu_3 = par[7 * e + 4]
        alpha_3 = par[7 * e + 5]
        bulk_modulus = par[7 * e + 6]
        eigen = stretches(2, given, 5 * e, scratch(24))
        room0 = power_sum(2, 2, alpha_1, eigen, scratch(15))
        s0 = room0[0]
        room1 = power_sum(2, 2, alpha_2, eigen, scratch(15))
        s1 = room1[0]
        room2 = power_sum(2, 2, alpha_3, eigen, scratch(15))
        s2 = room2[0]
        j = h11*h22 + h11 - h12*h21 + h22
        c0 = expm1((-1.0 / 3.0*alpha_1) * log1p(t))
        c1 = expm1((-1.0 / 3.0*alpha_2) * log1p(t))
        c2 = expm1((-1.0 / 3.0*alpha_3) * log1p(t))
        c3 = alpha_1
        c4 = (1.0 / (c3))
        c5 = alpha_2
        c6 = (1.0 / (c5))
        c7 = alpha_3
        c8 = (1.0 / (c7))
        c9 = t + 1.0
        c10 = (0.5)*c3
        c11 = j + 1.0
        c12 = (0.5)*c5
        c13 = (0.5)*c7
        w = (0.5)*bulk_modulus*((t) * (t)) + (mu_1*c4*(3.0*c0*(c11) ** (c10)*(c9) ** ((1.0 / 3.0)*c3) - 2.0*(c11) ** (c10) + (c9) ** (c10)*(s0 + 2.0))) / ((c11) ** (c10)*(c9) ** ((1.0 / 3.0)*c3)) + (mu_2*c6*(3.0*c1*(c11) ** (c12)*(c9) ** ((1.0 / 3.0)*c5) - 2.0*(c11) ** (c12) + (c9) ** (c12)*(s1 + 2.0))) / ((c11) ** (c12)*(c9) ** ((1.0 / 3.0)*c5)) + (mu_3*c8*(3.0*(c11) ** (c13)*c2*(c9) ** ((1.0 / 3.0)*c7) - 2.0*(c11) ** (c13) + (c9) ** (c13)*(s2 + 2.0))) / ((c11) ** (c13)*(c9) ** ((1.0 / 3.0)*c7))
        out[1 * e + 0] = w


def mean_stress(count, par, given, out):
    for e in range(count):
        h11 = given[5 * e + 0]
        h12 = given[5 * e + 1]
        h21 = given[5 * e + 2]
        h22 = given[5 * e + 3]
        t = given[5 * e + 4]
        mu_1 = par[7 * e + 0]
        alpha_1 = par[7 * e + 1]
        mu_2 = par[7 * e + 2]
        alpha_2 = par[7 * e + 3]
        mu_3 = par[7 * e + 4]
        alpha_3 = par[7 * e + 5]
        bulk_modulus = par[7 * e + 6]
        eigen = stretches(2, given, 5 * e, scratch(24))
        room0 = power_sum(2, 2, alpha_1, eigen, scratch(15))
        s0 = room0[0]
        s0_0 = room0[1]
        s0_1 = room0[2]
        s0_2 = room0[3]
        s0_3 = room0[4]
        room1 = power_sum(2, 2, alpha_2, eigen, scratch(15))
        s1 = room1[0]
        s1_0 = room1[1]
        s1_1 = room1[2]
        s1_2 = room1[3]
        s1_3 = room1[4]
        room2 = power_sum(2, 2, alpha_3, eigen, scratch(15))
        s2 = room2[0]
        s2_0 = room2[1]
        s2_1 = room2[2]
        s2_2 = room2[3]
        s2_3 = room2[4]
        j = h11*h22 + h11 - h12*h21 + h22
        j_0 = h22 + 1.0
        j_1 = -h21
        j_2 = -h12
        j_3 = h11 + 1.0
        c0 = alpha_1
        c1 = (1.0 / (c0))
        c2 = alpha_2
        c3 = (1.0 / (c2))
        c4 = alpha_3
        c5 = (1.0 / (c4))
        c6 = j + 1.0
        c7 = (1.0 / (c6))
        c8 = t + 1.0
        c9 = (1.0 / (c8))
        c10 = (1.0 / 3.0)*c0
        c11 = c9 / ((c8) ** (c10))
        c12 = s0 + 2.0
        c13 = (0.5)*c0
        c14 = (c6) ** (-c13)
        c15 = (c8) ** ((1.0 / 6.0)*c0)
        c16 = mu_1*c1
        c17 = (1.0 / 3.0)*c2
        c18 = c9 / ((c8) ** (c17))
        c19 = s1 + 2.0
        c20 = (0.5)*c2
        c21 = (c6) ** (-c20)
        c22 = (c8) ** ((1.0 / 6.0)*c2)
        c23 = mu_2*c3
        c24 = (1.0 / 3.0)*c4
        c25 = c9 / ((c8) ** (c24))
        c26 = s2 + 2.0
        c27 = (0.5)*c4
        c28 = (c6) ** (-c27)
        c29 = (c8) ** ((1.0 / 6.0)*c4)
        c30 = mu_3*c5
        c31 = (0.5)*c7
        w_t = bulk_modulus*t + c16*(-c0*c11 + (0.5)*c0*c12*c14*c15*c9 - c10*c11*(c12*c14*(c8) ** (c13) - 2.0)) + c23*(-c17*c18*(c19*c21*(c8) ** (c20) - 2.0) - c18*c2 + (0.5)*c19*c2*c21*c22*c9) + c30*(-c24*c25*(c26*c28*(c8) ** (c27) - 2.0) - c25*c4 + (0.5)*c26*c28*c29*c4*c9)
        w_j = -mu_1*c12*c14*c15*c31 - mu_2*c19*c21*c22*c31 - mu_3*c26*c28*c29*c31
        w_s0 = c14*c15*c16
        w_s1 = c21*c22*c23
        w_s2 = c28*c29*c30
        out[5 * e + 0] = j_0*w_j + s0_0*w_s0 + s1_0*w_s1 + s2_0*w_s2
        out[5 * e + 1] = j_1*w_j + s0_1*w_s0 + s1_1*w_s1 + s2_1*w_s2
        out[5 * e + 2] = j_2*w_j + s0_2*w_s0 + s1_2*w_s1 + s2_2*w_s2
        out[5 * e + 3] = j_3*w_j + s0_3*w_s0 + s1_3*w_s1 + s2_3*w_s2
        out[5 * e + 4] = w_t


def mean_tangent(count, par, given, out):
    for e in range(count):
        h11 = given[5 * e + 0]
        h12 = given[5 * e + 1]
        h21 = given[5 * e + 2]
        h22 = given[5 * e + 3]
        t = given[5 * e + 4]
        mu_1 = par[7 * e + 0]
        alpha_1 = par[7 * e + 1]
        mu_2 = par[7 * e + 2]
        alpha_2 = par[7 * e + 3]
        mu_3 = par[7 * e + 4]
        alpha_3 = par[7 * e + 5]
        bulk_modulus = par[7 * e + 6]
        eigen = stretches(2, given, 5 * e, scratch(24))
        room0 = power_sum(2, 2, alpha_1, eigen, scratch(15))
        s0 = room0[0]
        s0_0 = room0[1]
        s0_1 = room0[2]
        s0_2 = room0[3]
        s0_3 = room0[4]
        s0_0_0 = room0[5]
        s0_0_1 = room0[6]
        s0_0_2 = room0[7]
        s0_0_3 = room0[8]
        s0_1_1 = room0[9]
        s0_1_2 = room0[10]
        s0_1_3 = room0[11]
        s0_2_2 = room0[12]
        s0_2_3 = room0[13]
        s0_3_3 = room0[14]
        room1 = power_sum(2, 2, alpha_2, eigen, scratch(15))
        s1 = room1[0]
        s1_0 = room1[1]
        s1_1 = room1[2]
        s1_2 = room1[3]
        s1_3 = room1[4]
        s1_0_0 = room1[5]
        s1_0_1 = room1[6]
        s1_0_2 = room1[7]
        s1_0_3 = room1[8]
        s1_1_1 = room1[9]
        s1_1_2 = room1[10]
        s1_1_3 = room1[11]
        s1_2_2 = room1[12]
        s1_2_3 = room1[13]
        s1_3_3 = room1[14]
        room2 = power_sum(2, 2, alpha_3, eigen, scratch(15))
        s2 = room2[0]
        s2_0 = room2[1]
        s2_1 = room2[2]
        s2_2 = room2[3]
        s2_3 = room2[4]
        s2_0_0 = room2[5]
        s2_0_1 = room2[6]
        s2_0_2 = room2[7]
        s2_0_3 = room2[8]
        s2_1_1 = room2[9]
        s2_1_2 = room2[10]
        s2_1_3 = room2[11]
        s2_2_2 = room2[12]
        s2_2_3 = room2[13]
        s2_3_3 = room2[14]
        j = h11*h22 + h11 - h12*h21 + h22
        j_0 = h22 + 1.0
        j_1 = -h21
        j_2 = -h12
        j_3 = h11 + 1.0
        c0 = alpha_1
        c1 = (1.0 / (c0))
        c2 = alpha_2
        c3 = (1.0 / (c2))
        c4 = alpha_3
        c5 = (1.0 / (c4))
        c6 = j + 1.0
        c7 = (1.0 / (c6))
        c8 = t + 1.0
        c9 = (1.0 / (c8))
        c10 = (1.0 / 3.0)*c0
        c11 = (c8) ** (-c10)
        c12 = c0*c11
        c13 = s0 + 2.0
        c14 = (0.5)*c0
        c15 = (c6) ** (-c14)
        c16 = (c8) ** ((1.0 / 6.0)*c0)
        c17 = c13*c15*(c8) ** (c14) - 2.0
        c18 = c10*c11*c17
        c19 = mu_1*c1
        c20 = (1.0 / 3.0)*c2
        c21 = (c8) ** (-c20)
        c22 = c2*c21
        c23 = s1 + 2.0
        c24 = (0.5)*c2
        c25 = (c6) ** (-c24)
        c26 = (c8) ** ((1.0 / 6.0)*c2)
        c27 = c23*c25*(c8) ** (c24) - 2.0
        c28 = c20*c21*c27
        c29 = mu_2*c3
        c30 = (1.0 / 3.0)*c4
        c31 = (c8) ** (-c30)
        c32 = c31*c4
        c33 = s2 + 2.0
        c34 = (0.5)*c4
        c35 = (c6) ** (-c34)
        c36 = (c8) ** ((1.0 / 6.0)*c4)
        c37 = c33*c35*(c8) ** (c34) - 2.0
        c38 = c30*c31*c37
        c39 = mu_3*c5
        c40 = (0.5)*c7
        c41 = c13*c15*c16
        c42 = mu_1*c41
        c43 = c23*c25*c26
        c44 = mu_2*c43
        c45 = c33*c35*c36
        c46 = mu_3*c45
        c47 = c15*c16
        c48 = c25*c26
        c49 = c35*c36
        c50 = ((c9) * (c9))
        c51 = (1.0 / 3.0)*c50
        c52 = ((c0) * (c0))
        c53 = c11*c52
        c54 = (1.0 / 12.0)*c50
        c55 = (1.0 / 9.0)*c50
        c56 = ((c2) * (c2))
        c57 = c21*c56
        c58 = ((c4) * (c4))
        c59 = c31*c58
        c60 = c0*c42
        c61 = (1.0 / 12.0)*c7*c9
        c62 = c2*c44
        c63 = c4*c46
        c64 = (1.0 / 6.0)*c9
        c65 = mu_1*c47
        c66 = mu_2*c48
        c67 = mu_3*c49
        c68 = ((c7) * (c7))
        c69 = (0.5)*c68
        c70 = (1.0 / 4.0)*c68
        w_j = -c40*c42 - c40*c44 - c40*c46
        w_s0 = c19*c47
        w_s1 = c29*c48
        w_s2 = c39*c49
        w_t_t = bulk_modulus + c19*(c12*c50 - c14*c41*c50 + c17*c53*c55 + c18*c50 - c41*c52*c54 + c51*c53) + c29*(c22*c50 - c24*c43*c50 + c27*c55*c57 + c28*c50 - c43*c54*c56 + c51*c57) + c39*(c32*c50 - c34*c45*c50 + c37*c55*c59 + c38*c50 - c45*c54*c58 + c51*c59)
        w_t_j = -c60*c61 - c61*c62 - c61*c63
        w_t_s0 = c64*c65
        w_t_s1 = c64*c66
        w_t_s2 = c64*c67
        w_j_j = c42*c69 + c44*c69 + c46*c69 + c60*c70 + c62*c70 + c63*c70
        w_j_s0 = -c40*c65
        w_j_s1 = -c40*c66
        w_j_s2 = -c40*c67
        c71 = 2.0*j_0
        c72 = j_0*w_j_j
        c73 = 2.0*j_1
        c74 = j_1*w_j_j
        c75 = 2.0*j_2
        c76 = 2.0*j_3
        out[15 * e + 0] = c71*s0_0*w_j_s0 + c71*s1_0*w_j_s1 + c71*s2_0*w_j_s2 + ((j_0) * (j_0))*w_j_j + s0_0_0*w_s0 + s1_0_0*w_s1 + s2_0_0*w_s2
        out[15 * e + 1] = c72*j_1 + s0_0_1*w_s0 + s1_0_1*w_s1 + s2_0_1*w_s2 + w_j_s0*(j_0*s0_1 + j_1*s0_0) + w_j_s1*(j_0*s1_1 + j_1*s1_0) + w_j_s2*(j_0*s2_1 + j_1*s2_0)
        out[15 * e + 2] = c72*j_2 + s0_0_2*w_s0 + s1_0_2*w_s1 + s2_0_2*w_s2 + w_j_s0*(j_0*s0_2 + j_2*s0_0) + w_j_s1*(j_0*s1_2 + j_2*s1_0) + w_j_s2*(j_0*s2_2 + j_2*s2_0)
        out[15 * e + 3] = c72*j_3 + s0_0_3*w_s0 + s1_0_3*w_s1 + s2_0_3*w_s2 + w_j + w_j_s0*(j_0*s0_3 + j_3*s0_0) + w_j_s1*(j_0*s1_3 + j_3*s1_0) + w_j_s2*(j_0*s2_3 + j_3*s2_0)
        out[15 * e + 4] = j_0*w_t_j + s0_0*w_t_s0 + s1_0*w_t_s1 + s2_0*w_t_s2
        out[15 * e + 5] = c73*s0_1*w_j_s0 + c73*s1_1*w_j_s1 + c73*s2_1*w_j_s2 + ((j_1) * (j_1))*w_j_j + s0_1_1*w_s0 + s1_1_1*w_s1 + s2_1_1*w_s2
        out[15 * e + 6] = c74*j_2 + s0_1_2*w_s0 + s1_1_2*w_s1 + s2_1_2*w_s2 - w_j + w_j_s0*(j_1*s0_2 + j_2*s0_1) + w_j_s1*(j_1*s1_2 + j_2*s1_1) + w_j_s2*(j_1*s2_2 + j_2*s2_1)
        out[15 * e + 7] = c74*j_3 + s0_1_3*w_s0 + s1_1_3*w_s1 + s2_1_3*w_s2 + w_j_s0*(j_1*s0_3 + j_3*s0_1) + w_j_s1*(j_1*s1_3 + j_3*s1_1) + w_j_s2*(j_1*s2_3 + j_3*s2_1)
        out[15 * e + 8] = j_1*w_t_j + s0_1*w_t_s0 + s1_1*w_t_s1 + s2_1*w_t_s2
        out[15 * e + 9] = c75*s0_2*w_j_s0 + c75*s1_2*w_j_s1 + c75*s2_2*w_j_s2 + ((j_2) * (j_2))*w_j_j + s0_2_2*w_s0 + s1_2_2*w_s1 + s2_2_2*w_s2
        out[15 * e + 10] = j_2*j_3*w_j_j + s0_2_3*w_s0 + s1_2_3*w_s1 + s2_2_3*w_s2 + w_j_s0*(j_2*s0_3 + j_3*s0_2) + w_j_s1*(j_2*s1_3 + j_3*s1_2) + w_j_s2*(j_2*s2_3 + j_3*s2_2)
        out[15 * e + 11] = j_2*w_t_j + s0_2*w_t_s0 + s1_2*w_t_s1 + s2_2*w_t_s2
        out[15 * e + 12] = c76*s0_3*w_j_s0 + c76*s1_3*w_j_s1 + c76*s2_3*w_j_s2 + ((j_3) * (j_3))*w_j_j + s0_3_3*w_s0 + s1_3_3*w_s1 + s2_3_3*w_s2
        out[15 * e + 13] = j_3*w_t_j + s0_3*w_t_s0 + s1_3*w_t_s1 + s2_3*w_t_s2
        out[15 * e + 14] = w_t_t
