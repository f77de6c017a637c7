/** A point in pixels of the upright image. */
export interface Point {
  x: number;
  y: number;
}

/** One piece of text as the OCR found it: its four corners (top left first, clockwise) in the upright image. */
export interface TextBox {
  polygon: readonly [Point, Point, Point, Point];
  text: string;
  /** Mean probability of the characters, 0 to 1. */
  score: number;
  /** On paper that bends: half the change of the line's slope for each pixel along it; the corners are those of its ends. */
  bend?: number;
}

/** What the OCR saw on one image, after it was turned upright. `rotation` is the turn that was needed, in degrees clockwise. */
export interface OcrPage {
  width: number;
  height: number;
  rotation: 0 | 90 | 180 | 270;
  boxes: readonly TextBox[];
}
