/* A step of generalized-alpha on the index-3 form: from q, v, a to q1, v1, a1, lam1; the equations stand in
   integrate/generalized_alpha.py. */
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
            real part = FABS(d) * PER_SCALE[i];
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
        double size = PER_SCALE[i];
        rise[i] = after[i] - fresh_a[i];
        real big = FABS(rise[i]) * size, fast = FABS(fresh_a[i]) * size;
        largest_rise = FMAX(largest_rise, big);
        fastest = FMAX(fastest, fast);
    }
    acceleration_after(m, h, fresh_v, fresh_a, rise, after);
    for (int i = 0; i < NQ; i++) {
        real off = FABS(after[i] - fresh_a[i] - rise[i]) * PER_SCALE[i];
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
    for (int k = 0; k < PIVOTS; k++) m->reference[k] = CHOOSE(m->started, m->reference[k], FABS(m->pivot[k]));
    for (int i = 0; i < NQ; i++) {
        m->a_before[i] = a[i];
        m->b_after[i] = ((1.0 - ALPHA_F) * m->a1[i] + ALPHA_F * a[i] - ALPHA_M * m->b[i]) * (1.0 / (1.0 - ALPHA_M));
    }
}
