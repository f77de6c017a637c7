import type { Pixels } from "./normalise.ts";
import { shadeOf } from "./shades.ts";

// A photo of a screen shows the screen's grid of pixels, or the moiré between that grid and the camera's: one sharp
// peak in the spectrum, at an angle if the camera is held a little turned. Print and paper have no such peak; the
// traces of scanners, text and JPEG blocks are on the axes.

/** The side of a tile; a power of two. */
const TILE_PX = 256;
/** Tiles in a row and in a column. Six tiles take 22 ms of the processor. */
const TILES_ACROSS = 2;
const TILES_DOWN = 3;
/** The band of frequencies that is searched, in periods a pixel: text is below it. */
const FREQUENCY_MIN = 0.22;
const FREQUENCY_MAX = 0.6;
/** The spectrum of a tile is divided by its power above this frequency. */
const FINE_MIN = 0.15;
/** Frequencies this near to an axis or to a harmonic of the JPEG blocks are ignored. */
const AXIS_WIDTH = 0.012;
const BLOCK_WIDTH = 0.009;
const RINGS = 64;

/**
 * Returns the highest peak in the spectrum of a picture: the common logarithm of its power over the median power of its
 * ring, the frequencies of the same length. 0 for a picture smaller than a tile.
 */
export function moirePeak(picture: Pixels): number {
  const { width, height } = picture;
  if (width < TILE_PX || height < TILE_PX) return 0;
  const power = new Float64Array(TILE_PX * TILE_PX);
  // The two tiles of a row are transformed as one: the transform of real values has only half of a spectrum to say.
  for (let row = 0; row < TILES_DOWN; row++) {
    const top = Math.floor(((height - TILE_PX) * (row + 0.5)) / TILES_DOWN);
    const [one, other] = Array.from({ length: TILES_ACROSS }, (_, column) =>
      fadedTile(picture, Math.floor(((width - TILE_PX) * (column + 0.5)) / TILES_ACROSS), top),
    );
    addSpectra(power, one!, other!);
  }
  return highestPeak(power);
}

/** Returns the frequency of a row or column of the spectrum, in periods a pixel. */
function frequency(index: number): number {
  return (index < TILE_PX / 2 ? index : index - TILE_PX) / TILE_PX;
}

/** Hann window: fades a tile out towards its edges, which would cause peaks otherwise. */
const WINDOW = Float64Array.from({ length: TILE_PX }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / TILE_PX));
/** Bit-reversed index of each value of a row. */
const REVERSED = Uint16Array.from({ length: TILE_PX }, (_, i) => {
  let reversed = 0;
  for (let bit = 1; bit < TILE_PX; bit *= 2) reversed = 2 * reversed + (i & bit ? 1 : 0);
  return reversed;
});
/** cos and sin of -2πi / TILE_PX. */
const COSINES = Float64Array.from({ length: TILE_PX / 2 }, (_, i) => Math.cos((-2 * Math.PI * i) / TILE_PX));
const SINES = Float64Array.from({ length: TILE_PX / 2 }, (_, i) => Math.sin((-2 * Math.PI * i) / TILE_PX));

/** Returns a tile around its mean, faded out towards its edges, in columns: so the transform reads memory in order. */
function fadedTile({ data, width }: Pixels, left: number, top: number): Float64Array {
  const shades = new Float64Array(TILE_PX * TILE_PX);
  let mean = 0;
  for (let y = 0; y < TILE_PX; y++) {
    for (let x = 0, at = 3 * ((top + y) * width + left); x < TILE_PX; x++, at += 3) {
      const shade = shadeOf(data, at);
      shades[y * TILE_PX + x] = shade;
      mean += shade / TILE_PX ** 2;
    }
  }
  const tile = new Float64Array(TILE_PX * TILE_PX);
  for (let y = 0; y < TILE_PX; y++)
    for (let x = 0; x < TILE_PX; x++)
      tile[x * TILE_PX + y] = (shades[y * TILE_PX + x]! - mean) * WINDOW[x]! * WINDOW[y]!;
  return tile;
}

/**
 * Adds the spectra of two tiles, with the same weight for each. Overwrites the tiles: they become the real and the
 * imaginary part of one transform, whose even and odd parts are the spectra of the two.
 */
