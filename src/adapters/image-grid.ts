import { setImmediate } from "node:timers/promises";
import sharp from "sharp";
import { whileDecoding } from "./images.ts";

// A photo of a screen shows the screen's grid of pixels, or the waves between it and the camera's: one sharp peak in the spectrum, at an angle
// when the camera is held a little turned. Print and paper have none there; what scanners, text and JPEG's blocks leave lies on the axes.

/** The side of a tile; a power of two. */
const TILE_PX = 256;
/** Six tiles take 70 ms of the processor. */
const TILES_ACROSS = 2;
const TILES_DOWN = 3;
/** Waves are looked for between these frequencies, in periods a pixel: coarser ones are text. */
const FREQUENCY_MIN = 0.22;
const FREQUENCY_MAX = 0.6;
/** This near to an axis or to a harmonic of JPEG's blocks nothing is looked for. */
const AXIS_WIDTH = 0.012;
const BLOCK_WIDTH = 0.009;
const RINGS = 64;

/** The strongest wave in a picture as the common logarithm of its power over that of waves as long; 0 where the picture is too small to tell. */
export function strongestWave(path: string): Promise<number> {
  return whileDecoding(() => strongestWaveOf(path));
}

async function strongestWaveOf(path: string): Promise<number> {
  const { data, info } = await sharp(path).greyscale().toColourspace("b-w").raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  if (width < TILE_PX || height < TILE_PX) return 0;
  const power = new Float64Array(TILE_PX * TILE_PX);
  for (let tile = 0; tile < TILES_ACROSS * TILES_DOWN; tile++) {
    const left = Math.floor(((width - TILE_PX) * ((tile % TILES_ACROSS) + 0.5)) / TILES_ACROSS);
    const top = Math.floor(((height - TILE_PX) * (Math.floor(tile / TILES_ACROSS) + 0.5)) / TILES_DOWN);
    addSpectrum(power, data, width, left, top);
    await setImmediate();
  }
  return strongestPeak(power);
}

/** Frequency, in periods a pixel, of a row or column of the spectrum. */
function frequency(index: number): number {
  return (index < TILE_PX / 2 ? index : index - TILE_PX) / TILE_PX;
}

/** Adds a tile's spectrum, each tile counting the same. */
function addSpectrum(power: Float64Array, data: Uint8Array, width: number, left: number, top: number): void {
  const real = new Float64Array(TILE_PX * TILE_PX);
  const imaginary = new Float64Array(TILE_PX * TILE_PX);
  let mean = 0;
  for (let y = 0; y < TILE_PX; y++)
    for (let x = 0; x < TILE_PX; x++) mean += data[(top + y) * width + left + x]! / TILE_PX ** 2;
  const fading = Float64Array.from({ length: TILE_PX }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / TILE_PX));
  for (let y = 0; y < TILE_PX; y++)
    for (let x = 0; x < TILE_PX; x++)
      real[y * TILE_PX + x] = (data[(top + y) * width + left + x]! - mean) * fading[x]! * fading[y]!;
  for (let y = 0; y < TILE_PX; y++) transform(real, imaginary, y * TILE_PX, 1);
  for (let x = 0; x < TILE_PX; x++) transform(real, imaginary, x, TILE_PX);
  let fine = 0;
  for (let i = 0; i < real.length; i++)
    if (Math.hypot(frequency(i % TILE_PX), frequency(Math.floor(i / TILE_PX))) > 0.15)
      fine += real[i]! ** 2 + imaginary[i]! ** 2;
  for (let i = 0; i < real.length; i++) power[i]! += (real[i]! ** 2 + imaginary[i]! ** 2) / (fine + 1000);
}

/** The highest value against the median of its ring, in powers of ten. */
function strongestPeak(power: Float64Array): number {
  const rings: number[][] = Array.from({ length: RINGS }, () => []);
  const found: { value: number; ring: number }[] = [];
  for (let y = 0; y <= TILE_PX / 2; y++) {
    for (let x = 0; x < TILE_PX; x++) {
      const [fx, fy] = [Math.abs(frequency(x)), Math.abs(frequency(y))];
      const radius = Math.hypot(fx, fy);
      if (radius < FREQUENCY_MIN || radius >= FREQUENCY_MAX) continue;
      const [value, ring] = [power[y * TILE_PX + x]!, Math.floor(radius * RINGS)];
      rings[ring]!.push(value);
      const isBlock = [fx, fy].every((f) => Math.abs(f - Math.round(8 * f) / 8) < BLOCK_WIDTH);
      if (fx >= AXIS_WIDTH && fy >= AXIS_WIDTH && !isBlock) found.push({ value, ring });
    }
  }
  const medians = rings.map((ring) => ring.sort((a, b) => a - b)[ring.length >> 1] ?? 1);
  return Math.log10(found.reduce((best, { value, ring }) => Math.max(best, value / (medians[ring]! + 1e-12)), 1));
}

/** Cooley and Tukey's transform of one row or column, in place. */
function transform(real: Float64Array, imaginary: Float64Array, offset: number, stride: number): void {
  const swap = (values: Float64Array, a: number, b: number): void => {
    [values[a], values[b]] = [values[b]!, values[a]!];
  };
  for (let i = 1, j = 0; i < TILE_PX; i++) {
    let bit = TILE_PX >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    swap(real, offset + i * stride, offset + j * stride);
    swap(imaginary, offset + i * stride, offset + j * stride);
  }
  for (let length = 2; length <= TILE_PX; length *= 2) {
    const half = length / 2;
    for (let k = 0; k < half; k++) {
      const [cos, sin] = [Math.cos((-2 * Math.PI * k) / length), Math.sin((-2 * Math.PI * k) / length)];
      for (let i = k; i < TILE_PX; i += length) {
        const [a, b] = [offset + i * stride, offset + (i + half) * stride];
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
