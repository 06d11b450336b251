/* Closing, and following what drives prescribe, for many designs: the same for every mechanism. Lanes go together; one that has
   failed is no longer looked at.

   close_all: from the drawn pose, damped Gauss-Newton as in system/assemble.py.
   follow_all: predict by the motion so far, correct, with smaller parts where that jumps or fails, as in analyse/kinematics.py.

   Parameters, poses and tracks are arrays with designs side by side: x[k * stride + i] for design i. On a machine `stride` is a
   multiple of W and what lies behind the last design is filled with it. */
#define FINE 0
#define OPEN 1
#define DEAD_POINT 2
#define CLOSE_STEPS 200
#define MAX_TURN 0.5
#define NEARLY 1e-9
#define ROUNDING 1e-16
#define LEAP 0.2
#define FINEST (1.0 / 4096.0)
#define SINGULAR 1e-12
#define HUGE_NUMBER 1e300

#if !(defined(__CUDACC__) || defined(__CUDACC_RTC__))
const int lanes = W;
#endif

FN real get(const double *from) {
    real x = REAL(0.0);
    for (int l = 0; l < W; l++) LANE(x, l) = from[l];
    return x;
}

FN void put(double *to, real x) {
    for (int l = 0; l < W; l++) to[l] = LANE(x, l);
}

FN real largest(const real *x, int count) {
    real found = REAL(0.0);
    for (int k = 0; k < count; k++) { real size = FABS(x[k]); found = CHOOSE(size <= found, found, size); }
    return found; /* not a number if one of them is not */
}

FN real length(const real *x, int count) {
    real found = REAL(0.0);
    for (int k = 0; k < count; k++) found += x[k] * x[k];
    return SQRT(found);
}

FN real distance(const real *x, const real *y, const double *scale) {
    real found = REAL(0.0);
    for (int i = 0; i < NQ; i++) { real part = FABS(x[i] - y[i]) * (1.0 / scale[i]); found = FMAX(found, part); }
    return found;
}

FN real close_lanes(const real *c, const double *scale, double size, real *q) {
    real phi[NM], dq[NQ], trial[NQ], mu = REAL(1e-4), since = REAL(0.0), t = REAL(0.0);
    residual(c, t, q, phi);
    real norm = length(phi, NM), worst = largest(phi, NM);
    mask busy = norm < HUGE_NUMBER;
    for (int k = 0; k < CLOSE_STEPS; k++) {
        busy = busy & (worst >= 1e-14) & (since <= 3.0);
        if (!ANY(busy)) break;
        damped(c, t, q, mu * size, dq);
        real most = REAL(0.0);
        for (int i = 0; i < NQ; i++) { real part = FABS(dq[i]) * (1.0 / scale[i]); most = FMAX(most, part); }
        real shorten = CHOOSE(most > MAX_TURN, MAX_TURN / most, REAL(1.0));
        for (int i = 0; i < NQ; i++) trial[i] = q[i] + shorten * dq[i];
        residual(c, t, trial, phi);
        real there = length(phi, NM);
        mask better = busy & (there < norm);
        mask slow = better & (there > 0.999 * norm) & (most < 1e-6);
        mask stuck = busy & NOT(better) & ((mu > 1e6) | ((norm < 1e-12) & (mu > 1e-10)));
        since = CHOOSE(slow, since + 1.0, CHOOSE(better, REAL(0.0), since));
        for (int i = 0; i < NQ; i++) q[i] = CHOOSE(better, trial[i], q[i]);
        norm = CHOOSE(better, there, norm);
        worst = CHOOSE(better, largest(phi, NM), worst);
        mu = CHOOSE(better, FMAX(mu * 0.1, REAL(1e-14)), mu * 10.0);
        busy = busy & NOT(stuck);
    }
    return worst;
}

KERNEL close_all(long long count, long long stride, const double *P, const double *drawn, const double *scale, double size,
                 double closed, double *Q, int *flag) {
    EACH(i, count) {
        real p[NP], c[NC], q[NQ];
        for (int k = 0; k < NP; k++) p[k] = get(P + k * stride + i);
        prepare(p, c);
        for (int k = 0; k < NQ; k++) q[k] = REAL(drawn[k]);
        real worst = close_lanes(c, scale, size, q);
        for (int k = 0; k < NQ; k++) put(Q + k * stride + i, q[k]);
        mask good = worst <= closed;
        for (int l = 0; l < W; l++) flag[i + l] = LANE(good, l) ? FINE : OPEN;
    }
}

