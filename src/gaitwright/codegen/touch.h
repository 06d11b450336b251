/* What happens to contacts: instants inside a step, and what they remember afterwards; contact/event_location.py and events.py. */
#if NK
#define NEVER 2.0
#define TRIES 24
#define AIMS 8
#define MOST 60
#define NARROW 1e-14
#define HALVED 1e-9
#define ALIKE 1e-6
#define SHALLOW 100.0
#define BACK 0.7
#define TURNED 1e-9
#define STILL 1e-15
#define EDGE 1e-6
#define PLAUSIBLE 0.05
#define SMALLEST_PART 1e-9
#define NOTHING 1e-12 /* part of a step */
#define AT_BEGIN(m, l, k, what) LANE((m)->seen[(k) * SEEN + (what)], l)
#define AT_END(m, l, k, what) LANE((m)->seen1[(k) * SEEN + (what)], l)
#define IN(probe, l, k, what) LANE((probe)[(k) * SEEN + (what)], l)
#define TOUCHES(m, l, k) (LANE((m)->mem[(k) * MEMORY + TOUCHING], l) != 0.0)

/* The motion between both ends of the step: quintic Hermite polynomials, mechanism/hermite_interpolation.py. */
FN void between(const March *m, double x, real *q, real *v) {
    double x2 = x * x, x3 = x2 * x, x4 = x3 * x, x5 = x4 * x;
    double b1 = 10 * x3 - 15 * x4 + 6 * x5, c0 = x - 6 * x3 + 8 * x4 - 3 * x5, c1 = -4 * x3 + 7 * x4 - 3 * x5;
    double d0 = (x2 - 3 * x3 + 3 * x4 - x5) / 2, d1 = (x3 - 2 * x4 + x5) / 2, e1 = 30 * x2 - 60 * x3 + 30 * x4;
    double f0 = 1 - 18 * x2 + 32 * x3 - 15 * x4, f1 = -12 * x2 + 28 * x3 - 15 * x4;
    double g0 = (2 * x - 9 * x2 + 12 * x3 - 5 * x4) / 2, g1 = (3 * x2 - 8 * x3 + 5 * x4) / 2;
    real h = m->dt;
    for (int i = 0; i < NQ; i++) {
        real rise = m->q1[i] - m->q[i];
        q[i] = m->q[i] + b1 * rise + h * (c0 * m->v[i] + c1 * m->v1[i] + h * (d0 * m->a[i] + d1 * m->a1[i]));
        v[i] = e1 * rise / h + f0 * m->v[i] + f1 * m->v1[i] + h * (g0 * m->a[i] + g1 * m->a1[i]);
    }
}

FN void look_at(const March *m, double x, real *probe) {
    real q[NQ], v[NQ];
    between(m, x, q, v);
    look(m->c, m->t + x * m->dt, q, v, m->mem, probe);
}

/* Where a number of contact k, plus an offset, vanishes between two fractions of the step: the Illinois variant of false
   position. The state there stays in `probe`. */
FN double root_of(const March *m, int l, int k, int what, double offset, double low, double high, double f_low, double f_high,
                  double enough, real *probe) {
    double x = high;
    int side = 0;
    for (int tries = 0; tries < MOST; tries++) {
        x = (low * f_high - high * f_low) / (f_high - f_low);
        look_at(m, x, probe);
        double f = IN(probe, l, k, what) + offset;
        if (fabs(f) <= enough || high - low < NARROW) break;
        if ((f > 0.0) == (f_high > 0.0)) {
            if (side == 1) f_low *= 0.5;
            high = x; f_high = f; side = 1;
        } else {
            if (side == -1) f_high *= 0.5;
            low = x; f_low = f; side = -1;
        }
    }
    return x;
}

/* A fraction of the step at which a gap that is open at both its ends is closed; 0 if there is none. */
FN double dip(const March *m, int l, int k, real *probe) {
    double low = 0.0, high = 1.0, h = LANE(m->dt, l);
    if (!(AT_BEGIN(m, l, k, RATE) < 0.0 && AT_END(m, l, k, RATE) > 0.0)) return 0.0;
    while (high - low > HALVED) {
        double x = 0.5 * (low + high);
        look_at(m, x, probe);
        double gap = IN(probe, l, k, GAP), rate = IN(probe, l, k, RATE);
        if (gap < -LANDING) return x;
        if (gap - fabs(rate) * h * (high - low) > 0.0) return 0.0;
        if (rate < 0.0) low = x; else high = x;
    }
    return 0.0;
}

