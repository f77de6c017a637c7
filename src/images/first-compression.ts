import { restoreBlock, transformBlock, usualSteps, ZIGZAG } from "./jpeg-blocks.ts";

/** JPEG counts shades from here. */
export const MIDDLE = 128;
/** Magnitudes of frequencies above this one are rare and left out. */
export const MAGNITUDE_MAX = 120;
/** A value that shows no step at all is allowed for in so many of a hundred. */
const STRAY_SHARE = 0.02;
const STEP_MIN = 2;
const STEP_MAX = 40;
/** Below this a step explains the magnitudes no better than chance would, in nats a block; and in nats of all blocks, those at zero left out. */
const GAIN_MIN = 0.03;
const GAIN_BEYOND_ZERO_MIN = 20;
/** In nats; the steps of another quality than the true one get less than nothing. */
const QUALITY_EVIDENCE_MIN = 15;
const QUALITY_STRAY_SHARE = 0.3;

/** How magnitudes of one frequency are spread where no compression has left its steps. */
export interface Spread {
  /** Up to each magnitude less a half, all of them together. */
  readonly upTo: Float64Array;
}

/** By how much each magnitude, in whole steps, speaks against the step of a first compression, in nats. */
export interface StepEvidence {
  readonly firstStep: number;
  readonly gain: number;
  readonly against: Float64Array;
}

/** The spread by counts of magnitudes, smoothed so that the next compression's own steps don't show. */
export function spreadOf(counts: Float64Array): Spread {
  const upTo = new Float64Array(MAGNITUDE_MAX + 2);
  for (let i = 0; i <= MAGNITUDE_MAX; i++) {
    const reach = 1 + Math.floor(i / 8);
    let [sum, n] = [0, 0];
    for (let j = i - reach; j <= Math.min(i + reach, MAGNITUDE_MAX); j++, n++) {
      // What rounds to zero comes from half as wide a range as what rounds to another magnitude.
      sum += j === 0 ? 2 * counts[0]! : counts[Math.abs(j)]!;
    }
    upTo[i + 1] = upTo[i]! + sum / n + 0.05;
  }
  return { upTo };
}

function upToMagnitude({ upTo }: Spread, magnitude: number): number {
  const at = Math.min(Math.max(magnitude + 0.5, 0), MAGNITUDE_MAX + 1);
  const i = Math.min(Math.floor(at), MAGNITUDE_MAX);
  return upTo[i]! + (at - i) * (upTo[i + 1]! - upTo[i]!);
}

/** Of values between two bounds, whatever their sign; `low` may be below zero. */
function massBetween(spread: Spread, low: number, high: number): number {
  const mass = upToMagnitude(spread, high) - upToMagnitude(spread, Math.max(low, 0));
  return low < 0 ? mass + upToMagnitude(spread, -low) - upToMagnitude(spread, 0) : mass;
}

/** The normal distribution up to `x`, to three digits. */
function normalUpTo(x: number): number {
  return 0.5 * (1 + Math.tanh(0.797885 * (x + 0.044715 * x * x * x)));
}

/**
 * What magnitudes, counted in whole `step`s of the last compression, say of a first one with `firstStep`: a frequency lies within `noise` of its
 * multiples if its block went through both, and anywhere if it was drawn in between.
 */
