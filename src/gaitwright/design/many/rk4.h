/* A step of the classical fourth-order Runge-Kutta method: from q, v, a to q1, v1, a1, lam1. */
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