/* Pieces of one surface: the one that carries most, and the concave corner at the end of a face; -1 if there is none. */
FN int carrier(const March *m, int l, int k) {
    int found = -1;
    for (int d = NEXT[k]; d != k; d = NEXT[d]) {
        int deeper = found < 0 || AT_END(m, l, d, GAP) < AT_END(m, l, found, GAP);
        if (deeper && TOUCHES(m, l, d) && CARRIES[d] > 0) found = d;
    }
    return found;
}

FN int concave_corner(const real *seen, int l, int k) {
    for (int d = NEXT[k]; d != k; d = NEXT[d]) {
        int same = fabs(IN(seen, l, d, GAP) - IN(seen, l, k, GAP)) < ALIKE * fabs(IN(seen, l, d, GAP)) + LANDING;
        if (same && CARRIES[d] < 0 && fabs(IN(seen, l, d, REGION)) < 2.0 * LANDING) return d;
    }
    return -1;
}

/* Fraction of the step at which a contact that does not touch begins to, and which number says so. */
FN double touchdown(const March *m, int l, int k, int *what) {
    real probe[NK * SEEN];
    double g0 = AT_BEGIN(m, l, k, GAP), g1 = AT_END(m, l, k, GAP), x = 0.0;
    *what = GAP;
    if (g0 >= -LANDING) {
        double end = 1.0, f_end = g1 + 0.5 * LANDING;
        if (g1 >= -LANDING) {
            end = g0 > 0.0 && g1 > 0.0 ? dip(m, l, k, probe) : 0.0;
            if (end == 0.0) return NEVER;
            f_end = IN(probe, l, k, GAP) + 0.5 * LANDING;
        }
        if (g0 > -0.5 * LANDING)
            x = root_of(m, l, k, GAP, 0.5 * LANDING, 0.0, end, g0 + 0.5 * LANDING, f_end, 0.05 * LANDING, probe);
        else
            look_at(m, 0.0, probe);
        if (IN(probe, l, k, REGION) >= 0.0) return x;
    }
#if PIECES
    /* Behind the surface. It counts when it comes onto a face at a concave corner, from another piece that carries it. */
    double r0 = AT_BEGIN(m, l, k, REGION) - 0.5 * LANDING, r1 = AT_END(m, l, k, REGION) - 0.5 * LANDING;
    if (r0 < 0.0 && r1 > 0.5 * LANDING && CARRIES[k] > 0 && carrier(m, l, k) >= 0) {
        x = root_of(m, l, k, REGION, -0.5 * LANDING, 0.0, 1.0, r0, r1, 0.05 * LANDING, probe);
        if (IN(probe, l, k, GAP) < -LANDING && concave_corner(probe, l, k) >= 0) {
            *what = REGION;
            return x;
        }
    }
#endif
    return NEVER;
}

/* The first event of contact k in the step. */
FN double event_of(const March *m, int l, int k, int *what) {
    real probe[NK * SEEN];
    if (!TOUCHES(m, l, k)) return touchdown(m, l, k, what);
    double first = NEVER, g0 = AT_BEGIN(m, l, k, GAP) - 0.5 * LANDING, g1 = AT_END(m, l, k, GAP) - 0.5 * LANDING;
    *what = GAP;
    if (g1 > 0.5 * LANDING && g0 < 0.0)
        first = root_of(m, l, k, GAP, -0.5 * LANDING, 0.0, 1.0, g0, g1, 0.05 * LANDING, probe);
    double r0 = AT_BEGIN(m, l, k, REGION) + 0.5 * LANDING, r1 = AT_END(m, l, k, REGION) + 0.5 * LANDING;
    if (r1 < -0.5 * LANDING && r0 > 0.0) {
        double x = root_of(m, l, k, REGION, 0.5 * LANDING, 0.0, 1.0, r0, r1, 0.05 * LANDING, probe);
        if (x < first) { first = x; *what = REGION; }
    }
#if BRISTLES
    double s0 = AT_BEGIN(m, l, k, ALONG), s1 = AT_END(m, l, k, ALONG);
    int back = fabs(s0) > BACK * AT_BEGIN(m, l, k, SPEED) && fabs(s1) > BACK * AT_END(m, l, k, SPEED);
    if (BRISTLED[k] && s0 * s1 < 0.0 && back && m->tried[l] <= TRIES) {
        /* Bristles that have given way and now swing back: their stretch is counted from the turning point. */
        real q[NQ], v[NQ], fresh[NK * MEMORY], torn[NK];
        double x = root_of(m, l, k, ALONG, 0.0, 0.0, 1.0, s0, s1, TURNED * fabs(s0) + STILL, probe);
        between(m, x, q, v);
        advance(m->c, m->t + x * m->dt, q, v, m->mem, fresh, torn);
        if (LANE(torn[k], l) > 0.0 && EDGE < x && x < first && x < 1.0 - EDGE) { first = x; *what = ALONG; }
    }
#endif
    return first;
}