function addSpectra(power: Float64Array, real: Float64Array, imaginary: Float64Array): void {
  transformRows(real, imaginary);
  transpose(real);
  transpose(imaginary);
  transformRows(real, imaginary);
  const one = new Float64Array(power.length);
  const other = new Float64Array(power.length);
  let [fineOfOne, fineOfOther] = [0, 0];
  for (let y = 0; y < TILE_PX; y++) {
    for (let x = 0; x < TILE_PX; x++) {
      const at = y * TILE_PX + x;
      // The value at the opposite frequency.
      const opposite = ((TILE_PX - y) % TILE_PX) * TILE_PX + ((TILE_PX - x) % TILE_PX);
      const [re, im, re2, im2] = [real[at]!, imaginary[at]!, real[opposite]!, imaginary[opposite]!];
      one[at] = ((re + re2) ** 2 + (im - im2) ** 2) / 4;
      other[at] = ((im + im2) ** 2 + (re - re2) ** 2) / 4;
      if (frequency(x) ** 2 + frequency(y) ** 2 <= FINE_MIN ** 2) continue;
      fineOfOne += one[at];
      fineOfOther += other[at];
    }
  }
  for (let i = 0; i < power.length; i++) power[i]! += one[i]! / (fineOfOne + 1000) + other[i]! / (fineOfOther + 1000);
}

/** Returns the highest ratio of a value to the median of its ring, in powers of ten. */
function highestPeak(power: Float64Array): number {
  const rings: number[][] = Array.from({ length: RINGS }, () => []);
  const found: { value: number; ring: number }[] = [];
  for (let y = 0; y <= TILE_PX / 2; y++) {
    for (let x = 0; x < TILE_PX; x++) {
      const [fx, fy] = [Math.abs(frequency(x)), Math.abs(frequency(y))];
      const radius = Math.sqrt(fx ** 2 + fy ** 2);
      if (radius < FREQUENCY_MIN || radius >= FREQUENCY_MAX) continue;
      const [value, ring] = [power[y * TILE_PX + x]!, Math.floor(radius * RINGS)];
      rings[ring]!.push(value);
      if (fx >= AXIS_WIDTH && fy >= AXIS_WIDTH && !(isBlockHarmonic(fx) && isBlockHarmonic(fy)))
        found.push({ value, ring });
    }
  }
  const medians = rings.map((ring) => Float64Array.from(ring).sort()[ring.length >> 1] ?? 1);
  return Math.log10(found.reduce((best, { value, ring }) => Math.max(best, value / (medians[ring]! + 1e-12)), 1));
}

function isBlockHarmonic(frequency: number): boolean {
  return Math.abs(frequency - Math.round(8 * frequency) / 8) < BLOCK_WIDTH;
}

/** Transforms every row in place (fast Fourier transform by Cooley and Tukey). */
function transformRows(real: Float64Array, imaginary: Float64Array): void {
  for (let row = 0; row < real.length; row += TILE_PX) {
    for (let i = 0; i < TILE_PX; i++) {
      const j = REVERSED[i]!;
      if (i >= j) continue;
      swap(real, row + i, row + j);
      swap(imaginary, row + i, row + j);
    }
    for (let half = 1, turn = TILE_PX / 2; half < TILE_PX; half *= 2, turn /= 2) {
      for (let first = row; first < row + TILE_PX; first += 2 * half) {
        for (let k = 0; k < half; k++) {
          const cos = COSINES[k * turn]!;
          const sin = SINES[k * turn]!;
          const a = first + k;
          const b = a + half;
          const re = real[b]! * cos - imaginary[b]! * sin;
          const im = real[b]! * sin + imaginary[b]! * cos;
          real[b] = real[a]! - re;
          imaginary[b] = imaginary[a]! - im;
          real[a]! += re;
          imaginary[a]! += im;
        }
      }
    }
  }
}

function transpose(values: Float64Array): void {
  for (let y = 0; y < TILE_PX; y++) for (let x = 0; x < y; x++) swap(values, y * TILE_PX + x, x * TILE_PX + y);
}

function swap(values: Float64Array, a: number, b: number): void {
  const value = values[a]!;
  values[a] = values[b]!;
  values[b] = value;
}
