/* Derivatives of a run in the parameters, carried along with it: a direction for each parameter. A step that stands is gone
   through once more, stage by stage. Steps begin and end where a contact does, at gap(q, t*, c) = 0, and move with it: a direction
   holds how the state changes at an instant that itself moves by `shift`. There nothing jumps, since velocities do not, and forces
   that begin as a root of the gap do so at a gap that stays zero. (At fixed instants they would have to be integrated over their
   corner: 0.5 % off for a ball that drops, with steps of 1 ms.) One more direction, END, is that of a step whose end alone moves:

       dt* = -(gap_q dq + gap_c dc) / (gap along END)        dx* = dx + END dt*        dv0 = -d gap'

   for the instant, the state there and the approach speed that is remembered. A contact that grazes has no derivative: not a
   number. */
#define GRAZING 1e-9 /* m/s */
#define TOGETHER 1e-6 /* relative difference of shifts of instants that are one */
#define MEM (NK ? NK * MEMORY : 1)
#define END NP
#define DIRECTIONS (NP + 1)

typedef struct {
    real dq[DIRECTIONS * NQ], dv[DIRECTIONS * NQ], da[DIRECTIONS * NQ], dl[DIRECTIONS * NM];
    real dmem[DIRECTIONS * MEM], de[DIRECTIONS * NE], shift[DIRECTIONS];
    real dy[DIRECTIONS * NQ], dk[DIRECTIONS * NQ], sum_q[DIRECTIONS * NQ], sum_v[DIRECTIONS * NQ];
} Along;

/* da and dl at a state of the run. */
FN void accelerate_along(const March *m, Along *d, real t, const real *q, const real *v, const real *a, const real *lam,
                         const real *lin, mask which) {
    real da[NQ], dl[NM];
    for (int j = 0; j < NP; j++) {
        move(m->c, t, q, v, m->mem, a, lam, lin, d->shift[j], d->dq + j * NQ, d->dv + j * NQ, d->de + j * NE, d->dmem + j * MEM,
             da, dl);
        for (int i = 0; i < NQ; i++) d->da[j * NQ + i] = CHOOSE(which, da[i], d->da[j * NQ + i]);
        for (int k = 0; k < ROWS; k++) d->dl[j * NM + k] = CHOOSE(which, dl[k], d->dl[j * NM + k]);
    }
}

/* dq: how the closed pose depends on the parameters, as far as joints and drives leave it open. */
FN void start_along(const March *m, Along *d) {
    real lin[NL], zero[NQ], dv[NQ];
    for (int i = 0; i < NQ; i++) zero[i] = REAL(0.0);
    enter(m->c, d->de);
    factorise(m->c, m->t, m->q, lin);
    for (int i = 0; i < NE; i++) d->de[END * NE + i] = REAL(0.0);
    for (int i = 0; i < MEM; i++) d->dmem[END * MEM + i] = REAL(0.0);
    for (int j = 0; j < DIRECTIONS; j++) d->shift[j] = REAL(0.0);
    for (int j = 0; j < NP; j++) {
        for (int i = 0; i < NQ; i++) dv[i] = REAL(0.0);
        put_back(m->c, m->t, m->q, zero, lin, REAL(0.0), d->de + j * NE, d->dq + j * NQ, dv);
        begin_along(m->c, m->t, m->q, d->dq + j * NQ, d->de + j * NE, d->dv + j * NQ);
        for (int i = 0; i < MEM; i++) d->dmem[j * MEM + i] = REAL(0.0);
#if NK
        real dseen[NK * SEEN];
        look_along(m->c, m->t, m->q, m->v, m->mem, REAL(0.0), d->dq + j * NQ, d->dv + j * NQ, d->de + j * NE,
                   d->dmem + j * MEM, dseen);
        for (int k = 0; k < NK; k++) {
            mask came = (m->mem[k * MEMORY + TOUCHING] != 0.0) & (m->seen[k * SEEN + GAP] >= -LANDING);
            d->dmem[j * MEM + k * MEMORY + APPROACH] = CHOOSE(came, -dseen[k * SEEN + RATE], REAL(0.0));
        }
#endif
    }
    accelerate_along(m, d, m->t, m->q, m->v, m->a, m->lam, lin, m->whole > 0.0);
}

