import type { Pixels } from "./normalise.ts";
import { shadeOf } from "./shades.ts";

// A photo of a screen shows the screen's grid of pixels, or the moiré between that grid and the camera's: one sharp
// peak in the spectrum, at an angle if the camera is held a little turned. Print and paper have no such peak; the
// traces of scanners, text and JPEG blocks are on the axes.

/** The side of a tile; a power of two. */
const TILE_PX = 256;
/** Tiles in a row and in a column. */
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
  const power = new Float64Array(HALF_SPECTRUM);
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

/** Values of a spectrum from the row of frequency 0 to the highest one: the other rows have the same, reversed. */
const HALF_SPECTRUM = TILE_PX * (TILE_PX / 2 + 1);
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

/**
 * Returns a tile around its mean, faded out towards its edges, in columns, so that the transform reads memory in order;
 * the values of a column are in the order that the transform begins with.
 */
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
      tile[x * TILE_PX + REVERSED[y]!] = (shades[y * TILE_PX + x]! - mean) * WINDOW[x]! * WINDOW[y]!;
  return tile;
}

/**
 * Adds the spectra of two tiles, with the same weight for each. Overwrites the tiles: they become the real and the
 * imaginary part of one transform, whose even and odd parts are the spectra of the two.
 */
function addSpectra(power: Float64Array, columns: Float64Array, columnsOfOther: Float64Array): void {
  transformRows(columns, columnsOfOther);
  const real = transposed(columns);
  const imaginary = transposed(columnsOfOther);
  transformRows(real, imaginary);
  const one = new Float64Array(HALF_SPECTRUM);
  const other = new Float64Array(HALF_SPECTRUM);
  let [fineOfOne, fineOfOther] = [0, 0];
  for (let y = 0, at = 0; y <= TILE_PX / 2; y++) {
    // Those of a row between the first and the last are there once more, in the half that is left out.
    const times = y === 0 || y === TILE_PX / 2 ? 1 : 2;
    const oppositeRow = ((TILE_PX - y) % TILE_PX) * TILE_PX;
    for (let x = 0; x < TILE_PX; x++, at++) {
      // The value at the opposite frequency.
      const opposite = oppositeRow + ((TILE_PX - x) % TILE_PX);
      const [re, im, re2, im2] = [real[at]!, imaginary[at]!, real[opposite]!, imaginary[opposite]!];
      one[at] = ((re + re2) ** 2 + (im - im2) ** 2) / 4;
      other[at] = ((im + im2) ** 2 + (re - re2) ** 2) / 4;
      if (IS_FINE[at] === 0) continue;
      fineOfOne += times * one[at]!;
      fineOfOther += times * other[at]!;
    }
  }
  for (let i = 0; i < power.length; i++) power[i]! += one[i]! / (fineOfOne + 1000) + other[i]! / (fineOfOther + 1000);
}

/** Whether each value of a half spectrum is above `FINE_MIN`. */
const IS_FINE = new Uint8Array(HALF_SPECTRUM);
/** The places of each ring in a half spectrum, and those of them where a peak counts. */
const RING_PLACES: readonly { readonly all: readonly number[]; readonly searched: readonly number[] }[] =
  placesOfRings();

function placesOfRings(): { all: number[]; searched: number[] }[] {
  const rings = Array.from({ length: RINGS }, () => ({ all: [] as number[], searched: [] as number[] }));
  // The length of a frequency, in periods a pixel, of a row or column of the spectrum.
  const frequency = (index: number): number => (index <= TILE_PX / 2 ? index : TILE_PX - index) / TILE_PX;
  for (let at = 0; at < HALF_SPECTRUM; at++) {
    const [fx, fy] = [frequency(at % TILE_PX), frequency(Math.floor(at / TILE_PX))];
    if (fx ** 2 + fy ** 2 > FINE_MIN ** 2) IS_FINE[at] = 1;
    const radius = Math.sqrt(fx ** 2 + fy ** 2);
    if (radius < FREQUENCY_MIN || radius >= FREQUENCY_MAX) continue;
    const ring = rings[Math.floor(radius * RINGS)]!;
    ring.all.push(at);
    if (fx >= AXIS_WIDTH && fy >= AXIS_WIDTH && !(isBlockHarmonic(fx) && isBlockHarmonic(fy))) ring.searched.push(at);
  }
  return rings.filter(({ all }) => all.length > 0);
}

function isBlockHarmonic(frequency: number): boolean {
  return Math.abs(frequency - Math.round(8 * frequency) / 8) < BLOCK_WIDTH;
}

/** Returns the highest ratio of a value to the median of its ring, in powers of ten. */
function highestPeak(power: Float64Array): number {
  let highest = 1;
  for (const { all, searched } of RING_PLACES) {
    const median = Float64Array.from(all, (at) => power[at]!).sort()[all.length >> 1]!;
    let most = 0;
    for (const at of searched) if (power[at]! > most) most = power[at]!;
    highest = Math.max(highest, most / (median + 1e-12));
  }
  return Math.log10(highest);
}

/**
 * Transforms every row in place, each with its values in bit-reversed order (fast Fourier transform by Cooley and
 * Tukey). Its first two levels are one: they multiply by 1 and by the imaginary unit only.
 */
function transformRows(real: Float64Array, imaginary: Float64Array): void {
  for (let row = 0; row < real.length; row += TILE_PX) {
    for (let a = row; a < row + TILE_PX; a += 4) {
      const [re, re2] = [real[a]! + real[a + 1]!, real[a + 2]! + real[a + 3]!];
      const [im, im2] = [imaginary[a]! + imaginary[a + 1]!, imaginary[a + 2]! + imaginary[a + 3]!];
      const [apartRe, apartRe2] = [real[a]! - real[a + 1]!, real[a + 2]! - real[a + 3]!];
      const [apartIm, apartIm2] = [imaginary[a]! - imaginary[a + 1]!, imaginary[a + 2]! - imaginary[a + 3]!];
      real[a] = re + re2;
      imaginary[a] = im + im2;
      real[a + 1] = apartRe + apartIm2;
      imaginary[a + 1] = apartIm - apartRe2;
      real[a + 2] = re - re2;
      imaginary[a + 2] = im - im2;
      real[a + 3] = apartRe - apartIm2;
      imaginary[a + 3] = apartIm + apartRe2;
    }
    for (let half = 4, turn = TILE_PX / 8; half < TILE_PX; half *= 2, turn /= 2) {
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

/** Returns the columns as rows, each in the order that the transform begins with. */
function transposed(columns: Float64Array): Float64Array {
  const rows = new Float64Array(columns.length);
  for (let x = 0, at = 0; x < TILE_PX; x++)
    for (let y = 0; y < TILE_PX; y++, at++) rows[y * TILE_PX + REVERSED[x]!] = columns[at]!;
  return rows;
}
