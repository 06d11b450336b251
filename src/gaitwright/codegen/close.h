/* Closing the joints of many designs from the drawn pose by damped Gauss-Newton, as in mechanism/pose_assembly.py: the same for every
   mechanism. Lanes go together; one that has failed is no longer looked at.

   Parameters, poses and tracks are arrays with designs side by side: x[k * stride + i] for design i. On a machine `stride` is a
   multiple of W and what lies behind the last design is filled with it. */
#define FINE 0
#define OPEN 1
#define DEAD_POINT 2
#define SINGULAR_POSE 3
#define LOST 4
#define INSIDE 5
#define CLOSE_STEPS 200
#define MAX_TURN 0.5
#define NEARLY 1e-9
#define ROUNDING 1e-16
#define LEAP 0.2
#define FINEST (1.0 / 4096.0)
#define KINK 0.25
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

/* Four at a time: each of them waits for its own last result alone. */
#define LARGER(a, b) CHOOSE((b) <= (a), a, b) /* not a number if b is not */
#define LARGEST_OF(count, part) \
    real a = REAL(0.0), b = a, c = a, d = a, size; \
    int k = 0; \
    for (; k + 3 < (count); k += 4) { \
        size = part(k); a = LARGER(a, size); \
        size = part(k + 1); b = LARGER(b, size); \
        size = part(k + 2); c = LARGER(c, size); \
        size = part(k + 3); d = LARGER(d, size); \
    } \
    for (; k < (count); k++) { size = part(k); a = LARGER(a, size); } \
    a = LARGER(a, b); c = LARGER(c, d); \
    return LARGER(a, c);

FN real largest(const real *x, int count) { /* not a number if one of them is not */
#define PART(k) FABS(x[k])
    LARGEST_OF(count, PART)
#undef PART
}

FN real length(const real *x, int count) {
    real found = REAL(0.0);
    for (int k = 0; k < count; k++) found += x[k] * x[k];
    return SQRT(found);
}

FN real distance(const real *x, const real *y) {
#define PART(k) FABS(x[k] - y[k]) * PER_SCALE[k]
    LARGEST_OF(NQ, PART)
#undef PART
}

/* Whether velocities have a corner between two poses. */
FN mask kinked(const real *v, const real *v1, double part) {
    real size = REAL(0.0);
    for (int k = 0; k < NQ; k++) {
        real both = (FABS(v1[k]) + FABS(v[k])) * PER_SCALE[k];
        size = FMAX(size, both);
    }
    return distance(v1, v) > part * size;
}

/* A sum of magnitudes, four at a time: not finite if one of them is not. */
FN real total_of(const real *x, int count) {
    real a = REAL(0.0), b = a, c = a, d = a;
    int k = 0;
    for (; k + 3 < count; k += 4) { a += FABS(x[k]); b += FABS(x[k + 1]); c += FABS(x[k + 2]); d += FABS(x[k + 3]); }
    for (; k < count; k++) a += FABS(x[k]);
    return (a + b) + (c + d);
}

FN real close_lanes(const real *c, double size, real *q) {
    real phi[NM], dq[NQ], trial[NQ], mu = REAL(1e-4), since = REAL(0.0), t = REAL(0.0);
    residual(c, t, q, phi);
    real norm = length(phi, ROWS), worst = largest(phi, ROWS);
    mask busy = norm < HUGE_NUMBER;
    for (int k = 0; k < CLOSE_STEPS; k++) {
        busy = busy & (worst >= 1e-14) & (since <= 3.0);
        if (!ANY(busy)) break;
        damped(c, t, q, mu * size, dq);
        real most = REAL(0.0);
        for (int i = 0; i < NQ; i++) { real part = FABS(dq[i]) * PER_SCALE[i]; most = FMAX(most, part); }
        real shorten = CHOOSE(most > MAX_TURN, MAX_TURN / most, REAL(1.0));
        for (int i = 0; i < NQ; i++) trial[i] = q[i] + shorten * dq[i];
        residual(c, t, trial, phi);
        real there = length(phi, ROWS);
        mask better = busy & (there < norm);
        mask slow = better & (there > 0.999 * norm) & (most < 1e-6);
        mask stuck = busy & NOT(better) & ((mu > 1e6) | ((norm < 1e-12) & (mu > 1e-10)));
        since = CHOOSE(slow, since + 1.0, CHOOSE(better, REAL(0.0), since));
        for (int i = 0; i < NQ; i++) q[i] = CHOOSE(better, trial[i], q[i]);
        norm = CHOOSE(better, there, norm);
        worst = CHOOSE(better, largest(phi, ROWS), worst);
        mu = CHOOSE(better, FMAX(mu * 0.1, REAL(1e-14)), mu * 10.0);
        busy = busy & NOT(stuck);
    }
    return worst;
}

KERNEL close_all(long long count, long long stride, const double *P, const double *drawn, double size,
                 double closed, double *Q, int *flag) {
    EACH(i, count) {
        real p[NP], c[NC], q[NQ];
        for (int k = 0; k < NP; k++) p[k] = get(P + k * stride + i);
        prepare(p, c);
#if defined(DRAWS)
        draw(c, q);
#else
        for (int k = 0; k < NQ; k++) q[k] = REAL(drawn[k]);
#endif
        real worst = close_lanes(c, size, q);
        for (int k = 0; k < NQ; k++) put(Q + k * stride + i, q[k]);
        mask good = worst <= closed;
        for (int l = 0; l < W; l++) flag[i + l] = LANE(good, l) ? FINE : OPEN;
    }
}

/* The pose at t from a prediction; where it was found, and did not jump unless it may. The second of two corrections takes an error
   down by a factor of about the size of both: where that is not enough, there are two more. */
FN mask corrected(const real *c, real t, int may_jump, const real *predicted, real *q, mask alive) {
    real phi[NM], from[NQ], before = REAL(HUGE_NUMBER);
    mask good;
    for (int i = 0; i < NQ; i++) q[i] = predicted[i];
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < NQ; i++) from[i] = q[i];
        correct(c, t, q, phi);
        real worst = largest(phi, ROWS), change = distance(q, from);
        good = (worst < NEARLY) & (worst * change < ROUNDING);
        if (!ANY(alive & NOT(good) & (worst <= 0.5 * before))) break;
        before = worst;
    }
    return may_jump ? good : good & (distance(q, predicted) < LEAP);
}

