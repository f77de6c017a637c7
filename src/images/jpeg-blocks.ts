/** The order in which JPEG writes the 64 frequencies of a block, by row × 8 + column (ITU-T T.81, figure A.6). */
export const ZIGZAG: readonly number[] = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
  55, 62, 63,
];

/** The luminance steps of ITU-T T.81, table K.1, that nearly every program scales by its quality; in zigzag order. */
const ANNEX_K = [
  16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40, 26, 24, 22, 22, 24, 49, 35, 37, 29, 40, 58, 51, 61,
  60, 57, 51, 56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109, 81, 87, 95, 98, 103, 104, 103, 62, 77, 113, 121,
  112, 100, 120, 92, 101, 103, 99,
];

/** The luminance steps that libjpeg, and what is built on it, uses at a quality from 1 to 100; in zigzag order. */
export function usualSteps(quality: number): number[] {
  const percent = quality < 50 ? 5_000 / quality : 200 - 2 * quality;
  return ANNEX_K.map((step) => Math.max(1, Math.min(255, Math.floor((step * percent + 50) / 100))));
}

/** The luminance steps in the head of a JPEG, in zigzag order; null where there are none. */
export function luminanceSteps(head: Buffer): number[] | null {
  if (head[0] !== 0xff || head[1] !== 0xd8) return null;
  const tables: number[][] = [];
  let luminance = 0;
  for (let at = 2; at + 4 <= head.length && head[at] === 0xff;) {
    const marker = head[at + 1]!;
    // Any number of 0xFF may fill the space before a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xda) return tables[luminance] ?? null;
    const end = at + 2 + head.readUInt16BE(at + 2);
    if (end > head.length) return null;
    if (marker === 0xdb) readTables(head.subarray(at + 4, end), tables);
    // The frame header names the table of its first component, which is luminance.
    if (marker >= 0xc0 && marker <= 0xc2 && end >= at + 13) luminance = head[at + 12]!;
    at = end;
  }
  return null;
}

function readTables(segment: Buffer, tables: number[][]): void {
  for (let at = 0; at < segment.length;) {
    const bytes = segment[at]! >> 4 === 0 ? 1 : 2;
    const id = segment[at]! & 15;
    if (at + 1 + 64 * bytes > segment.length) return;
    tables[id] = ZIGZAG.map((_, i) => segment.readUIntBE(at + 1 + bytes * i, bytes));
    at += 1 + 64 * bytes;
  }
}

/** cos((2x + 1)uπ/16), scaled so that the transform keeps lengths; x from 0 to 3 only, the rest follows by symmetry. */
const COSINES = Float64Array.from(
  { length: 32 },
  (_, i) => (i < 4 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * (i % 4) + 1) * (i >> 2) * Math.PI) / 16),
);
const turned = new Float64Array(64);

/** The frequencies of a block of 8 × 8 shades. */
export function transformBlock(shades: Float64Array, frequencies: Float64Array): void {
  transformRows(shades, turned);
  transformRows(turned, frequencies);
}

/** The shades of a block of frequencies. */
export function restoreBlock(frequencies: Float64Array, shades: Float64Array): void {
  restoreRows(frequencies, turned);
  restoreRows(turned, shades);
}

/** Transforms each row and writes it as a column, so that doing it twice does rows and columns. */
function transformRows(from: Float64Array, to: Float64Array): void {
  for (let row = 0, at = 0; row < 8; row++, at += 8) {
    const sum0 = from[at]! + from[at + 7]!;
    const sum1 = from[at + 1]! + from[at + 6]!;
    const sum2 = from[at + 2]! + from[at + 5]!;
    const sum3 = from[at + 3]! + from[at + 4]!;
    const difference0 = from[at]! - from[at + 7]!;
    const difference1 = from[at + 1]! - from[at + 6]!;
    const difference2 = from[at + 2]! - from[at + 5]!;
    const difference3 = from[at + 3]! - from[at + 4]!;
    for (let i = 0, out = row; i < 32; i += 8, out += 16) {
      to[out] = COSINES[i]! * sum0 + COSINES[i + 1]! * sum1 + COSINES[i + 2]! * sum2 + COSINES[i + 3]! * sum3;
      to[out + 8] =
        COSINES[i + 4]! * difference0 +
        COSINES[i + 5]! * difference1 +
        COSINES[i + 6]! * difference2 +
        COSINES[i + 7]! * difference3;
    }
  }
}

function restoreRows(from: Float64Array, to: Float64Array): void {
  for (let row = 0, at = 0; row < 8; row++, at += 8) {
    for (let x = 0; x < 4; x++) {
      const even =
        COSINES[x]! * from[at]! +
        COSINES[x + 8]! * from[at + 2]! +
        COSINES[x + 16]! * from[at + 4]! +
        COSINES[x + 24]! * from[at + 6]!;
      const odd =
        COSINES[x + 4]! * from[at + 1]! +
        COSINES[x + 12]! * from[at + 3]! +
        COSINES[x + 20]! * from[at + 5]! +
        COSINES[x + 28]! * from[at + 7]!;
      to[8 * x + row] = even + odd;
      to[8 * (7 - x) + row] = even - odd;
    }
  }
}