function evidenceOf(counts: Float64Array, step: number, spread: Spread, firstStep: number, noise: number) {
  const last = counts.length - 1;
  const stepped = new Float64Array(last + 1);
  for (let multiple = 0; multiple <= MAGNITUDE_MAX; multiple += firstStep) {
    const mass = massBetween(spread, multiple - firstStep / 2, multiple + firstStep / 2);
    const from = Math.max(0, Math.floor((multiple - 3 * noise) / step));
    const to = Math.min(last, Math.ceil((multiple + 3 * noise) / step));
    for (let k = from; k <= to; k++) {
      const share =
        normalUpTo(((k + 0.5) * step - multiple) / noise) - normalUpTo(((k - 0.5) * step - multiple) / noise);
      stepped[k]! += mass * (multiple === 0 && k > 0 ? 2 * share : share);
    }
  }
  const free = Float64Array.from(counts, (_, k) => massBetween(spread, (k - 0.5) * step, (k + 0.5) * step));
  const [steppedMass, freeMass] = [sumOf(stepped), sumOf(free)];
  const against = new Float64Array(last + 1);
  let [gain, gainBeyondZero] = [0, 0];
  for (let k = 0; k <= last; k++) {
    const chance = free[k]! / freeMass;
    against[k] = Math.log(chance / (((1 - STRAY_SHARE) * stepped[k]!) / steppedMass + STRAY_SHARE * chance));
    gain -= counts[k]! * against[k]!;
    if (k * step > firstStep / 2) gainBeyondZero -= counts[k]! * against[k]!;
  }
  const isShown = gainBeyondZero > GAIN_BEYOND_ZERO_MIN;
  return { firstStep, gain: isShown ? gain / Math.max(1, sumOf(counts)) : 0, against };
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The step, and the noise around its multiples, that explain magnitudes best; null where none does. */
export function firstStepOf(
  counts: Float64Array,
  step: number,
  spread: Spread,
  tried: { readonly firstSteps?: readonly number[]; readonly noises: readonly number[] },
): StepEvidence | null {
  const firstSteps = tried.firstSteps ?? Array.from({ length: STEP_MAX - STEP_MIN + 1 }, (_, i) => STEP_MIN + i);
  let best: StepEvidence | null = null;
  for (const firstStep of firstSteps) {
    for (const noise of tried.noises) {
      // A step like the last one leaves no trace beside it, nor does one much finer than the last one or than the noise.
      if ((firstStep === step && step > 1) || firstStep < step / 2 || firstStep < 2.5 * noise) continue;
      const evidence = evidenceOf(counts, step, spread, firstStep, noise);
      if (evidence.gain > (best?.gain ?? GAIN_MIN)) best = evidence;
    }
  }
  return best;
}

const frequencies = new Float64Array(64);
const multiples = new Float64Array(64);
const shades = new Float64Array(64);
const changed = new Float64Array(64);
/** Shades beyond these, less the middle, may have been cut off. */
const DARKEST = 1.5 - MIDDLE;
const LIGHTEST = 253.5 - MIDDLE;

/**
 * The frequencies that a block had before what is darker than black or lighter than white was cut off, as JPEG leaves it along every edge in white
 * paper: cut shades are moved to where the nearest multiples of the first steps (by place, not in zigzag order) put them, a few times. The result is
 * overwritten by the next call.
 */
export function uncut(block: Float64Array, firstSteps: Float64Array, rounds: number): Float64Array {
  changed.set(block);
  transformBlock(block, frequencies);
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < 64; i++) multiples[i] = Math.round(frequencies[i]! / firstSteps[i]!) * firstSteps[i]!;
    restoreBlock(multiples, shades);
    for (let i = 0; i < 64; i++) {
      if (block[i]! > LIGHTEST) changed[i] = Math.max(block[i]!, shades[i]!);
      else if (block[i]! < DARKEST) changed[i] = Math.min(block[i]!, shades[i]!);
    }
    transformBlock(changed, frequencies);
  }
  return frequencies;
}

/** Steps in zigzag order by place in the block. */
export function byPlace(steps: readonly number[]): Float64Array {
  const placed = new Float64Array(64);
  for (const [i, place] of ZIGZAG.entries()) placed[place] = steps[i]!;
  return placed;
}

/** The usual steps that are nearest to those known, with these put in; the number of those known is given by where they aren't 0. */
export function stepsLike(known: readonly number[]): number[] {
  const distance = (steps: readonly number[]): number =>
    known.reduce((sum, step, i) => (step === 0 ? sum : sum + Math.abs(Math.log(steps[i]! / step))), 0);
  const usual = QUALITIES.map(usualSteps).reduce((best, steps) => (distance(steps) < distance(best) ? steps : best));
  return usual.map((step, i) => known[i] || step);
}

const QUALITIES = Array.from({ length: 59 }, (_, i) => 40 + i);

/** The usual steps of which blocks with cut shades show the multiples, when it isn't those of the last compression; null where none do. */
export function stepsOfCut(
  blocks: readonly Float64Array[],
  lastSteps: readonly number[],
  frequencyCount: number,
): number[] | null {
  let best: number[] | null = null;
  let bestEvidence = QUALITY_EVIDENCE_MIN;
  for (const quality of QUALITIES) {
    const steps = usualSteps(quality);
    if (steps.every((step, i) => step === lastSteps[i])) continue;
    const placed = byPlace(steps);
    let evidence = 0;
    for (const block of blocks) {
      const found = uncut(block, placed, 2);
      for (let i = 1; i <= frequencyCount; i++) {
        const noise = Math.max(0.06, Math.sqrt(0.3 + lastSteps[i]! ** 2 / 12) / steps[i]!);
        const inSteps = Math.abs(found[ZIGZAG[i]!]!) / steps[i]!;
        if (noise > 0.2 || inSteps < 0.5) continue;
        const off = (inSteps - Math.round(inSteps)) / noise;
        const density = (0.399 / noise) * Math.exp(-0.5 * off * off);
        evidence += Math.log((1 - QUALITY_STRAY_SHARE) * density + QUALITY_STRAY_SHARE);
      }
    }
    if (evidence > bestEvidence) [best, bestEvidence] = [steps, evidence];
  }
  return best;
}