/* The step from q to q1 that stands, once more: `rest` ends at a sample, which does not move, and a part of it moves in proportion.
   END: the end alone moves. */
FN void carry_along(const March *m, Along *d, real rest, mask stands) {
    const double node[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    real x[NQ], y[NQ], a[NQ], y0[NQ], a0[NQ], all_y[NQ], all_a[NQ], lam[NM], lin[NL], dx[NQ], dl[NM], h = m->dt, part_of = h / rest;
    int directions = NP;
#if NK
    if (ANY(stands & near_an_event(m))) directions = DIRECTIONS;
#endif
    for (int i = 0; i < NQ; i++) {
        y[i] = all_y[i] = m->v[i];
        a[i] = all_a[i] = m->a[i];
        d->dq[END * NQ + i] = d->dv[END * NQ + i] = d->da[END * NQ + i] = REAL(0.0);
    }
    for (int i = 0; i < directions * NQ; i++) {
        d->dy[i] = d->sum_q[i] = d->dv[i];
        d->dk[i] = d->sum_v[i] = d->da[i];
    }
    for (int s = 1; s < 4; s++) {
        real part = node[s] * h;
        for (int i = 0; i < NQ; i++) {
            y0[i] = y[i];
            a0[i] = a[i];
            x[i] = m->q[i] + part * y0[i];
            y[i] = m->v[i] + part * a0[i];
        }
        stage(m->c, m->t + part, x, y, m->mem, a, lam);
        factorise(m->c, m->t + part, x, lin);
        for (int i = 0; i < NQ; i++) { all_y[i] += weight[s] * y[i]; all_a[i] += weight[s] * a[i]; }
        for (int j = 0; j < directions; j++) {
            real longer = j == END ? REAL(1.0) : -d->shift[j] * part_of, by = node[s] * longer, dt = d->shift[j] + by;
            for (int i = 0; i < NQ; i++) {
                int n = j * NQ + i;
                dx[i] = d->dq[n] + part * d->dy[n] + by * y0[i];
                d->dy[n] = d->dv[n] + part * d->dk[n] + by * a0[i];
            }
            move(m->c, m->t + part, x, y, m->mem, a, lam, lin, dt, dx, d->dy + j * NQ, d->de + j * NE, d->dmem + j * MEM,
                 d->dk + j * NQ, dl);
            for (int n = j * NQ; n < (j + 1) * NQ; n++) {
                d->sum_q[n] += weight[s] * d->dy[n];
                d->sum_v[n] += weight[s] * d->dk[n];
            }
        }
    }
    factorise(m->c, m->t + h, m->q1, lin);
    for (int j = 0; j < directions; j++) {
        real dq[NQ], dv[NQ], longer = j == END ? REAL(1.0) : -d->shift[j] * part_of, shift = d->shift[j] + longer;
        for (int i = 0; i < NQ; i++) {
            int n = j * NQ + i;
            dq[i] = d->dq[n] + (1.0 / 6.0) * (h * d->sum_q[n] + longer * all_y[i]);
            dv[i] = d->dv[n] + (1.0 / 6.0) * (h * d->sum_v[n] + longer * all_a[i]);
        }
#if PROJECT
        put_back(m->c, m->t + h, m->q1, m->v1, lin, shift, d->de + j * NE, dq, dv);
#endif
        for (int i = 0; i < NQ; i++) {
            d->dq[j * NQ + i] = CHOOSE(stands, dq[i], d->dq[j * NQ + i]);
            d->dv[j * NQ + i] = CHOOSE(stands, dv[i], d->dv[j * NQ + i]);
        }
        if (j != END) d->shift[j] = CHOOSE(stands, shift, d->shift[j]);
    }
    accelerate_along(m, d, m->t + h, m->q1, m->v1, m->a1, m->lam1, lin, stands);
}

#if NK
/* What a contact that began or ended at the end of the step does to the directions: from here on they move with it. The
   acceleration from then on is in a1. */
FN void jump_along(const March *m, Along *d, mask changed) {
    real dseen[NK * SEEN], rates[NK * SEEN], nothing[MEM], none[NE], lin[NL], when = m->t + m->dt;
    for (int i = 0; i < MEM; i++) nothing[i] = REAL(0.0);
    for (int i = 0; i < NE; i++) none[i] = REAL(0.0);
    look_along(m->c, when, m->q1, m->v1, m->mem, REAL(1.0), d->dq + END * NQ, d->dv + END * NQ, none, nothing, rates);
    for (int j = 0; j < NP; j++) {
        look_along(m->c, when, m->q1, m->v1, m->mem, d->shift[j], d->dq + j * NQ, d->dv + j * NQ, d->de + j * NE, nothing, dseen);
        for (int l = 0; l < W; l++) {
            if (!LANE(changed, l)) continue;
            double shift = 0.0, spread = 0.0; /* of the instant; several at once move together, or have no derivative */
            int some = 0;
            for (int k = 0; k < NK; k++) {
                if (!(m->hit[l] >> k & 1u)) continue;
                double rate = AT_END(m, l, k, RATE);
                double later = fabs(rate) > GRAZING ? -IN(dseen, l, k, GAP) / IN(rates, l, k, GAP) : 0.0 / 0.0;
                if (some && !(fabs(later - shift) <= TOGETHER * (fabs(later) + fabs(shift)))) spread = 0.0 / 0.0;
                shift = later;
                some = 1;
                double to = -(IN(dseen, l, k, RATE) + IN(rates, l, k, RATE) * later);
                LANE(d->dmem[j * MEM + k * MEMORY + APPROACH], l) = TOUCHES(m, l, k) && rate < 0.0 ? to : 0.0;
            }
            LANE(d->shift[j], l) += shift;
            for (int i = 0; i < NQ; i++) {
                LANE(d->dq[j * NQ + i], l) += LANE(d->dq[END * NQ + i], l) * shift;
                LANE(d->dv[j * NQ + i], l) += LANE(d->dv[END * NQ + i], l) * shift + spread;
            }
        }
    }
    factorise(m->c, when, m->q1, lin);
    accelerate_along(m, d, when, m->q1, m->v1, m->a1, m->lam1, lin, changed);
}
#endif

/* Add what a sample contributes to the derivatives of sums of outputs: by[(sum * NP + j) * stride + i] of design i, with weights
   seeds[((sum * (samples + 1) + sample) * NOUT + k) * stride + i]. At the begin of the next step, and at a fixed instant. */
FN void sum_along(const March *m, const Along *d, real sample, mask which, int samples, int sums, const double *seeds, double *by,
                  long long stride, long long i) {
    for (int s = 0; s < sums; s++) {
        real seed[NOUT], some = REAL(0.0), dout[NOUT], dq[NQ], dv[NQ], da[NQ], dl[NM];
        for (int k = 0; k < NOUT; k++) {
            seed[k] = REAL(0.0);
            for (int l = 0; l < W; l++)
                if (LANE(which, l))
                    LANE(seed[k], l) = seeds[(((long long)s * (samples + 1) + (long long)LANE(sample, l)) * NOUT + k) * stride + i + l];
            some += FABS(seed[k]);
        }
        if (!ANY(some > 0.0)) continue;
        for (int j = 0; j < NP; j++) {
            real shift = d->shift[j];
            for (int n = 0; n < NQ; n++) {
                dq[n] = d->dq[j * NQ + n] - shift * m->v[n];
                dv[n] = d->dv[j * NQ + n] - shift * m->a[n];
                da[n] = d->da[j * NQ + n];
            }
            for (int k = 0; k < ROWS; k++) dl[k] = d->dl[j * NM + k];
            if (ANY(shift != 0.0)) { /* the sample is where a contact begins or ends */
                real lin[NL];
                factorise(m->c, m->t, m->q, lin);
                move(m->c, m->t, m->q, m->v, m->mem, m->a, m->lam, lin, REAL(0.0), dq, dv, d->de + j * NE, d->dmem + j * MEM, da, dl);
            }
            outputs_along(m->c, m->t, m->q, m->v, m->mem, m->a, m->lam, dq, dv, d->de + j * NE, da, dl, d->dmem + j * MEM, dout);
            real share = REAL(0.0);
            for (int k = 0; k < NOUT; k++) share += CHOOSE(seed[k] != 0.0, seed[k] * dout[k], REAL(0.0));
            double *to = by + ((long long)s * NP + j) * stride + i;
            put(to, get(to) + share);
        }
    }
}
