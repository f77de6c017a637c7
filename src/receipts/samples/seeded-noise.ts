/** The period of the noise in both directions: a power of two. */
const LATTICE_SIZE = 256;

/** Creates a generator of numbers from 0 to 1, always the same for a seed (mulberry32). */
export function randomness(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Creates smooth noise from 0 to 1 over the plane, with a random value at each integer point. */
export function valueNoise(seed: number): (x: number, y: number) => number {
  const random = randomness(seed ^ 0x0015e);
  const lattice = Float64Array.from({ length: LATTICE_SIZE * LATTICE_SIZE }, random);
  const at = (x: number, y: number) =>
    lattice[(y & (LATTICE_SIZE - 1)) * LATTICE_SIZE + (x & (LATTICE_SIZE - 1))] as number;
  return (x, y) => {
    const left = Math.floor(x);
    const top = Math.floor(y);
    const right = smooth(x - left);
    const upper = at(left, top) + (at(left + 1, top) - at(left, top)) * right;
    const lower = at(left, top + 1) + (at(left + 1, top + 1) - at(left, top + 1)) * right;
    return upper + (lower - upper) * smooth(y - top);
  };
}

function smooth(t: number): number {
  return t * t * (3 - 2 * t);
}
