/* Forward dynamics of many designs with fixed steps and located events of contacts, as integrate/march.py and contact/events.py
   have it for one. Every lane has a clock of its own: where a contact begins or ends inside a step, that lane repeats a part of
   it while the others go on. What happens to a contact is rare and decided lane by lane, in plain numbers.

   Numbers seen of a contact: gap, rate, region, speed of the slip, slip along the bristles. Remembered: see contacts.py. */
#define GAP 0
#define RATE 1
#define REGION 2
#define SPEED 3
#define ALONG 4
#define SEEN 5
#define TOUCHING 0
#define APPROACH 1
#define LEFT_OVER 1e-6
#define SHORTEST 1e-9
#define EVER 1e308
#define OPEN_JOINT 1e-6

typedef struct {
    const real *c;
    const double *scale;
    real t, dt, whole;                               /* begin of the step, length of the attempt, length of a step */
    real q[NQ], v[NQ], a[NQ], lam[NM];               /* at the begin of the step */
    real q1[NQ], v1[NQ], a1[NQ], lam1[NM];           /* at its end */
    real pivot[NM], reference[NM];
    mask good, started;                              /* whether the attempt came to a state; whether there was a step */
#if NK
    real mem[NK * MEMORY], seen[NK * SEEN], seen1[NK * SEEN];
    real part, aim;                                  /* parts that contacts ask for; the next attempt, 0: the rest */
    int target[W], what[W], aimed[W], tried[W];
#else
    real mem[1];
#endif
#if ORDER == 2
    real b[NQ], b_after[NQ], a_before[NQ], clock, attempted;
#endif
} March;

FN mask is_finite(const real *x, int count) {
    real total = REAL(0.0);
    for (int k = 0; k < count; k++) total += FABS(x[k]);
    return total < EVER;
}

/* Positions back onto the joints, as system/project.py; whether they were found. */
FN mask project(const real *c, real t, real *q, mask alive) {
    mask good = alive | NOT(alive);
#if ROWS
    real phi[NM], before = REAL(HUGE_NUMBER);
    for (int k = 0; k < 5; k++) {
        correct(c, t, q, phi);
        real worst = largest(phi, ROWS);
        good = worst <= OPEN_JOINT;
        if (!ANY(alive & (worst > 1e-13) & (worst <= 0.5 * before))) break;
        before = worst;
    }
#endif
    return good;
}

FN mask is_singular(const March *m) {
    mask bad = m->started & NOT(m->started);
    for (int k = 0; k < ROWS; k++) bad = bad | (FABS(m->pivot[k]) * SINGULAR > m->reference[k]);
    return bad;
}

