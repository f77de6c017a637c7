// The receipt that tests upload: its printed rows, the form that agrees with them, a picture, and the OCR's page.
import sharp from "sharp";
import type { OcrPage, TextBox } from "../../src/ocr/page.ts";
import type { Form } from "./multipart.ts";

/** The printed rows of a till receipt. The total is 7.40. */
export const GROCERIES = [
  "        LARKMEADOW MARKET",
  "        14 Harbour Lane",
  "       Tel 01632 960142",
  "     24/10/2026   10:41",
  "",
  "RED LENTILS 500G             1.45",
  "WHOLEMEAL BREAD 800G         1.40",
  "BEEF MINCE 500G              4.25",
  "CARRIER BAG                  0.30",
  "",
  "TOTAL                       £7.40",
  "VISA CONTACTLESS             7.40",
];

let references = 0;

/** Returns a complete form that agrees with GROCERIES. A change of undefined leaves a field out. */
export function formFor(userId: string, changes: Record<string, string | string[] | undefined> = {}): Form["fields"] {
  const fields = {
    userId,
    transactionId: `t-${++references}`,
    amount: "7.40",
    merchantName: "Larkmeadow Market",
    transactionTimestamp: "2026-10-24T10:41:00+01:00",
    ...changes,
  };
  return Object.fromEntries(Object.entries(fields).filter((field) => field[1] !== undefined));
}

let pictures = 0;

/** Draws a small PNG; each has other bytes. */
export function picture(): Promise<Buffer> {
  pictures++;
  const background = { r: pictures % 256, g: Math.floor(pictures / 256), b: 7 };
  return sharp({ create: { width: 40, height: 40, channels: 3, background } })
    .png()
    .toBuffer();
}

const COLUMN_PX = 12;
const ROW_PX = 30;

/** Returns the OCR's page of printed rows: each piece of text between two gaps is a box. */
export function pageOf(rows: readonly string[]): OcrPage {
  const boxes = rows.flatMap((row, i) =>
    [...row.matchAll(/\S+(?: \S+)*/g)].map((match): TextBox => {
      const [left, right] = [match.index * COLUMN_PX, (match.index + match[0].length) * COLUMN_PX];
      const [top, bottom] = [(i + 1) * ROW_PX, (i + 1) * ROW_PX + 22];
      const corners = [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
      ].map(([x, y]) => ({ x: x!, y: y! }));
      return { polygon: corners as unknown as TextBox["polygon"], text: match[0], score: 0.98 };
    }),
  );
  return { width: 600, height: (rows.length + 3) * ROW_PX, rotation: 0, boxes };
}
