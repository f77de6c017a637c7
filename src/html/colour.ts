/** The background colours that an accent is used on, in both schemes; variables of assets/theme.css. */
export const SURFACES = {
  light: { paper: "#f6f5f1", card: "#ffffff" },
  dark: { paper: "#121513", card: "#1c211e" },
} as const;

/** An accent in a scheme: for areas, for text on those areas, and for text and lines on the scheme's backgrounds. */
export interface Accent {
  readonly fill: string;
  readonly onFill: string;
  readonly text: string;
}

/** WCAG 2.2, 1.4.3 for text; 1.4.11 requires less for graphics. */
const CONTRAST_MIN = 4.5;
/** Contrast of an area to its background (1.4.11). */
const FILL_CONTRAST_MIN = 3;
const STEP = 0.04;

const WHITE = "#ffffff";
const INK = "#10150f";
const BLACK = "#000000";

/** Returns the error of an accent colour, or null. It must have six hexadecimal digits, as in #1f6b4a. */
export function accentError(text: string): string | null {
  return /^#[0-9a-f]{6}$/i.test(text) ? null : "must be a colour such as #1f6b4a";
}

/** Returns the accent nearest to the wanted colour with enough contrast on both backgrounds of a scheme. */
export function accentIn(scheme: keyof typeof SURFACES, wanted: string): Accent {
  const surfaces = Object.values(SURFACES[scheme]);
  const towards = scheme === "light" ? BLACK : WHITE;
  const fill = firstWith(wanted, towards, surfaces, FILL_CONTRAST_MIN);
  return {
    fill,
    // White or black is readable on any colour; ink, which is softer than black, on most.
    onFill: [WHITE, INK].find((ink) => contrast(fill, ink) >= CONTRAST_MIN) ?? BLACK,
    text: firstWith(wanted, towards, surfaces, CONTRAST_MIN),
  };
}

/** Returns the colour, or its first mixture with `towards` that has enough contrast to all backgrounds. */
function firstWith(wanted: string, towards: string, surfaces: readonly string[], least: number): string {
  for (let share = 0; share < 1; share += STEP) {
    const mixed = mix(wanted, towards, share);
    if (surfaces.every((surface) => contrast(mixed, surface) >= least)) return mixed;
  }
  return towards;
}

/** Returns the contrast ratio of WCAG, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(from: string, to: string, share: number): string {
  const target = channels(to);
  const mixed = channels(from).map((value, i) => Math.round(value + (target[i]! - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}
