// Rounding to bytes as ONNX Runtime does it, with the derivatives for training: operations of PyTorch take three times
// as long. Compiled by network.py.
#include <math.h>
#include <stdint.h>

static inline float bounded(float value, float least, float most) {
  return value < least ? least : (value > most ? most : value);
}

/** To bytes: scale and zero. */
void bytes_forward(const float *x, float *y, int64_t n, float scale, float zero) {
  const float inverse = 1.f / scale;
  #pragma omp parallel for simd
  for (int64_t i = 0; i < n; i++) {
    float q = bounded(rintf(x[i] * inverse) + zero, 0.f, 255.f);
    y[i] = (q - zero) * scale;
  }
}

/** A value within the bytes passes its derivative on, one outside changes the scale (Esser et al. 2020, arXiv:1902.08153). */
void bytes_backward(const float *dy, const float *x, float *dx, int64_t n, float scale, float zero, double *dscale) {
  const float inverse = 1.f / scale;
  double sum = 0;
  #pragma omp parallel for simd reduction(+ : sum)
  for (int64_t i = 0; i < n; i++) {
    float t = rintf(x[i] * inverse) + zero;
    float q = bounded(t, 0.f, 255.f);
    int within = t == q;
    sum += (double)(dy[i] * (within ? (q - zero) - x[i] * inverse : q - zero));
    dx[i] = within ? dy[i] : 0.f;
  }
  *dscale = sum;
}

/** To bytes, times a gate of bytes, and shifted, to bytes again: y = p * gate(p) + shift with gate = (42.5 p + 128) / 255. */
void swish_forward(const float *x, float *y, int64_t n, float scale_p, float zero_p, float scale_y, float zero_y, float shift) {
  const float inverse_p = 1.f / scale_p, inverse_y = 1.f / scale_y;
  #pragma omp parallel for simd
  for (int64_t i = 0; i < n; i++) {
    float p = (bounded(rintf(x[i] * inverse_p) + zero_p, 0.f, 255.f) - zero_p) * scale_p;
    float gate = bounded(rintf(p * 42.5f) + 128.f, 0.f, 255.f) * (1.f / 255.f);
    float q = bounded(rintf((p * gate + shift) * inverse_y) + zero_y, 0.f, 255.f);
    y[i] = (q - zero_y) * scale_y;
  }
}

void swish_backward(const float *dy, const float *x, float *dx, int64_t n, float scale_p, float zero_p, float scale_y,
                    float zero_y, float shift, double *dscales) {
  const float inverse_p = 1.f / scale_p, inverse_y = 1.f / scale_y;
  double sum_p = 0, sum_y = 0;
  #pragma omp parallel for simd reduction(+ : sum_p, sum_y)
  for (int64_t i = 0; i < n; i++) {
    float t = rintf(x[i] * inverse_p) + zero_p;
    float q = bounded(t, 0.f, 255.f);
    float p = (q - zero_p) * scale_p;
    float gate = bounded(rintf(p * 42.5f) + 128.f, 0.f, 255.f) * (1.f / 255.f);
    float line = p * (1.f / 6.f) + 128.f / 255.f;
    float slope = (line > 0.f && line < 1.f) ? 1.f / 6.f : 0.f;
    float v = (p * gate + shift) * inverse_y;
    float u = rintf(v) + zero_y;
    float uq = bounded(u, 0.f, 255.f);
    int within_y = u == uq, within_p = t == q;
    sum_y += (double)(dy[i] * (within_y ? (uq - zero_y) - v : uq - zero_y));
    float dp = (within_y ? dy[i] : 0.f) * (gate + p * slope);
    sum_p += (double)(dp * (within_p ? (q - zero_p) - x[i] * inverse_p : q - zero_p));
    dx[i] = within_p ? dp : 0.f;
  }
  dscales[0] = sum_p;
  dscales[1] = sum_y;
}
