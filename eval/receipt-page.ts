import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { findAmounts } from "../src/receipts/parsing/rows/amounts.ts";
import { findMoment } from "../src/receipts/parsing/dates/dates.ts";
import { labelsOf } from "../src/receipts/parsing/rows/labels.ts";
import { rowsOf } from "../src/receipts/parsing/rows/rows.ts";
import type { OcrPage } from "../src/ocr/page.ts";
import type { ReceiptReading } from "../src/receipts/parsing/parse.ts";
import type { Judgement, Truth } from "./receipt-tally.ts";

/** A reading with everything that the page shows of it. */
export interface Shown {
  file: string;
  source: string;
  truth: Truth;
  picture: () => Promise<Uint8Array>;
  page: OcrPage;
  judgement: Judgement;
}

const PICTURE_LONG_PX = 1000;
const JPEG_QUALITY = 55;

/**
 * Writes `index.html` into the folder and returns its path: every receipt with its boxes and rows, and the truth beside
 * the reading, the wrong ones first.
 */
export async function writePage(folder: string, shown: readonly Shown[]): Promise<string> {
  await mkdir(folder, { recursive: true });
  const ordered = shown.toSorted(
    (a, b) => b.judgement.errors.length - a.judgement.errors.length || a.file.localeCompare(b.file),
  );
  const sections: string[] = [];
  for (const one of ordered) sections.push(await section(one));
  const wrong = ordered.filter(({ judgement }) => judgement.errors.length > 0).length;
  const file = path.join(folder, "index.html");
  await writeFile(
    file,
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Receipts read</title><style>${STYLE}</style>` +
      `<h1>${shown.length} receipts, ${wrong} not completely right</h1>` +
      `<p>Blue: boxes of the text detector. Green and orange: rows, by turns. Red: text read with a score below 0.8. Filled: the rows of the merchant (violet), the date (blue), the total (yellow) and of lines (green).</p>${sections.join("\n")}</html>\n`,
  );
  return file;
}

const STYLE =
  "body{font:14px/1.4 system-ui,sans-serif;margin:2rem;color:#222}section{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:2rem;border-top:2px solid #ccc;padding:1rem 0}" +
  "figure{margin:0}svg{width:100%;height:auto;max-height:95vh}table{border-collapse:collapse}td,th{border-bottom:1px solid #ddd;padding:.1rem .6rem;text-align:left}" +
  ".wrong{background:#fdd}.right{background:#efe}pre{font-size:12px}td.n{text-align:right;font-variant-numeric:tabular-nums}";

async function section({ file, source, truth, picture, page, judgement }: Shown): Promise<string> {
  const { receipt, errors } = judgement;
  return (
    `<section><figure>${await drawing(await picture(), page, receipt)}</figure><div><h2>${escaped(file)} <small>${escaped(source)}</small></h2>` +
    (errors.length > 0 ? `<p class="wrong">${errors.map(escaped).join("<br>")}</p>` : "") +
    (receipt ? fields(receipt, truth, judgement) + lines(receipt, truth, judgement) : "") +
    `<details><summary>rows as read</summary><pre>${rowsOf(page).map(({ text }) => escaped(text)).join("\n")}</pre></details></div></section>`
  ); // prettier-ignore
}

async function drawing(bytes: Uint8Array, page: OcrPage, receipt: ReceiptReading | null): Promise<string> {
  const scale = PICTURE_LONG_PX / Math.max(page.width, page.height);
  const upright = await sharp(bytes, { autoOrient: true }).flatten({ background: "#fff" }).toBuffer();
  const jpeg = await sharp(upright)
    .rotate(page.rotation)
    .resize({ width: Math.round(page.width * scale), height: Math.round(page.height * scale), fit: "fill" })
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
  const stroke = 1.5 / scale;
  const boxes = page.boxes.map(({ polygon, text, score }) => {
    const points = polygon.map(({ x, y }) => `${x.toFixed(0)},${y.toFixed(0)}`).join(" ");
    return `<polygon points="${points}" fill="none" stroke="${score < 0.8 ? "#d00" : "#06c"}" stroke-width="${stroke.toFixed(1)}"><title>${escaped(text)} (${score})</title></polygon>`;
  });
  const filled = rowsOf(page).flatMap(({ text, members }) => {
    const colour = receipt && fieldColour(text, receipt);
    if (!colour) return [];
    const rectangles = members.map((polygon) => polygon.map(({ x, y }) => `${x.toFixed(0)},${y.toFixed(0)}`).join(" "));
    return rectangles.map((points) => `<polygon points="${points}" fill="${colour}" fill-opacity=".3"/>`);
  });
  const rows = rowsOf(page).map(({ members }, i) => {
    const points = members.map(([a, b, c, d]) => [(a.x + d.x) / 2, (a.y + d.y) / 2, (b.x + c.x) / 2, (b.y + c.y) / 2]);
    const path = points.flatMap(([x1, y1, x2, y2]) => [`${x1!.toFixed(0)},${y1!.toFixed(0)}`, `${x2!.toFixed(0)},${y2!.toFixed(0)}`]).join(" "); // prettier-ignore
    return `<polyline points="${path}" fill="none" stroke="${i % 2 === 0 ? "#0a0" : "#e80"}" stroke-width="${(2 * stroke).toFixed(1)}" stroke-opacity=".5"/>`;
  });
  return (
    `<svg viewBox="0 0 ${page.width} ${page.height}"><image href="data:image/jpeg;base64,${jpeg.toString("base64")}" ` +
    `width="${page.width}" height="${page.height}" preserveAspectRatio="none"/>${filled.join("")}${rows.join("")}${boxes.join("")}</svg>`
  );
}