/* 1 if the step has landed on the event it was shortened for, otherwise the factor for the next attempt. */
FN double aim(March *m, int l) {
    int k = m->target[l], what = m->what[l], closed = TOUCHES(m, l, k);
    double h = LANE(m->dt, l), f = AT_END(m, l, k, what), slope = (f - AT_BEGIN(m, l, k, what)) / h;
    if (what == GAP) {
        f += closed ? -0.5 * LANDING : 0.5 * LANDING;
        slope = AT_END(m, l, k, RATE);
    } else if (what == REGION)
        f += closed ? 0.5 * LANDING : -0.5 * LANDING;
    double zone = what != ALONG ? 0.4 * LANDING : 1e-9 * (fabs(AT_BEGIN(m, l, k, what)) + 1e-6);
    if (fabs(f) <= zone) return 1.0;
    if (m->aimed[l] >= AIMS || m->tried[l] > 4 * TRIES || slope == 0.0) {
        int arrived = closed == (what == GAP) ? f > 0.0 : f < 0.0;
        if (!arrived) m->target[l] = -1;
        return 1.0;
    }
    m->aimed[l]++;
    m->tried[l]++;
    double factor = 1.0 - f / (slope * h);
    return factor < 0.1 ? 0.1 : factor > 1.5 ? 1.5 : factor;
}

/* Whether anything may have happened to a contact: what `watch` looks into, at the price of two comparisons. */
FN mask suspicious(const March *m) {
    mask found = m->started & NOT(m->started);
    for (int k = 0; k < NK; k++) {
        real g0 = m->seen[k * SEEN + GAP], g1 = m->seen1[k * SEEN + GAP], touches = m->mem[k * MEMORY + TOUCHING];
        mask held = touches != 0.0;
        mask down = (g1 < -LANDING) | ((m->seen[k * SEEN + RATE] < 0.0) & (m->seen1[k * SEEN + RATE] > 0.0));
        mask up = g1 > LANDING;
        found = found | (NOT(held) & down & (g0 >= -LANDING)) | (held & up);
        real r0 = m->seen[k * SEEN + REGION], r1 = m->seen1[k * SEEN + REGION];
        found = found | (held & (r1 < -LANDING) & (r0 > -0.5 * LANDING));
#if PIECES
        found = found | (NOT(held) & (r0 < 0.5 * LANDING) & (r1 > LANDING));
#endif
#if BRISTLES
        found = found | (held & (m->seen[k * SEEN + ALONG] * m->seen1[k * SEEN + ALONG] < 0.0));
#endif
    }
    return found;
}

/* 1 if the step of a lane may stand, otherwise the factor of its length with which it has to be repeated. */
FN double watch(March *m, int l) {
    double first = NEVER;
    int who = -1, what = GAP;
    for (int k = 0; k < NK; k++) {
        int kind;
        if (k == m->target[l]) continue;
        double x = event_of(m, l, k, &kind);
        if (x < first) { first = x; who = k; what = kind; }
    }
    if (first < 1.0 - NOTHING) {
        m->target[l] = who; m->what[l] = what; m->aimed[l] = 1;
        m->tried[l]++;
        return first > NOTHING ? first : NOTHING;
    }
    return m->target[l] >= 0 ? aim(m, l) : 1.0;
}

