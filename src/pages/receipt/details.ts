import type { FormFields } from "../../http/form.ts";
import { UPLOAD_LIMITS } from "../../receipts/upload-schema.ts";
import type { ReceiptRequest } from "../../sessions/session.ts";
import type { DetailError } from "../../html/phrases.ts";
import { isStorable, typedNumber } from "../typed-number.ts";

/** A detail that can be typed in the form beside the photo. */
export type DetailName = DetailError;

/** The typed texts, which the form shows again after an error. */
export type Typed = Readonly<Partial<Record<DetailName, string>>>;

/** The details of the purchase; the amount in major units. */
export interface Details {
  readonly merchantName: string | null;
  readonly amount: number | null;
}

/** Returns the details that the application did not send: the page asks the person for them. */
export function missingDetails({ merchantName, amount }: ReceiptRequest): DetailName[] {
  return [...(merchantName === null ? ["merchantName" as const] : []), ...(amount === null ? ["amount" as const] : [])];
}

/** Reads the typed texts of the missing details; other fields of the form are ignored, and so is an empty field. */
export function readDetails(
  fields: FormFields,
  request: ReceiptRequest,
): { details: Details; typed: Typed; errors: DetailName[] } {
  const missing = missingDetails(request);
  const textOf = (name: DetailName) => (missing.includes(name) ? (fields.get(name)?.[0]?.text.trim() ?? "") : "");
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

/** Parses an amount in major units as people type it. */
function amountIn(text: string): number | "error" {
  const amount = typedNumber(text, 2);
  return amount !== null && amount >= UPLOAD_LIMITS.amountMin ? amount : "error";
}