/** Returns the colour of a row's field, as far as its text shows it. */
function fieldColour(text: string, receipt: ReceiptReading): string | null {
  const amounts = findAmounts(text).map(({ minor }) => minor);
  if (receipt.merchantName !== null && text.includes(receipt.merchantName)) return "#80f";
  if (receipt.date !== null && findMoment([text], { country: receipt.country, today: null }).date === receipt.date) return "#06f"; // prettier-ignore
  const isLine = receipt.lines.some(
    ({ amountMinor, description }) =>
      amounts.includes(amountMinor) || (description !== "" && text.includes(description)),
  );
  if (receipt.totalMinor !== null && amounts.includes(receipt.totalMinor) && labelsOf(text).has("total")) return "#fc0";
  return isLine ? "#0b4" : null;
}

function fields(receipt: ReceiptReading, truth: Truth, judgement: Judgement): string {
  const row = (
    name: string,
    real: string | number | null,
    read: string | number | null,
    isRight: boolean | null,
  ): string =>
    `<tr class="${isRight === null ? "" : isRight ? "right" : "wrong"}"><th>${name}</th><td>${escaped(real)}</td><td>${escaped(read)}</td></tr>`;
  return (
    `<table><tr><th></th><th>truth</th><th>read</th></tr>` +
    row("merchant", truth.merchant, `${receipt.merchantName} (${receipt.businessName})`, judgement.merchant) +
    row("date", truth.date, receipt.date, judgement.date) +
    row("time", truth.time ?? "", receipt.time, judgement.time) +
    row("total", truth.total, major(receipt.totalMinor), judgement.total) +
    row("currency", truth.currency ?? "", `${receipt.currency} ${receipt.country}`, judgement.currency) +
    row("card", truth.card_last4 ?? "", receipt.cardLast4, judgement.card) +
    row("subtotal, tax, rounding", "", `${major(receipt.subTotalMinor)}, ${major(receipt.taxMinor)}, ${major(receipt.roundingMinor)}`, null) +
    row("paid, change", "", `${major(receipt.paidMinor)}, ${major(receipt.changeMinor)}`, null) +
    row("address", "", receipt.merchantAddress, null) +
    row("accuracy", "", receipt.accuracy, null) +
    row("repairs", "", receipt.repairs.join("; "), null) +
    `</table>`
  ); // prettier-ignore
}

function lines(receipt: ReceiptReading, truth: Truth, { lines: rights }: Judgement): string {
  const read = receipt.lines.map(
    ({ description, quantity, unit, amountMinor, accuracy }, i) =>
      `<tr class="${rights === null ? "" : rights[i] ? "right" : "wrong"}"><td>${escaped(description)}</td><td class="n">${quantity} ${unit}</td><td class="n">${major(amountMinor)}</td><td class="n">${accuracy}</td></tr>`,
  );
  const real = [
    ...(truth.items ?? []).map(({ name, amount }) => ({ name, amount })),
    ...(truth.discounts ?? []).map(({ label, amount }) => ({ name: label, amount })),
  ].map(({ name, amount }) => `<tr><td>${escaped(name)}</td><td class="n">${amount.toFixed(2)}</td></tr>`);
  return `<h3>Lines read</h3><table>${read.join("")}</table><h3>Lines there are</h3><table>${real.join("")}</table>`;
}

function major(minor: number | null): string {
  return minor === null ? "-" : (minor / 100).toFixed(2);
}

function escaped(value: string | number | null | undefined): string {
  return String(value ?? "-").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"); // prettier-ignore
}
