import type { FormFields } from "../../http/form.ts";
import { UPLOAD_LIMITS } from "../../receipts/upload-schema.ts";
import type { ReceiptRequest } from "../../sessions/session.ts";
import type { DetailError } from "../../html/phrases.ts";

/** What may be typed beside the photo. */
export type DetailName = DetailError;

/** What was typed, as it stands in the form again when something is wrong. */
export type Typed = Readonly<Partial<Record<DetailName, string>>>;

/** What a person told beside the photo; the amount in major units. */
export interface Details {
  readonly merchantName: string | null;
  readonly amount: number | null;
}

/** What the application has not told of the receipt, and the page therefore lets the person tell. */
export function askedDetails({ merchantName, amount }: ReceiptRequest): DetailName[] {
  return [...(merchantName === null ? ["merchantName" as const] : []), ...(amount === null ? ["amount" as const] : [])];
}

/** Reads what was typed into the asked fields; nothing else of the form counts, and an empty field says nothing. */
export function readDetails(
  fields: FormFields,
  request: ReceiptRequest,
): { details: Details; typed: Typed; errors: DetailName[] } {
  const asked = askedDetails(request);
  const textOf = (name: DetailName) => (asked.includes(name) ? (fields.get(name)?.[0]?.text.trim() ?? "") : "");
  const [merchantName, amountText] = [textOf("merchantName"), textOf("amount")];
  const amount = amountText === "" ? null : amountIn(amountText);
  const isNameWrong = Array.from(merchantName).length > UPLOAD_LIMITS.textCharactersMax || !isStorable(merchantName);
  return {
    details: {
      merchantName: request.merchantName ?? (merchantName || null),
      amount: request.amount ?? (amount === "error" ? null : amount),
    },
    typed: { merchantName, amount: amountText },
    errors: [...(isNameWrong ? (["merchantName"] as const) : []), ...(amount === "error" ? (["amount"] as const) : [])],
  };
}

/** An amount as people type it, with a comma or a point, in the digits of their script. */
function amountIn(text: string): number | "error" {
  const latin = text
    .replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replaceAll(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace("٫", ".")
    // A currency's sign before or behind it is no reason to refuse.
    .replaceAll(/[\s\p{Sc}]/gu, "");
  const match = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(latin);
  const amount = match ? Number(`${match[1]}.${match[2] ?? "0"}`) : 0;
  return amount >= UPLOAD_LIMITS.amountMin ? amount : "error";
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
