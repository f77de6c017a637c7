/** The light of each of the 256 values in sRGB, from 0 to 1. */
const LIGHT = Float64Array.from({ length: 256 }, (_, i) =>
  i / 255 <= 0.04045 ? i / 255 / 12.92 : ((i / 255 + 0.055) / 1.055) ** 2.4,
);
const LIGHT_STEPS = 4096;
/** The value in sRGB of each step of light. */
const VALUES = Float64Array.from({ length: LIGHT_STEPS + 1 }, (_, i) => {
  const light = i / LIGHT_STEPS;
  return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);
});

/** Returns the shade (0 to 255) of the pixel whose red, green and blue are at an index, weighted as libvips does. */
export function shadeOf(data: Uint8Array, at: number): number {
  const light = 0.2 * LIGHT[data[at]!]! + 0.7 * LIGHT[data[at + 1]!]! + 0.1 * LIGHT[data[at + 2]!]!;
  return VALUES[(light * LIGHT_STEPS + 0.5) | 0]!;
}
