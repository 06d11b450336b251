/* The loop over all designs: steps, events, samples. What a step and an event are: march.h. */

#if STATES
/* What backwards.h needs of a sample. */
FN void keep(const March *m, real sample, mask which, double *states, long long stride, long long i) {
    for (int l = 0; l < W; l++) {
        if (!LANE(which, l)) continue;
        double *to = states + (long long)LANE(sample, l) * STATES * stride + i + l;
        for (int k = 0; k < COORDINATES; k++, to += stride) *to = LANE(m->q[KEPT[k]], l);
#if NK
        for (int k = 0; k < NK; k++) {
            for (int n = 0; n < MEMORY; n++, to += stride) *to = LANE(m->mem[k * MEMORY + n], l);
            *to = LANE(m->since[k], l);
            to += stride;
        }
#endif
    }
}
#endif

/* From closed poses Q, sample by sample to `span` s, a sample every step. track[(sample * NOUT + k) * stride + i]; `ends`: time at
   which a design failed. states: what is kept of samples for derivatives, backwards.h. sums, seeds, by: derivatives of sums of
   outputs that are carried along, tangents.h; dQ: those of Q in the parameters, [(j * NQ + k) * stride + i]. */
KERNEL march_all(long long count, long long stride, const double *P, const double *Q, const double *span, int samples,
                 double *track, int *flag, double *ends, int keeps, double *states, int sums,
                 const double *seeds, double *by, const double *dQ) {
    EACH_TOGETHER(i, count) {
        March state, *m = &state;
        real p[NP], c[NC], out[NOUT], end = REAL(0.0), code = REAL(0.0), done = REAL(0.0), missing = REAL(0.0) / 0.0;
        for (int k = 0; k < NP; k++) p[k] = get(P + k * stride + i);
        prepare(p, c);
        m->c = c; m->t = REAL(0.0); m->whole = get(span + i) * (1.0 / samples);
        for (int k = 0; k < NQ; k++) m->q[k] = get(Q + k * stride + i);
        begin(c, m->t, m->q, m->v);
        mask alive = m->whole > 0.0;
        m->started = alive & NOT(alive);
        m->aim = REAL(0.0);
#if NK
        mask inside = start_memory(m, alive);
        code = CHOOSE(inside, REAL(INSIDE), code);
        alive = alive & NOT(inside);
        m->part = REAL(EVER);
        for (int l = 0; l < W; l++) { m->target[l] = -1; m->what[l] = GAP; m->aimed[l] = m->tried[l] = 0; }
#endif
#if ORDER == 2
        m->clock = REAL(0.0); m->attempted = REAL(HUGE_NUMBER);
        for (int k = 0; k < NQ; k++) m->b[k] = m->b_after[k] = m->a_before[k] = REAL(0.0);
#endif
        finish(c, m->t, m->q, m->v, m->mem, m->a, m->lam, m->pivot);
        for (int k = 0; k < PIVOTS; k++) m->reference[k] = FABS(m->pivot[k]);
#if DRIVEN
        m->side = m->pivot[SIDE];
#endif
        real mass[1], stiffest = largest(m->pivot, PIVOTS);
        heaviest(c, mass);
        mask sound = is_finite(m->v, NQ) & is_finite(m->a, NQ) & (stiffest * SINGULAR <= mass[0]);
        code = CHOOSE(alive & NOT(sound), REAL(SINGULAR_POSE), code);
        alive = alive & sound;
        outputs(c, m->t, m->q, m->v, m->mem, m->a, m->lam, out);
        for (int k = 0; k < NOUT; k++) put(track + (long long)k * stride + i, CHOOSE(alive, out[k], missing));
#if STATES
        if (keeps) keep(m, done, alive, states, stride, i);
#endif
        mask busy = alive;
        real failures = REAL(0.0);
#if defined(TANGENTS)
        Along along_all, *d = &along_all;
        if (sums) {
            for (int k = 0; k < NP * NQ; k++) d->dq[k] = get(dQ + k * stride + i);
            start_along(m, d);
            if (OWN(count)) sum_along(m, d, done, busy, samples, sums, seeds, by, stride, i);
        }
#endif
        while (ANYBODY(busy)) {
            real t1 = (done + 1.0) * m->whole, rest = t1 - m->t;
            m->dt = rest;
#if NK
            real parts = CEIL(rest / FMIN(m->part, rest));
            m->dt = CHOOSE(m->part >= rest, rest, rest / parts);
#endif
#if REPEATS
            real least = SHORTEST * m->whole, aimed = FMIN(FMAX(m->aim, least), rest);
            m->dt = CHOOSE(m->aim > 0.0, aimed, m->dt);
            m->dt = CHOOSE(m->dt > (1.0 - 1e-12) * rest, rest, m->dt);
#endif
            m->dt = CHOOSE(busy, m->dt, m->whole);
            mask whole = m->dt == rest;
            take_step(m, busy);
            mask good = m->good & is_finite(m->q1, NQ) & is_finite(m->v1, NQ) & is_finite(m->a1, NQ) & is_finite(m->lam1, ROWS);
            mask singular = good & is_singular(m), stands = busy & good & NOT(singular);
#if REPEATS
            real factor = CHOOSE(stands, REAL(1.0), REAL(0.25));
#endif
#if DRIVEN
            /* Over a dead point onto another branch, with a corner in the velocities; without one branches cross, and the motion
               goes straight on. */
            mask turned = stands & (m->pivot[SIDE] * m->side < 0.0);
            if (ANY(turned)) {
                real expected[NQ];
                for (int k = 0; k < NQ; k++) expected[k] = m->v[k] + m->dt * m->a[k];
                turned = turned & kinked(expected, m->v1, CORNER);
            }
            factor = CHOOSE(turned, REAL(0.5), factor);
            stands = stands & NOT(turned);
#endif
            good = stands;
#if NK
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
#endif
#if REPEATS
            mask again = busy & (factor != 1.0) & (m->dt > SHORTEST * m->whole) & (good | (m->dt > 1e-6 * m->whole));
            m->aim = CHOOSE(again, factor * m->dt, m->aim);
            stands = stands & NOT(again);
#if ORDER == 2
            m->clock = CHOOSE(again, REAL(0.0), m->clock);
#endif
            failures = CHOOSE(busy & (NOT(good) | (stands & (m->dt < 1e-6 * m->whole))), failures + 1.0, failures);
            mask exhausted = busy & (failures >= MOST_FAILURES);
            again = again & NOT(exhausted);
            stands = stands & NOT(exhausted);
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
#if defined(TANGENTS)
            if (sums) carry_along(m, d, rest, stands);
#endif
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
                real a1[NQ], v1[NQ], lam1[NM], pivot[NV];
                for (int k = 0; k < NQ; k++) v1[k] = m->v1[k];
                finish(c, m->t + m->dt, m->q1, v1, m->mem, a1, lam1, pivot);
                for (int k = 0; k < NQ; k++) m->a1[k] = CHOOSE(changed, a1[k], m->a1[k]);
                for (int k = 0; k < ROWS; k++) m->lam1[k] = CHOOSE(changed, lam1[k], m->lam1[k]);
#if defined(TANGENTS)
                if (sums) jump_along(m, d, changed);
#endif
#if ORDER == 2
                m->clock = CHOOSE(changed, REAL(0.0), m->clock);
#endif
            }
#if BRISTLES
            look(c, m->t + m->dt, m->q1, m->v1, m->mem, m->seen1); /* the slip along what the bristles have become */
#endif
            for (int k = 0; k < NK * SEEN; k++) m->seen[k] = CHOOSE(stands, m->seen1[k], m->seen[k]);
#endif
            m->aim = CHOOSE(stands, REAL(0.0), m->aim);
#if DRIVEN
            m->side = CHOOSE(stands & (m->pivot[SIDE] * m->pivot[SIDE] == 1.0), m->pivot[SIDE], m->side);
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
            failures = CHOOSE(full, REAL(0.0), failures);
            outputs(c, m->t, m->q, m->v, m->mem, m->a, m->lam, out);
            for (int l = 0; l < W; l++) {
                if (!LANE(full, l)) continue;
                double *to = track + (long long)LANE(done, l) * NOUT * stride + i + l;
                for (int k = 0; k < NOUT; k++) to[(long long)k * stride] = LANE(out[k], l);
            }
#if STATES
            if (keeps) keep(m, done, full, states, stride, i);
#endif
#if defined(TANGENTS)
            if (sums && OWN(count)) sum_along(m, d, done, full, samples, sums, seeds, by, stride, i);
#endif
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
