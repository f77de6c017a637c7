/** A point in pixels of the upright image. */
export interface Point {
  x: number;
  y: number;
}

/** A piece of text with its four corners (clockwise from the top left) in the upright image. */
export interface TextBox {
  polygon: readonly [Point, Point, Point, Point];
  text: string;
  /** Mean probability of the characters, 0 to 1. */
  score: number;
  /** On bent paper: half the change of the line's slope per pixel along it; the corners are those of its ends. */
  bend?: number;
}

/** The text on an image after it was turned upright by `rotation` degrees clockwise. */
export interface OcrPage {
  width: number;
  height: number;
  rotation: 0 | 90 | 180 | 270;
  boxes: readonly TextBox[];
  /** The image has more text than a till receipt (read-page.ts). It was not read, and there are no boxes. */
  hasTooMuchText?: true;
}
