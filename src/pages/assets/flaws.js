// Finds flaws of a photo that make it hard to read, in a small copy of it. Pure: the tests run it on real receipts in
// Node. The thresholds are explained, with what was measured, in docs/pages.md.

/** Below these values the print is probably too small or too dark. */
const SHORT_SIDE_MIN = 480;
const LONG_SIDE_MIN = 800;
const PAPER_SHADE_MIN = 95;
/** Least steepness between neighbouring pixels, as a share of the contrast: sharp print has steep edges. */
const STEEPNESS_MIN = 0.3;
/** Share of the steps in the outermost strip that are as steep as print. */
const EDGE_INK_MIN = 0.16;
const STRIP_SHARE = 0.004;
/** Wide enough for the edge of a stroke that is not quite sharp. */
const STEP_PX = 2;

/** The flaws of a photo. `pixels` is a small copy (ImageData), `width` and `height` are those of the photo itself. */
export function flawsOf(pixels, { width, height }) {
  const shades = shadesOf(pixels);
  const paper = quantile(shades.values, 0.8);
  const contrast = paper - quantile(shades.values, 0.02);
  const flaws = [];
  if (Math.min(width, height) < SHORT_SIDE_MIN || Math.max(width, height) < LONG_SIDE_MIN) flaws.push("small");
  if (paper < PAPER_SHADE_MIN) flaws.push("dark");
  if (steepness(shades) < STEEPNESS_MIN * contrast) flaws.push("blurred");
  if (edgeInk(shades, contrast) > EDGE_INK_MIN) flaws.push("cut");
  return flaws;
}

/** Returns the brightness of each pixel, 0 to 255 (ITU-R BT.601). */
function shadesOf({ data, width, height }) {
  const values = new Uint8Array(width * height);
  for (let i = 0; i < values.length; i++) {
    values[i] = (299 * data[4 * i] + 587 * data[4 * i + 1] + 114 * data[4 * i + 2]) / 1000;
  }
  return { values, width, height };
}

/** Returns the steepness of the steepest steps between pixels, except the top 1 %, which may be a speck. */
function steepness({ values, width, height }) {
  const counts = new Uint32Array(256);
  for (let y = 0; y < height - 1; y++) {
    for (let x = 0; x < width - 1; x++) {
      const at = y * width + x;
      counts[Math.max(Math.abs(values[at] - values[at + 1]), Math.abs(values[at] - values[at + width]))]++;
    }
  }
  return quantileOf(counts, 0.99);
}

/** Returns the largest share of steps as steep as print along one of the four edges. */
function edgeInk({ values, width, height }, contrast) {
  const step = Math.max(20, contrast / 3);
  const depthX = Math.max(2, Math.round(width * STRIP_SHARE));
  const depthY = Math.max(2, Math.round(height * STRIP_SHARE));
  const along = (length, depth, at) => {
    let inked = 0;
    for (let i = STEP_PX; i < length; i++) {
      let isInked = false;
      for (let d = 0; d < depth && !isInked; d++) isInked = Math.abs(at(i, d) - at(i - STEP_PX, d)) > step;
      if (isInked) inked++;
    }
    return inked / length;
  };
  return Math.max(
    along(width, depthY, (i, d) => values[d * width + i]),
    along(width, depthY, (i, d) => values[(height - 1 - d) * width + i]),
    along(height, depthX, (i, d) => values[i * width + d]),
    along(height, depthX, (i, d) => values[i * width + width - 1 - d]),
  );
}

function quantile(values, share) {
  const counts = new Uint32Array(256);
  for (const value of values) counts[value]++;
  return quantileOf(counts, share);
}

function quantileOf(counts, share) {
  const wanted = share * counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  return counts.findIndex((count) => (seen += count) >= wanted);
}
