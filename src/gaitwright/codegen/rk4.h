/* A step of the classical fourth-order Runge-Kutta method: from q, v, a to q1, v1, a1, lam1. Where drives determine the motion,
   and what a step gives is put back onto the joints, its stages would only predict what the joints say: see docs/theory/many.md. */
FN void take_step(March *m, mask alive) {
    real h = m->dt;
#if DRIVEN
    for (int i = 0; i < NQ; i++) {
        m->v1[i] = m->v[i];
        m->q1[i] = m->q[i] + h * (m->v[i] + 0.5 * h * m->a[i]);
    }
    m->good = alive | NOT(alive); /* what is not finite is not put back */
#else
    const double node[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    real x[NQ], y[NQ], k[NQ];
    for (int i = 0; i < NQ; i++) {
        y[i] = m->q1[i] = m->v[i];
        k[i] = m->v1[i] = m->a[i];
    }
    for (int s = 1; s < 4; s++) { /* one place of call: a GPU then has the program in its cache */
        real part = node[s] * h;
        for (int i = 0; i < NQ; i++) {
            x[i] = m->q[i] + part * y[i];
            y[i] = m->v[i] + part * k[i];
        }
        IN_STEP();
        accelerate(m->c, m->t + part, x, y, m->mem, k);
        for (int i = 0; i < NQ; i++) {
            m->q1[i] += weight[s] * y[i];
            m->v1[i] += weight[s] * k[i];
        }
    }
    for (int i = 0; i < NQ; i++) {
        m->q1[i] = m->q[i] + h * (1.0 / 6.0) * m->q1[i];
        m->v1[i] = m->v[i] + h * (1.0 / 6.0) * m->v1[i];
    }
    m->good = is_finite(m->q1, NQ) & is_finite(m->v1, NQ);
#endif
#if PROJECT
    m->good = m->good & project(m->c, m->t + h, m->q1, alive & m->good);
#endif
    IN_STEP();
    finish(m->c, m->t + h, m->q1, m->v1, m->mem, m->a1, m->lam1, m->pivot);
}
