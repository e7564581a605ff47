// exp, log, sin, cos, atan2 and pow from additions, multiplications and divisions alone: the same bits on every machine
// and at every optimisation level, which libm does not promise (it picks variants by processor). Accurate to a few
// units in the last place (tests/math compares with libm in long double).
#pragma once

namespace scree {

constexpr double pi = 3.14159265358979323846;

double same_exp(double x);
double same_log(double x);                   // x > 0
double same_pow(double base, double power);  // base > 0
struct SinCos {
    double sin, cos;
};
SinCos same_sincos(double x);  // |x| < 2^30
inline double same_sin(double x) { return same_sincos(x).sin; }
inline double same_cos(double x) { return same_sincos(x).cos; }
double same_atan(double x);
double same_atan2(double y, double x);

}  // namespace scree
