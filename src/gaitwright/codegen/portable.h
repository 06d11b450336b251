/* What C compilers of machines and of GPUs have in common: `real` is a number on a GPU, and on a machine a vector with one design
   in each of its W lanes where the compiler knows vectors. Comparisons give a `mask`. */
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define FN static __device__ __forceinline__
#define KERNEL extern "C" __global__ void
#define EACH(i, n) for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += (long long)gridDim.x * blockDim.x)
/* All threads of a block in step, those behind the last design with it once more: they fetch a long program together. */
#define EACH_TOGETHER(i, n) \
    for (long long base = (long long)blockIdx.x * blockDim.x, i; \
         base < (n) && ((i = base + threadIdx.x), (i = i < (n) ? i : (n)-1), 1); base += (long long)gridDim.x * blockDim.x)
#define OWN(n) (base + threadIdx.x < (n)) /* not the last design once more */
#define ANYBODY(m) __syncthreads_or(m)
#define IN_STEP() __syncthreads()
#define TABLE static __device__ const
#define ONCE static __device__ __noinline__
#define SHORT FN
#define W 1
#else
#include <math.h>
#define EACH_TOGETHER EACH
#define OWN(n) 1
#define ANYBODY(m) ANY(m)
#define IN_STEP()
#define TABLE static const
#define FN static inline
#if defined(__GNUC__)
#define ONCE static __attribute__((noinline))
#else
#define ONCE FN
#endif
#define SHORT ONCE
#if defined(_WIN32)
#define KERNEL __declspec(dllexport) void
#else
#define KERNEL void
#endif
#define EACH(i, n) for (long long i = 0; i < (n); i += W)
#if !defined(W)
#if !defined(__GNUC__)
#define W 1
#elif defined(__AVX512F__)
#define W 8
#elif defined(__AVX__)
#define W 4
#else
#define W 2
#endif
#endif
#endif

/* Of what is called from several places one copy: left to themselves compilers make more of some programs, which are then half
   as fast. SHORT: on a GPU a copy at every place, so that many go side by side. */
#if defined(PRINTED_ONCE)
#define PRINTED ONCE
#else
#define PRINTED FN
#endif

#define NEAREST 6755399441055744.0 /* 1.5 * 2^52: adding it rounds to whole numbers */
#define TWO_BY_PI 0.63661977236758134308
#define HALF_PI_HIGH 1.57079632673412561417
#define HALF_PI_MIDDLE 6.07710050630396597660e-11
#define HALF_PI_LOW 2.02226624879595063154e-21

#if W == 1
typedef double real;
typedef int mask;
#define REAL(x) ((double)(x))
#define LANE(x, l) (x)
#define CHOOSE(m, a, b) ((m) ? (a) : (b))
#define NOT(m) (!(m))
#define ANY(m) (m)
#define MAP1(f, x) f(x)
#define MAP2(f, x, y) f(x, y)
#define FABS(x) fabs(x)
#else
typedef double real __attribute__((vector_size(8 * W)));
typedef long long mask __attribute__((vector_size(8 * W)));
#define REAL(x) ((real){0} + (double)(x))
#define LANE(x, l) ((x)[l])
#define NOT(m) (~(m))
FN real choose(mask m, real a, real b) { return (real)((m & (mask)a) | (~m & (mask)b)); }
#define CHOOSE(m, a, b) choose(m, a, b)
FN real magnitude(real x) { return (real)((mask)x & 0x7fffffffffffffffLL); }
#define FABS(x) magnitude(x)
FN int any(mask m) { long long found = 0; for (int l = 0; l < W; l++) found |= m[l]; return found != 0; }
#define ANY(m) any(m)
typedef double one_argument(double);
typedef double two_arguments(double, double);
FN real map1(one_argument *f, real x) { real y = x; for (int l = 0; l < W; l++) y[l] = f(x[l]); return y; }
FN real map2(two_arguments *f, real x, real z) { real y = x; for (int l = 0; l < W; l++) y[l] = f(x[l], z[l]); return y; }
#define MAP1(f, x) map1(f, x)
#define MAP2(f, x, y) map2(f, x, y)
#endif

#define SELECT_POSITIVE(x, a, b) CHOOSE((x) > 0.0, a, b)
#define FMAX(a, b) CHOOSE((a) > (b), a, b)
#define FMIN(a, b) CHOOSE((a) < (b), a, b)
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
FN double inverse_of(double x) { /* a division without branches: an estimate to 20 bits, and two steps of Newton's method */
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    y = fma(y, fma(-x, y, 1.0), y);
    return fma(y, fma(-x, y, 1.0), y);
}
#define INVERSE(x) inverse_of(x)
#else
#define INVERSE(x) (1.0 / (x))
#endif
#define SIN(x) MAP1(sin, x)
#define COS(x) MAP1(cos, x)
#define TAN(x) MAP1(tan, x)
#define ASIN(x) MAP1(asin, x)
#define ACOS(x) MAP1(acos, x)
#define ATAN(x) MAP1(atan, x)
#define SINH(x) MAP1(sinh, x)
#define COSH(x) MAP1(cosh, x)
#define TANH(x) MAP1(tanh, x)
#define EXP(x) MAP1(exp, x)
#define LOG(x) MAP1(log, x)
#define EXPM1(x) MAP1(expm1, x)
#define LOG1P(x) MAP1(log1p, x)
#define FLOOR(x) MAP1(floor, x)
#define CEIL(x) MAP1(ceil, x)
#define ATAN2(y, x) MAP2(atan2, y, x)
#define POW(x, y) MAP2(pow, x, y)
#define FMOD(x, y) ((x) - (y) * FLOOR((x) / (y)))
#if W == 1
#define SQRT(x) sqrt(x)
#else
FN real root(real x) { real y = x; for (int l = 0; l < W; l++) y[l] = sqrt(x[l]); return y; }
#define SQRT(x) root(x)
#endif

/* Without branches, for |x| up to 1e5 or so with an error of about one unit in the last place: reduction by Cody and Waite, the
   polynomials of fdlibm's kernels (k_sin.c, k_cos.c). On a GPU branches would keep many of them from going side by side. */
SHORT void sine_and_cosine(real x, real *s, real *c) {
    real shifted = x * TWO_BY_PI + NEAREST, k = shifted - NEAREST;
    real r = ((x - k * HALF_PI_HIGH) - k * HALF_PI_MIDDLE) - k * HALF_PI_LOW, z = r * r;
    real sr = r + r * z * (-1.66666666666666324348e-01 + z * (8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04
        + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
    real cr = 1.0 - 0.5 * z + z * z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03
        + z * (2.48015872894767294178e-05 + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09
        + z * -1.13596475577881948265e-11)))));
    real quarter = k - 4.0 * ((k * 0.25 - 0.375 + NEAREST) - NEAREST); /* 0, 1, 2 or 3 */
    mask odd = (quarter == 1.0) | (quarter == 3.0);
    real a = CHOOSE(odd, cr, sr), b = CHOOSE(odd, sr, cr);
    *s = CHOOSE(quarter >= 2.0, -a, a);
    *c = CHOOSE((quarter == 1.0) | (quarter == 2.0), -b, b);
}
#define SINCOS(a, s, c) sine_and_cosine(a, &(s), &(c))