/* The pose at t from a prediction; where it was found, and did not jump unless it may. The second of two corrections takes an error
   down by a factor of about the size of both: where that is not enough, there are two more. */
FN mask corrected(const real *c, real t, const double *scale, int may_jump, const real *predicted, real *q, mask alive) {
    real phi[NM], from[NQ], before = REAL(HUGE_NUMBER);
    mask good;
    for (int i = 0; i < NQ; i++) q[i] = predicted[i];
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < NQ; i++) from[i] = q[i];
        correct(c, t, q, phi);
        real worst = largest(phi, NM), change = distance(q, from, scale);
        good = (worst < NEARLY) & (worst * change < ROUNDING);
        if (!ANY(alive & NOT(good) & (worst <= 0.5 * before))) break;
        before = worst;
    }
    return may_jump ? good : good & (distance(q, predicted, scale) < LEAP);
}

/* From poses Q that are closed at t = 0, sample by sample to `span` s. track[(sample * NOUT + k) * stride + i]; `ends`: time at
   which a design failed. sums: of outputs over the samples whose derivatives are wanted, with weights
   seeds[((sum * (samples + 1) + sample) * NOUT + k) * stride + i]; by[(sum * (NF + 1) + k) * stride + i] gets those in what the
   design enters by, and, last, in the length of the run for its whole length. */
KERNEL follow_all(long long count, long long stride, const double *P, const double *Q, const double *span, int samples,
                  const double *scale, double *track, int *flag, double *ends, int sums, const double *seeds, double *by) {
    EACH(i, count) {
        real p[NP], c[NC], q[NQ], v[NQ], a[NQ], predicted[NQ], trial[NQ], pivot[NM], reference[NM], out[NOUT];
        for (int k = 0; k < NP; k++) p[k] = get(P + k * stride + i);
        prepare(p, c);
        for (int k = 0; k < NQ; k++) { q[k] = get(Q + k * stride + i); v[k] = a[k] = REAL(0.0); }
        real h = get(span + i) * (1.0 / samples), end = REAL(0.0), missing = REAL(0.0) / 0.0;
        mask alive = h > 0.0;
        for (int sample = 0; sample <= samples; sample++) {
            double done = sample ? 0.0 : 1.0, part = 1.0;
            do {
                double step = part < 1.0 - done ? part : 1.0 - done;
                real dt = h * step, t = h * (sample ? sample - 1 + done + step : 0.0);
                for (int k = 0; k < NQ; k++) predicted[k] = q[k] + dt * (v[k] + 0.5 * dt * a[k]);
                mask good = corrected(c, t, scale, sample == 0, predicted, trial, alive);
                if (ANY(alive & NOT(good))) {
                    part = 0.5 * (part < step ? part : step);
                    if (part >= FINEST && done < 1.0) continue;
                    end = CHOOSE(alive & NOT(good), t, end);
                    alive = alive & good;
                    if (!ANY(alive)) break;
                    part = step;
                }
                instant(c, t, trial, v, a, pivot, out);
                real total = REAL(0.0);
                for (int k = 0; k < NQ; k++) { q[k] = trial[k]; total += FABS(q[k]) + FABS(v[k]) + FABS(a[k]); }
                mask bad = NOT(total < HUGE_NUMBER);
                for (int k = 0; k < NM; k++) {
                    real size = FABS(pivot[k]);
                    if (sample == 0) reference[k] = size;
                    else bad = bad | (size * SINGULAR > reference[k]);
                }
                end = CHOOSE(alive & bad, t, end);
                alive = alive & NOT(bad);
                done += step;
                part = part < 0.5 ? 2.0 * part : 1.0;
            } while (done < 1.0 - 1e-12 && ANY(alive));
            for (int k = 0; k < NOUT; k++) put(track + ((long long)sample * NOUT + k) * stride + i, CHOOSE(alive, out[k], missing));
#if NF
            for (int m = 0; m < sums; m++) {
                real seed[NOUT], share[NF + 1], some = REAL(0.0);
                for (int k = 0; k < NOUT; k++) {
                    seed[k] = get(seeds + (((long long)m * (samples + 1) + sample) * NOUT + k) * stride + i);
                    some += FABS(seed[k]);
                }
                if (!ANY(some > 0.0)) continue;
                adjoint(c, h * sample, q, seed, share);
                share[NF] *= (double)sample / samples;
                for (int k = 0; k <= NF; k++) {
                    double *to = by + ((long long)m * (NF + 1) + k) * stride + i;
                    put(to, get(to) + share[k]);
                }
            }
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