#if FREE
/* Parts for which the forces of contacts are not straight enough over the step; see contact/events.py. */
FN real unresolved(const March *m) {
    real q[NQ], v[NQ], force[NQ], total[NQ], x[NQ], worst = REAL(0.0);
    press(m->c, m->t, m->q, m->v, m->mem, force);
    for (int i = 0; i < NQ; i++) total[i] = -0.5 * force[i];
    press(m->c, m->t + m->dt, m->q1, m->v1, m->mem, force);
    for (int i = 0; i < NQ; i++) total[i] -= 0.5 * force[i];
    between(m, 0.5, q, v);
    press(m->c, m->t + 0.5 * m->dt, q, v, m->mem, force);
    for (int i = 0; i < NQ; i++) total[i] += force[i];
    bend(m->c, m->t + m->dt, m->q1, total, x);
    for (int i = 0; i < NQ; i++) {
        real size = SCALE[i] + FABS(m->v[i]), bent = (2.0 / 3.0) * m->dt * x[i];
        real odd = FABS(m->v1[i] - m->v[i] - 0.5 * m->dt * (m->a[i] + m->a1[i]) - bent);
        real part = FABS(bent) / size;
        part = CHOOSE(odd <= PLAUSIBLE * size, part, REAL(EVER));
        worst = CHOOSE(part <= worst, worst, part);
    }
    return CHOOSE(worst <= EVER, worst, REAL(EVER));
}
#endif

FN void start_touching(March *m, int l, int k, double approach, int origin, const real *fresh) {
    LANE(m->mem[k * MEMORY + TOUCHING], l) = 1.0;
    LANE(m->since[k], l) = LANE(m->t, l) + LANE(m->dt, l);
    LANE(m->mem[k * MEMORY + APPROACH], l) = origin >= 0 ? LANE(m->mem[origin * MEMORY + APPROACH], l) : approach;
#if BRISTLES
    for (int i = 2; i < MEMORY; i++) LANE(m->mem[k * MEMORY + i], l) = LANE(fresh[k * MEMORY + i], l);
    for (int i = 2; i < 4; i++)
        LANE(m->mem[k * MEMORY + i], l) = origin >= 0 ? LANE(m->mem[origin * MEMORY + i], l) : 0.0;
#endif
}

#if PIECES
FN int hand_over(March *m, int l, int k, const real *fresh) {
    if (CARRIES[k] < 0 || concave_corner(m->seen1, l, k) >= 0) return 0;
    double gap = AT_END(m, l, k, GAP);
    for (int d = NEXT[k]; d != k; d = NEXT[d]) {
        int same = fabs(AT_END(m, l, d, GAP) - gap) <= 1e-3 * fabs(gap) + SHALLOW * LANDING;
        if (CARRIES[d] > 0 && !TOUCHES(m, l, d) && same && AT_END(m, l, d, REGION) >= -2.0 * LANDING) {
            start_touching(m, l, d, 0.0, k, fresh);
            return 1;
        }
    }
    return 0;
}
#endif

/* Where `settle` has something to do. */
FN mask near_an_event(const March *m) {
    mask found = m->started & NOT(m->started);
    for (int k = 0; k < NK; k++) {
        real gap = m->seen1[k * SEEN + GAP], region = m->seen1[k * SEEN + REGION];
        mask held = m->mem[k * MEMORY + TOUCHING] != 0.0;
        mask ends = (gap >= 0.05 * LANDING) | (region < 0.0), begins = (-LANDING <= gap) & (gap <= -0.05 * LANDING);
#if PIECES
        begins = begins | ((gap < -LANDING) & (region >= 0.05 * LANDING) & (m->seen[k * SEEN + REGION] < 0.5 * LANDING));
#endif
        found = found | (held & ends) | (NOT(held) & begins);
    }
    for (int l = 0; l < W; l++)
        if (m->target[l] >= 0 || m->tried[l]) LANE(found, l) = -1;
    return found;
}

