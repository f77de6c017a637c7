/** What an uploaded picture says of its making, kept when its metadata is stripped. */
export interface ImageTraces {
  /** Programs that change pictures, by their usual names, which have written the file. */
  readonly editors: readonly string[];
  /** The share of its area that has one and the same shade, 0 to 1. */
  readonly evenShare: number;
  /** The strongest peak of a fine pattern in the spectrum, in powers of ten over its ring; absent if not measured. */
  readonly moirePeak?: number;
}

/** Names by which programs for retouching sign their files (EXIF Software, XMP CreatorTool and history, PNG text); apps that only take or sort pictures are not among them. */
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

/** The editors named in the metadata of a picture. */
export function editorsIn(metadata: string): string[] {
  return EDITORS.filter(([, pattern]) => pattern.test(metadata)).map(([name]) => name);
}
