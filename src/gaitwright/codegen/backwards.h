/* Derivatives of sums of outputs in the parameters, backwards from the states of a run that drives determine: adjoint.py.

   states[(sample * STATES + k) * width + column[i]]: coordinates KEPT, then of each contact its
   memory and the instant at which it touched down.
   sums: how many, with weights seeds[((sum * (samples + 1) + sample) * NOUT + k) * stride + i] of outputs;
   by[(sum * (NP + 1) + j) * stride + i] gets derivatives in the parameters and, last, in the length of the run for its whole
   length. Where nothing has a weight, nothing is computed: a maximum costs one sample. */
#define GRAZING 1e-9 /* m/s: who comes no faster has no derivative */

#if NK
/* landed: how the speed with which contact k came at the instant `when` depends on what the design enters by. */
FN void approached(const real *c, const double *states, long long width, const long long *column, int samples, real h,
                   int k, real when, real speed, mask which, real *landed) {
    real near[NQ], q[NQ], weight[NK], shift[NK], found[NF + 1], t = CHOOSE(which & (when > 0.0), when, REAL(0.0));
    real sample = CEIL(t / h);
    sample = FMIN(sample, REAL(samples));
    for (int l = 0; l < W; l++)
        for (int n = 0; n < NQ; n++) LANE(near[n], l) = states[((long long)LANE(sample, l) * STATES + n) * width + column[l]];
    mask lost = NOT(corrected(c, t, 1, near, q, which));
    mask began = when == START, slow = NOT(began) & (speed <= GRAZING);
    for (int n = 0; n < NK; n++) {
        weight[n] = REAL(n == k ? 1.0 : 0.0);
        shift[n] = CHOOSE(began, REAL(0.0), REAL(1.0));
    }
    land(c, t, q, weight, shift, found);
    for (int n = 0; n <= NF; n++) {
        real value = CHOOSE(slow | lost, REAL(0.0) / 0.0, found[n]), *to = landed + k * (NF + 1) + n;
        value = CHOOSE(speed > 0.0, value, REAL(0.0));
        *to = CHOOSE(which, value, *to);
    }
}
#endif

FN real kept(const double *state, const long long *column) {
    real x = REAL(0.0);
    for (int l = 0; l < W; l++) LANE(x, l) = state[column[l]];
    return x;
}

KERNEL differentiate_all(long long count, long long stride, const double *P, const double *states, long long width,
                         const long long *columns, const double *span, int samples, int sums,
                         const double *seeds, double *by) {
    EACH(i, count) {
        real p[NP], c[NC], q[NQ], share[NF + 1 + NK], total[NF + 1], found[NP + 1], seed[NOUT], mem[NK ? NK * MEMORY : 1];
        for (int k = 0; k < NP; k++) p[k] = get(P + k * stride + i);
        prepare(p, c);
        real h = get(span + i) * (1.0 / samples);
        const long long *column = columns + i;
        for (int m = 0; m < sums; m++) {
            for (int k = 0; k <= NF; k++) total[k] = REAL(0.0);
#if NK
            real since[NK], landed[NK * (NF + 1)];
            for (int k = 0; k < NK; k++) since[k] = REAL(UNKNOWN);
#endif
            for (int sample = 0; sample <= samples; sample++) {
                const double *state = states + (long long)sample * STATES * width;
                real some = REAL(0.0);
                for (int k = 0; k < NOUT; k++) {
                    seed[k] = get(seeds + (((long long)m * (samples + 1) + sample) * NOUT + k) * stride + i);
                    some += FABS(seed[k]);
                }
                if (!ANY(some > 0.0)) continue;
                for (int k = 0; k < COORDINATES; k++) q[KEPT[k]] = kept(state + k * width, column);
                for (int k = 0; k < NK; k++)
                    for (int n = 0; n < MEMORY; n++) mem[k * MEMORY + n] = kept(state + (NQ + k * (MEMORY + 1) + n) * width, column);
                adjoint(c, h * sample, q, mem, seed, share);
                share[NF] *= (double)sample / samples;
                for (int k = 0; k <= NF; k++) total[k] += share[k];
#if NK
                for (int k = 0; k < NK; k++) {
                    real when = kept(state + (NQ + k * (MEMORY + 1) + MEMORY) * width, column), weight = share[NF + 1 + k];
                    mask held = (mem[k * MEMORY + TOUCHING] != 0.0) & (when != GIVEN) & (weight != 0.0);
                    mask other = held & (when != since[k]);
                    if (ANY(other)) {
                        approached(c, states, width, column, samples, h, k, when, mem[k * MEMORY + APPROACH], other, landed);
                        since[k] = CHOOSE(other, when, since[k]);
                    }
                    for (int n = 0; n <= NF; n++)
                        total[n] += CHOOSE(held, weight * landed[k * (NF + 1) + n], REAL(0.0));
                }
#endif
            }
            to_parameters(c, total, found);
            for (int j = 0; j <= NP; j++) put(by + ((long long)m * (NP + 1) + j) * stride + i, found[j]);
        }
    }
}
