/* Forward dynamics of many designs with fixed steps and located events of contacts, as integrate/step_loops.py and contact/events.py
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
/* Part of velocities by which they differ from what was expected: a parallelogram that turns by 0.1 rad a step has 0.005; a step
   that is too long for this is made in parts, which go through. Of 20,000 legs 0.05 let two more jump, 0.01 none less. */
#define CORNER 0.02
#define REPEATS (NK || DRIVEN) /* whether an attempt that does not stand is made again, with less of the step */
#define SIDE PIVOTS /* behind the pivots of a pose: on which side of singular ones it is */
#define START -1.0 /* in place of an instant of touchdown: it touches from the begin on */
#define GIVEN -2.0 /* the same with a speed that nobody computed */
#define UNKNOWN -3.0
#define LEFT_OVER 1e-6
#define SHORTEST 1e-9
#define EVER 1e308
#define OPEN_JOINT 1e-6
#define MOST_FAILURES 200.0 /* attempts that come to nothing, or next to it: see docs/theory/many.md */

typedef struct {
    const real *c;
    real t, dt, whole;                               /* begin of the step, length of the attempt, length of a step */
    real q[NQ], v[NQ], a[NQ], lam[NM];               /* at the begin of the step */
    real q1[NQ], v1[NQ], a1[NQ], lam1[NM];           /* at its end */
    real pivot[NV], reference[NV];
    mask good, started;                              /* whether the attempt came to a state; whether there was a step */
    real aim;                                        /* length of the next attempt, 0: the rest of the step */
#if DRIVEN
    real side;                                       /* of singular poses, sense.py */
#endif
#if NK
    real mem[NK * MEMORY], seen[NK * SEEN], seen1[NK * SEEN];
    real since[NK];                                  /* the instant at which it touched down */
    real part;                                       /* parts that contacts ask for */
    int target[W], what[W], aimed[W], tried[W];
    unsigned hit[W];                                 /* contacts that began or ended at the end of the step, as bits */
#else
    real mem[1];
#endif
#if ORDER == 2
    real b[NQ], b_after[NQ], a_before[NQ], clock, attempted;
#endif
} March;

FN mask is_finite(const real *x, int count) { return total_of(x, count) < EVER; }

/* Positions back onto the joints, as mechanism/projection.py; whether they were found. */
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
    for (int k = 0; k < PIVOTS; k++) bad = bad | (FABS(m->pivot[k]) * SINGULAR > m->reference[k]);
    return bad;
}
