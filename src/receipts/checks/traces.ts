/** Traces of the making of an uploaded picture. They are stored, unlike its metadata. */
export interface ImageTraces {
  /** Usual names of the image editors that have written the file. */
  readonly editors: readonly string[];
  /** Share of its area with the most common shade, 0 to 1. */
  readonly evenShare: number;
  /** The strongest peak of a fine pattern in the spectrum, in powers of ten over its ring; absent if not measured. */
  readonly moirePeak?: number;
}

/**
 * Names that image editors write into their files (EXIF Software, XMP CreatorTool and history, PNG text), without apps
 * that only take or sort pictures.
 */
const EDITORS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["Photoshop", /photoshop/i],
  ["GIMP", /\bgimp\b/i],
  ["Snapseed", /snapseed/i],
  ["PicsArt", /picsart/i],
  ["Pixelmator", /pixelmator/i],
  ["Affinity Photo", /affinity (?:photo|designer)/i],
  ["Photopea", /photopea/i],
  ["Paint.NET", /paint\.net/i],
  ["Pixlr", /\bpixlr/i],
  ["Canva", /\bcanva\b/i],
  ["Facetune", /facetune/i],
  ["TouchRetouch", /touchretouch/i],
  ["PhotoScape", /photoscape/i],
  ["Krita", /\bkrita\b/i],
  ["Corel PaintShop", /paintshop|paint shop pro/i],
];

/** Returns the image editors named in the metadata of a picture. */
export function editorsIn(metadata: string): string[] {
  return EDITORS.filter(([, pattern]) => pattern.test(metadata)).map(([name]) => name);
}

/** The traces of several photos of one receipt: of each kind the most suspicious one. */
export function tracesOfAll(traces: readonly ImageTraces[]): ImageTraces {
  const peaks = traces.flatMap(({ moirePeak }) => moirePeak ?? []);
  return {
    editors: [...new Set(traces.flatMap(({ editors }) => editors))],
    evenShare: Math.max(...traces.map(({ evenShare }) => evenShare)),
    ...(peaks.length > 0 && { moirePeak: Math.max(...peaks) }),
  };
}
