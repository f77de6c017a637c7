import type { Row } from "./rows.ts";

// Tills that set count, price and amount close together (`2 x3,99 7,98A`): the OCR joins the price with the amount, or
// loses the point of the amount. The product shows where the amount begins.

const GLUED =
  /(?<count>\d{1,4}(?:[.,]\d{1,3})?)(?<between>\s?[A-Za-z]{0,3}\.?\s?[x×X*]\s?)(?<price>\d{1,4}[.,]\d{2})\s?(?<whole>\d{1,5})\s?[.,]?\s?(?<cents>\d{2})(?=\s?[A-Z]?\s*$)/;
/** A weight that has lost its point: `043` for `0,43`. */
const POINTLESS_WEIGHT = /^0\d{2,3}$/;

/** Returns the rows with a price and its amount apart where the count times the price is that amount. */
export function withPricesApart(rows: readonly Row[]): Row[] {
  return rows.map((row) => {
    const cells = row.cells.map((cell) => ({ ...cell, text: apart(cell.text) }));
    // The count may be in a cell of its own.
    const text = apart(cells.map((cell) => cell.text).join("  "));
    return text === row.text ? row : { ...row, cells, text };
  });
}

function apart(text: string): string {
  const found = GLUED.exec(text);
  if (!found) return text;
  const { count, between, price, whole, cents } = found.groups as Record<string, string> & { count: string };
  const written = POINTLESS_WEIGHT.test(count) ? `0.${count.slice(1)}` : count.replace(",", ".");
  const product = Math.round(Number(written) * Number(price!.replace(/\D/g, "")));
  const amount = Number(`${whole}${cents}`);
  return Math.abs(product - amount) > (written.includes(".") ? 1 : 0)
    ? text
    : text.replace(GLUED, `${count}${between}${price}  ${whole},${cents}`);
}