/* ---- methods: from q, v, a to q1, v1, a1, lam1 ------------------------------------------------------------------------- */
#if ORDER == 4
FN void take_step(March *m, mask alive) {
    const real *c = m->c;
    real h = m->dt, half = 0.5 * h, x[NQ], y[NQ], k2[NQ], k3[NQ], k4[NQ];
    for (int i = 0; i < NQ; i++) { x[i] = m->q[i] + half * m->v[i]; y[i] = m->v[i] + half * m->a[i]; }
    accelerate(c, m->t + half, x, y, m->mem, k2);
    for (int i = 0; i < NQ; i++) {
        m->q1[i] = m->v[i] + 2.0 * y[i];
        x[i] = m->q[i] + half * y[i];
        y[i] = m->v[i] + half * k2[i];
    }
    accelerate(c, m->t + half, x, y, m->mem, k3);
    for (int i = 0; i < NQ; i++) {
        m->q1[i] += 2.0 * y[i];
        x[i] = m->q[i] + h * y[i];
        y[i] = m->v[i] + h * k3[i];
    }
    accelerate(c, m->t + h, x, y, m->mem, k4);
    for (int i = 0; i < NQ; i++) {
        m->q1[i] = m->q[i] + h * (1.0 / 6.0) * (m->q1[i] + y[i]);
        m->v1[i] = m->v[i] + h * (1.0 / 6.0) * (m->a[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
    }
    m->good = is_finite(m->q1, NQ) & is_finite(m->v1, NQ);
#if PROJECT
    m->good = m->good & project(c, m->t + h, m->q1, alive & m->good);
#endif
    finish(c, m->t + h, m->q1, m->v1, m->mem, m->a1, m->lam1, m->pivot);
}
#else
/* generalized-alpha on the index-3 form; the equations stand in integrate/generalized_alpha.py */
#define GAMMA (0.5 + ALPHA_F - ALPHA_M)
#define BETA (0.25 * (GAMMA + 0.5) * (GAMMA + 0.5))
#define RATIO ((1.0 - ALPHA_F) / (1.0 - ALPHA_M))
#define SHIFT (ALPHA_M - ALPHA_F)
#define MISS (1.0 / 6.0 - 0.5 * SHIFT - BETA)
#define ITERATIONS 20
#define CURVED 1e4
#define RINGING 1e-2

/* a1 and lam1 from the prediction in q1, v1, a1, lam1, which follow them; where that converged. */
FN mask iterate(March *m, real h, double beta, double gamma, mask alive) {
    real da[NQ], dl[NM], before = REAL(HUGE_NUMBER), by_v = gamma * h, by_q = beta * h * h;
    mask busy = alive, done = alive & NOT(alive);
    for (int k = 0; k < ITERATIONS; k++) {
        newton(m->c, m->t + h, m->q1, m->v1, m->mem, m->a1, m->lam1, by_v, by_q, da, dl, m->pivot);
        real change = REAL(0.0);
        for (int i = 0; i < NQ; i++) {
            real d = CHOOSE(busy, da[i], REAL(0.0));
            m->a1[i] += d;
            m->v1[i] += by_v * d;
            m->q1[i] += by_q * d;
            real part = FABS(d) * (1.0 / m->scale[i]);
            change = CHOOSE(part <= change, change, part); /* not a number if one of them is not */
        }
        for (int j = 0; j < ROWS; j++) m->lam1[j] += CHOOSE(busy, dl[j], REAL(0.0));
        change = change * by_q;
        real rate = change / before;
        real remaining = k ? change * FMIN(rate, REAL(1.0)) : CURVED * change * change;
        mask near = (remaining <= CONVERGED) | (change <= CONVERGED);
        done = done | (busy & near);
        busy = busy & NOT(near) & (change < HUGE_NUMBER);
        if (!ANY(busy)) break;
        before = change;
    }
    return done;
}

/* The acceleration a time h after the begin of the step, if it changed by `rise` until then. */
FN void acceleration_after(March *m, real h, const real *v, const real *a, const real *rise, real *found) {
    real x[NQ], y[NQ];
    for (int i = 0; i < NQ; i++) {
        x[i] = m->q[i] + h * (v[i] + h * (0.5 * a[i] + rise[i] * (1.0 / 6.0)));
        y[i] = v[i] + h * (a[i] + 0.5 * rise[i]);
    }
    accelerate(m->c, m->t + h, x, y, m->mem, found);
}

/* Values for a step that has none like it before it: b, the acceleration before, velocity and acceleration at the begin. */
FN void restart(March *m, real h, mask which, real *v, real *a) {
    real rise[NQ], after[NQ], fresh_v[NQ], fresh_a[NQ], dv[NQ];
    real largest_rise = REAL(0.0), missed = REAL(0.0), fastest = REAL(0.0);
    for (int i = 0; i < NQ; i++) { fresh_v[i] = m->v[i]; rise[i] = REAL(0.0); }
    straighten(m->c, m->t, m->q, fresh_v);
    accelerate(m->c, m->t, m->q, fresh_v, m->mem, fresh_a);
    acceleration_after(m, h, fresh_v, fresh_a, rise, after);
    for (int i = 0; i < NQ; i++) {
        double size = 1.0 / m->scale[i];
        rise[i] = after[i] - fresh_a[i];
        real big = FABS(rise[i]) * size, fast = FABS(fresh_a[i]) * size;
        largest_rise = FMAX(largest_rise, big);
        fastest = FMAX(fastest, fast);
    }
    acceleration_after(m, h, fresh_v, fresh_a, rise, after);
    for (int i = 0; i < NQ; i++) {
        real off = FABS(after[i] - fresh_a[i] - rise[i]) * (1.0 / m->scale[i]);
        missed = FMAX(missed, off);
    }
    mask smooth = missed <= 0.25 * largest_rise;
    mask rings = which & NOT(smooth) & (h * h * fastest > RINGING);
    if (ANY(rings)) { /* the acceleration at an instant is of no use: that of a step of implicit Euler */
        for (int i = 0; i < NQ; i++) {
            m->q1[i] = m->q[i] + h * fresh_v[i];
            m->v1[i] = fresh_v[i];
            m->a1[i] = REAL(0.0);
        }
        for (int j = 0; j < ROWS; j++) m->lam1[j] = REAL(0.0);
        mask found = iterate(m, h, 1.0, 1.0, rings);
        for (int i = 0; i < NQ; i++) fresh_a[i] = CHOOSE(rings & found, m->a1[i], fresh_a[i]);
    }
    for (int i = 0; i < NQ; i++) {
        rise[i] = CHOOSE(smooth, rise[i], REAL(0.0));
        m->b[i] = CHOOSE(which, fresh_a[i] + SHIFT * rise[i], m->b[i]);
        m->a_before[i] = CHOOSE(which, fresh_a[i] - rise[i], m->a_before[i]);
        rise[i] = MISS * h * rise[i];
    }
    pull(m->c, m->t, m->q, rise, dv);
    for (int i = 0; i < NQ; i++) {
        v[i] = CHOOSE(which, fresh_v[i] + dv[i], v[i]);
        a[i] = CHOOSE(which, fresh_a[i], a[i]);
    }
}

FN void take_step(March *m, mask alive) {
    real h = m->dt, v[NQ], a[NQ];
    mask taken = m->t > m->attempted;
    for (int i = 0; i < NQ; i++) {
        m->b[i] = CHOOSE(taken, m->b_after[i], m->b[i]);
        v[i] = m->v[i];
        a[i] = m->a[i];
    }
    m->attempted = m->t + 0.5 * h;
    mask changed = alive & ((FABS(h - m->clock) > 1e-3 * h) | NOT(m->started));
    if (ANY(changed)) restart(m, h, changed, v, a);
    m->clock = h;
    for (int i = 0; i < NQ; i++) {
        m->a1[i] = 2.0 * a[i] - m->a_before[i];
        real b1 = ((1.0 - ALPHA_F) * m->a1[i] + ALPHA_F * a[i] - ALPHA_M * m->b[i]) * (1.0 / (1.0 - ALPHA_M));
        m->q1[i] = m->q[i] + h * (v[i] + h * ((0.5 - BETA) * m->b[i] + BETA * b1));
        m->v1[i] = v[i] + h * ((1.0 - GAMMA) * m->b[i] + GAMMA * b1);
    }
    for (int j = 0; j < ROWS; j++) m->lam1[j] = m->lam[j];
    m->good = iterate(m, h, BETA * RATIO, GAMMA * RATIO, alive);
    for (int k = 0; k < ROWS; k++) m->reference[k] = CHOOSE(m->started, m->reference[k], FABS(m->pivot[k]));
    for (int i = 0; i < NQ; i++) {
        m->a_before[i] = a[i];
        m->b_after[i] = ((1.0 - ALPHA_F) * m->a1[i] + ALPHA_F * a[i] - ALPHA_M * m->b[i]) * (1.0 / (1.0 - ALPHA_M));
    }
}
#endif

/* ---- contacts ------------------------------------------------------------------------------------------------------------ */
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

/* The motion between both ends of the step: quintic Hermite polynomials, system/hermite.py. */
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
        real size = m->scale[i] + FABS(m->v[i]), bent = (2.0 / 3.0) * m->dt * x[i];
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

/* ---- the loop ------------------------------------------------------------------------------------------------------------ */

/* From closed poses Q, sample by sample to `span` s, a sample every step. track[(sample * NOUT + k) * stride + i]; `ends`: time at
   which a design failed. */
KERNEL march_all(long long count, long long stride, const double *P, const double *Q, const double *span, int samples,
                 const double *scale, double *track, int *flag, double *ends) {
    EACH(i, count) {
        March state, *m = &state;
        real p[NP], c[NC], out[NOUT], end = REAL(0.0), code = REAL(0.0), done = REAL(0.0), missing = REAL(0.0) / 0.0;
        for (int k = 0; k < NP; k++) p[k] = get(P + k * stride + i);
        prepare(p, c);
        m->c = c; m->scale = scale; m->t = REAL(0.0); m->whole = get(span + i) * (1.0 / samples);
        for (int k = 0; k < NQ; k++) m->q[k] = get(Q + k * stride + i);
        begin(c, m->t, m->q, m->v);
        mask alive = m->whole > 0.0;
        m->started = alive & NOT(alive);
#if NK
        mask inside = start_memory(m, alive);
        code = CHOOSE(inside, REAL(INSIDE), code);
        alive = alive & NOT(inside);
        m->part = REAL(EVER); m->aim = REAL(0.0);
        for (int l = 0; l < W; l++) { m->target[l] = -1; m->what[l] = GAP; m->aimed[l] = m->tried[l] = 0; }
#endif
#if ORDER == 2
        m->clock = REAL(0.0); m->attempted = REAL(HUGE_NUMBER);
        for (int k = 0; k < NQ; k++) m->b[k] = m->b_after[k] = m->a_before[k] = REAL(0.0);
#endif
        finish(c, m->t, m->q, m->v, m->mem, m->a, m->lam, m->pivot);
        for (int k = 0; k < ROWS; k++) m->reference[k] = FABS(m->pivot[k]);
        mask sound = is_finite(m->v, NQ) & is_finite(m->a, NQ);
        code = CHOOSE(alive & NOT(sound), REAL(SINGULAR_POSE), code);
        alive = alive & sound;
        outputs(c, m->t, m->q, m->v, m->mem, m->a, m->lam, out);
        for (int k = 0; k < NOUT; k++) put(track + (long long)k * stride + i, CHOOSE(alive, out[k], missing));
        mask busy = alive;
        while (ANY(busy)) {
            real t1 = (done + 1.0) * m->whole, rest = t1 - m->t;
            m->dt = rest;
#if NK
            real parts = CEIL(rest / FMIN(m->part, rest));
            m->dt = CHOOSE(m->part >= rest, rest, rest / parts);
            real least = SHORTEST * m->whole, aimed = FMIN(FMAX(m->aim, least), rest);
            m->dt = CHOOSE(m->aim > 0.0, aimed, m->dt);
            m->dt = CHOOSE(m->dt > (1.0 - 1e-12) * rest, rest, m->dt);
#endif
            m->dt = CHOOSE(busy, m->dt, m->whole);
            mask whole = m->dt == rest;
            take_step(m, busy);
            mask good = m->good & is_finite(m->q1, NQ) & is_finite(m->v1, NQ) & is_finite(m->a1, NQ) & is_finite(m->lam1, ROWS);
            mask singular = good & is_singular(m), stands = busy & good & NOT(singular);
            good = stands;
#if NK
            real factor = CHOOSE(good, REAL(1.0), REAL(0.25));
            look(c, m->t + m->dt, m->q1, m->v1, m->mem, m->seen1);
            mask asked = good & suspicious(m);
#if FREE
            mask held = good & touching(m);
            if (ANY(held)) {
                real error = unresolved(m);
                for (int l = 0; l < W; l++) {
                    if (!LANE(held, l)) continue;
                    double off = LANE(error, l), allowed = pow(TOLERANCE, 3.0 / (ORDER + 1.0) < 1.0 ? 3.0 / (ORDER + 1.0) : 1.0);
                    double dt = LANE(m->dt, l);
                    if (off > allowed && dt > SMALLEST_PART * LANE(m->whole, l)) {
                        double less = off < EVER ? 0.8 * pow(allowed / off, 1.0 / 3.0) : 0.1;
                        m->target[l] = -1;
                        LANE(factor, l) = less > 0.1 ? less : 0.1;
                        LANE(m->part, l) = LANE(factor, l) * dt;
                    } else if (8.0 * off < allowed && LANE(m->part, l) < 2.0 * dt)
                        LANE(m->part, l) = 2.0 * dt;
                }
            }
#endif
            for (int l = 0; l < W; l++)
                if (LANE(good, l) && LANE(factor, l) == 1.0 && (LANE(asked, l) || m->target[l] >= 0)) LANE(factor, l) = watch(m, l);
            mask again = busy & (factor != 1.0) & (m->dt > SHORTEST * m->whole) & (good | (m->dt > 1e-6 * m->whole));
            m->aim = CHOOSE(again, factor * m->dt, m->aim);
            stands = stands & NOT(again);
#if ORDER == 2
            m->clock = CHOOSE(again, REAL(0.0), m->clock);
#endif
            mask failed = busy & NOT(stands) & NOT(again);
#else
            mask failed = busy & NOT(stands);
#endif
            if (ANY(failed)) {
                code = CHOOSE(failed, CHOOSE(singular, REAL(SINGULAR_POSE), REAL(LOST)), code);
                end = CHOOSE(failed, m->t + m->dt, end);
                alive = alive & NOT(failed);
                busy = busy & NOT(failed);
            }
            if (!ANY(stands)) continue;
#if NK
            mask changed = stands & NOT(stands);
            real fresh[BRISTLES ? NK * MEMORY : 1];
#if BRISTLES
            real torn[NK];
            advance(c, m->t + m->dt, m->q1, m->v1, m->mem, fresh, torn);
            for (int k = 0; k < NK; k++) {
                mask holds = stands & (m->mem[k * MEMORY + TOUCHING] != 0.0);
                if (BRISTLED[k]) for (int n = 2; n < MEMORY; n++)
                    m->mem[k * MEMORY + n] = CHOOSE(holds, fresh[k * MEMORY + n], m->mem[k * MEMORY + n]);
            }
#endif
            mask settling = stands & near_an_event(m);
            for (int l = 0; l < W; l++)
                if (LANE(settling, l) && settle(m, l, fresh)) LANE(changed, l) = -1;
            if (ANY(changed)) {
                real a1[NQ], v1[NQ], lam1[NM], pivot[NM];
                for (int k = 0; k < NQ; k++) v1[k] = m->v1[k];
                finish(c, m->t + m->dt, m->q1, v1, m->mem, a1, lam1, pivot);
                for (int k = 0; k < NQ; k++) m->a1[k] = CHOOSE(changed, a1[k], m->a1[k]);
                for (int k = 0; k < ROWS; k++) m->lam1[k] = CHOOSE(changed, lam1[k], m->lam1[k]);
#if ORDER == 2
                m->clock = CHOOSE(changed, REAL(0.0), m->clock);
#endif
            }
#if BRISTLES
            look(c, m->t + m->dt, m->q1, m->v1, m->mem, m->seen1); /* the slip along what the bristles have become */
#endif
            for (int k = 0; k < NK * SEEN; k++) m->seen[k] = CHOOSE(stands, m->seen1[k], m->seen[k]);
            m->aim = CHOOSE(stands, REAL(0.0), m->aim);
#endif
            for (int k = 0; k < NQ; k++) {
                m->q[k] = CHOOSE(stands, m->q1[k], m->q[k]);
                m->v[k] = CHOOSE(stands, m->v1[k], m->v[k]);
                m->a[k] = CHOOSE(stands, m->a1[k], m->a[k]);
            }
            for (int k = 0; k < ROWS; k++) m->lam[k] = CHOOSE(stands, m->lam1[k], m->lam[k]);
            m->started = m->started | stands;
            m->t = CHOOSE(stands, CHOOSE(whole, t1, m->t + m->dt), m->t);
            mask full = stands & (whole | (t1 - m->t < LEFT_OVER * m->whole)); /* what is left goes to the next step */
            if (!ANY(full)) continue;
            done = CHOOSE(full, done + 1.0, done);
            outputs(c, m->t, m->q, m->v, m->mem, m->a, m->lam, out);
            for (int l = 0; l < W; l++) {
                if (!LANE(full, l)) continue;
                double *to = track + (long long)LANE(done, l) * NOUT * stride + i + l;
                for (int k = 0; k < NOUT; k++) to[(long long)k * stride] = LANE(out[k], l);
            }
            busy = busy & (done < (double)samples);
        }
        for (int l = 0; l < W; l++) {
            if (LANE(alive, l)) { flag[i + l] = FINE; continue; }
            flag[i + l] = (int)LANE(code, l);
            for (long long s = (long long)LANE(done, l) + 1; s <= samples; s++)
                for (int k = 0; k < NOUT; k++) track[(s * NOUT + k) * stride + i + l] = 0.0 / 0.0;
        }
        put(ends + i, end);
    }
}