/* What happened until the end of a step of a lane that stands, into its memory; whether a contact began or ended. */
FN int settle(March *m, int l, const real *fresh) {
    int landed = m->what[l] == GAP ? m->target[l] : -1, changed = 0, ended[NK];
    m->tried[l] = 0;
    m->target[l] = -1;
    m->hit[l] = 0;
    for (int k = 0; k < NK; k++) {
        ended[k] = 0;
        if (!TOUCHES(m, l, k)) continue;
        double gap = AT_END(m, l, k, GAP), region = AT_END(m, l, k, REGION);
        if (k == landed || gap >= 0.05 * LANDING || region < 0.0) {
#if PIECES
            if (region < 0.0 && gap < 0.0) hand_over(m, l, k, fresh);
#endif
            for (int i = 0; i < MEMORY; i++)
                if (i < 4) LANE(m->mem[k * MEMORY + i], l) = 0.0;
            ended[k] = changed = 1;
            m->hit[l] |= 1u << (k & 31);
        }
    }
    int held = 0;
    for (int k = 0; k < NK; k++) {
        double gap = AT_END(m, l, k, GAP), region = AT_END(m, l, k, REGION);
        int closed = -LANDING <= gap && gap <= -0.05 * LANDING && AT_BEGIN(m, l, k, GAP) >= -LANDING;
        if (TOUCHES(m, l, k) || ended[k]) { held |= TOUCHES(m, l, k); continue; }
        if ((k == landed || closed) && region >= 0.0) {
            double rate = AT_END(m, l, k, RATE);
            start_touching(m, l, k, rate < 0.0 ? -rate : 0.0, CARRIES[k] < 0 ? carrier(m, l, k) : -1, fresh);
            held = changed = 1;
            m->hit[l] |= 1u << (k & 31);
#if PIECES
        } else if (CARRIES[k] > 0 && gap < -LANDING && region >= 0.05 * LANDING &&
                   0.05 * LANDING > AT_BEGIN(m, l, k, REGION) - 0.45 * LANDING) {
            int origin = carrier(m, l, k), corner = concave_corner(m->seen1, l, k);
            if (origin >= 0 && corner >= 0) {
                start_touching(m, l, k, 0.0, origin, fresh);
                start_touching(m, l, corner, 0.0, origin, fresh);
                held = changed = 1;
            }
#endif
        }
    }
    if (!held) LANE(m->part, l) = EVER;
    return changed;
}

/* Memory of contacts at the start: those that are closed touch; one that starts inside needs an approach speed. Lanes in which
   it has none. */
FN mask start_memory(March *m, mask alive) {
    real bad = REAL(0.0);
    for (int i = 0; i < NK * MEMORY; i++) m->mem[i] = REAL(0.0);
    for (int k = 0; k < NK; k++) m->since[k] = REAL(GIVEN);
    look(m->c, m->t, m->q, m->v, m->mem, m->seen);
#if BRISTLES
    real fresh[NK * MEMORY], torn[NK];
    advance(m->c, m->t, m->q, m->v, m->mem, fresh, torn);
    for (int k = 0; k < NK; k++)
        if (BRISTLED[k]) for (int i = 4; i < MEMORY; i++) m->mem[k * MEMORY + i] = fresh[k * MEMORY + i];
#endif
    for (int l = 0; l < W; l++) {
        if (!LANE(alive, l)) continue;
        for (int k = 0; k < NK; k++) {
            double gap = AT_BEGIN(m, l, k, GAP), rate = AT_BEGIN(m, l, k, RATE), approach = rate < 0.0 ? -rate : 0.0;
            if (!(AT_BEGIN(m, l, k, REGION) >= 0.0 && gap < 0.0)) continue;
            int shallow = gap >= -LANDING;
            for (int d = NEXT[k]; d != k; d = NEXT[d]) /* one that just touches goes before those that are deep inside */
                shallow |= 2 * (AT_BEGIN(m, l, d, REGION) >= 0.0 && AT_BEGIN(m, l, d, GAP) < 0.0 && AT_BEGIN(m, l, d, GAP) >= -LANDING);
            if (shallow == 2) continue;
            if (gap < -LANDING) {
                if (GIVEN_APPROACH[k] < 0.0 && REMEMBERS[k]) LANE(bad, l) = 1.0;
                approach = GIVEN_APPROACH[k] < 0.0 ? approach : GIVEN_APPROACH[k];
            } else if (rate > 0.0)
                continue;
            LANE(m->mem[k * MEMORY + TOUCHING], l) = 1.0;
            LANE(m->mem[k * MEMORY + APPROACH], l) = approach;
            if (gap >= -LANDING) LANE(m->since[k], l) = START;
        }
    }
    return bad != 0.0;
}

FN mask touching(const March *m) {
    real total = REAL(0.0);
    for (int k = 0; k < NK; k++) total += m->mem[k * MEMORY + TOUCHING];
    return total > 0.0;
}
#endif
