/* Following what drives prescribe: predict by the motion so far, correct, with smaller parts where that jumps or fails, as in
   analysis/kinematics.py.

   From poses Q that are closed at t = 0, sample by sample to `span` s. track[(sample * NOUT + k) * stride + i]; `ends`: time at
   which a design failed. states: poses of all samples, if they are to be kept, for backwards.h. */
KERNEL follow_all(long long count, long long stride, const double *P, const double *Q, const double *span, int samples,
                  double *track, int *flag, double *ends, int keeps, double *states) {
    EACH(i, count) {
        real p[NP], c[NC], q[NQ], v[NQ], a[NQ], predicted[NQ], trial[NQ], pivot[NV], reference[NV], out[NOUT], side[1], now[1];
        for (int k = 0; k < NP; k++) p[k] = get(P + k * stride + i);
        prepare(p, c);
        for (int k = 0; k < NQ; k++) { q[k] = get(Q + k * stride + i); v[k] = a[k] = REAL(0.0); }
        real h = get(span + i) * (1.0 / samples), end = REAL(0.0), missing = REAL(0.0) / 0.0;
        mask alive = h > 0.0;
        for (int sample = 0; sample <= samples; sample++) {
            double done = sample ? 0.0 : 1.0, part = 1.0;
            /* A side that changes next to a change point means another branch, which smaller parts do not go to. Through an exact
               one, where branches cross, it changes however small the parts are: then the sample is begun again, straight on. */
            real q0[NQ], v0[NQ], a0[NQ], side0 = side[0];
            mask doubtful = h < h, straight = h < h, alive0 = alive;
            for (int k = 0; k < NQ; k++) { q0[k] = q[k]; v0[k] = v[k]; a0[k] = a[k]; }
            do {
                double step = part < 1.0 - done ? part : 1.0 - done;
                real dt = h * step, t = h * (sample ? sample - 1 + done + step : 0.0);
                for (int k = 0; k < NQ; k++) predicted[k] = q[k] + dt * (v[k] + 0.5 * dt * a[k]);
                mask good = corrected(c, t, sample == 0, predicted, trial, alive), again = h < h;
                if (ANY(alive & NOT(good))) {
                    part = 0.5 * (part < step ? part : step);
                    if (part >= FINEST && done < 1.0) continue;
                    again = alive & NOT(good) & doubtful & NOT(straight);
                    if (!ANY(again)) {
                        end = CHOOSE(alive & NOT(good), t, end);
                        alive = alive & good;
                        if (!ANY(alive)) break;
                        part = step;
                    }
                }
                real v1[NQ], a1[NQ];
                if (!ANY(again)) {
                    instant(c, t, trial, v1, a1, pivot, now, out);
                    if (sample == 0) side[0] = now[0];
                    mask turned = alive & NOT(straight) & (now[0] * side[0] < 0.0);
                    if (ANY(turned)) {
                        doubtful = doubtful | turned;
                        if (0.5 * step >= FINEST) {
                            part = 0.5 * step;
                            continue;
                        }
                        again = turned;
                    }
                }
                if (!ANY(again)) {
                    mask corner = alive & doubtful & NOT(straight);
                    if (ANY(corner)) corner = corner & kinked(v, v1, KINK);
                    if (ANY(corner)) { /* onto a branch that crosses: no part is small enough for its corner */
                        if (0.5 * step >= FINEST) {
                            part = 0.5 * step;
                            continue;
                        }
                        again = corner;
                    }
                    else
                        for (int k = 0; k < NQ; k++) { v[k] = v1[k]; a[k] = a1[k]; }
                }
                if (!ANY(again)) {
                    side[0] = CHOOSE(now[0] * now[0] == 1.0, now[0], side[0]);
                    for (int k = 0; k < NQ; k++) q[k] = trial[k];
                    mask bad = NOT(total_of(q, NQ) + total_of(v, NQ) + total_of(a, NQ) < HUGE_NUMBER);
                    for (int k = 0; k < PIVOTS; k++) {
                        real size = FABS(pivot[k]);
                        if (sample == 0) reference[k] = size;
                        else bad = bad | (size * SINGULAR > reference[k]);
                    }
                    again = alive & bad & doubtful & NOT(straight);
                    if (!ANY(again)) {
                        end = CHOOSE(alive & bad, t, end);
                        alive = alive & NOT(bad);
                        done += step;
                        part = part < 0.5 ? 2.0 * part : 1.0;
                        continue;
                    }
                }
                straight = straight | again;
                for (int k = 0; k < NQ; k++) { q[k] = q0[k]; v[k] = v0[k]; a[k] = a0[k]; }
                side[0] = side0;
                alive = alive0;
                done = 0.0;
                part = 1.0;
            } while (done < 1.0 - 1e-12 && ANY(alive));
            for (int k = 0; k < NOUT; k++) put(track + ((long long)sample * NOUT + k) * stride + i, CHOOSE(alive, out[k], missing));
#if STATES
            if (keeps)
                for (int k = 0; k < COORDINATES; k++) put(states + ((long long)sample * STATES + k) * stride + i, q[KEPT[k]]);
#endif
            if (!ANY(alive)) {
                for (long long s = sample + 1; s <= samples; s++)
                    for (int k = 0; k < NOUT; k++) put(track + (s * NOUT + k) * stride + i, missing);
                break;
            }
        }
        put(ends + i, end);
        for (int l = 0; l < W; l++) flag[i + l] = LANE(alive, l) ? FINE : DEAD_POINT;
    }
}
