import sharp from "sharp";
import { GROCERIES, pageOf } from "./groceries.ts";

/** Draws the printed rows where `pageOf` has their boxes: a picture that fits its text. */
export function drawnReceipt(rows: readonly string[]): Promise<Buffer> {
  const { width, height, boxes } = pageOf(rows);
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const texts = boxes.map(({ polygon, text }) => {
    const [left, right, bottom] = [polygon[0].x, polygon[1].x, polygon[2].y];
    const length = `textLength="${right - left}" lengthAdjust="spacingAndGlyphs"`;
    return `<text x="${left}" y="${bottom - 4}" font-size="20" font-family="monospace" ${length}>${escaped(text)}</text>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#f7f5ef"/>${texts.join("")}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

/** The printed rows of purchase `number`: another minute, number, price and total each time. */
export function groceriesOf(number: number): { readonly rows: string[]; readonly amount: string } {
  const amount = (7.4 + number / 100).toFixed(2);
  const rows = GROCERIES.map((row) =>
    row
      .replace("10:41", `${11 + Math.floor(number / 60)}:${String(number % 60).padStart(2, "0")}`)
      .replace("1.45", (1.45 + number / 100).toFixed(2))
      .replace("7.40", amount),
  );
  return { rows: [...rows, `RECEIPT NO ${4_711 + 37 * number}`], amount };
}
