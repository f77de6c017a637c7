import type { FormFields, FormValue } from "../http/form.ts";
import { FOUR_DIGITS, parseInstant } from "../http/formats.ts";
import type { Errors } from "../problems.ts";
import type { Declared } from "./receipt.ts";
import { UPLOAD_LIMITS } from "./upload-schema.ts";

/** The fields of the upload form with the image, and with further photos of the same receipt. */
export const IMAGE_FIELDS = [
  "receiptImage",
  "receiptImage2",
  "receiptImage3",
  "receiptImage4",
  "receiptImage5",
] as const;
export const IMAGE_FIELD = IMAGE_FIELDS[0];

/** The text fields of an upload. */
export interface Upload {
  readonly userId: string;
  readonly reference: string;
  readonly declared: Declared;
}

const { amountMin, amountMax, textCharactersMax } = UPLOAD_LIMITS;
/** A number as in JSON. A form has numbers as text. */
const NUMBER = /^-?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,4})?$/;

const CARD_LAST_FOUR = new RegExp(FOUR_DIGITS);

/** Reads the text fields of a form, or returns every error in them. Unknown fields are ignored. */
export function readUpload(fields: FormFields): Upload | { errors: Errors } {
  const errors: Errors = {};
  const text = (name: string): string => {
    const values = fields.get(name) ?? [];
    const value = values[0]?.text ?? "";
    const error = textError(values);
    if (error !== null) errors[name] = [error];
    return value;
  };
  const userId = text("userId");
  const reference = text("transactionId");
  const merchantName = text("merchantName");
  const amountText = text("amount");
  const timestampText = text("transactionTimestamp");
  const cardText = fields.has("cardLastFour") ? text("cardLastFour").trim() : null;
  if (cardText !== null && !CARD_LAST_FOUR.test(cardText)) errors["cardLastFour"] ??= ["must be four digits"];
  const amount = NUMBER.test(amountText.trim()) ? Number(amountText) : Number.NaN;
  const timestampMs = parseInstant(timestampText.trim());
  const amountError = amountErrorOf(amount);
  if (amountError !== null) errors["amount"] ??= [amountError];
  if (timestampMs === null)
    errors["transactionTimestamp"] ??= ["must be a date and time with its zone, as in 2026-01-31T12:00:00Z"];
  for (const name of IMAGE_FIELDS) if (fields.has(name)) errors[name] = ["must be a file"];
  if (Object.keys(errors).length > 0 || timestampMs === null) return { errors };
  const transactionTimestamp = new Date(timestampMs).toISOString();
  return { userId, reference, declared: { merchantName, amount, transactionTimestamp, cardLastFour: cardText } };
}

function textError(values: readonly FormValue[]): string | null {
  const [value] = values;
  if (!value || value.text.trim() === "") return "is required";
  if (values.length > 1) return "must be given once";
  // In code points, like the lengths in JSON bodies.
  const length = Array.from(value.text).length;
  if (value.isCut || length > textCharactersMax) return `must not be longer than ${textCharactersMax} characters`;
  if (value.text.includes("\0")) return "must not contain the character NUL";
  return value.text.isWellFormed() ? null : "must not contain half a surrogate pair";
}

function amountErrorOf(amount: number): string | null {
  if (!Number.isFinite(amount)) return "must be a number";
  if (amount < amountMin) return `must be at least ${amountMin}`;
  return amount > amountMax ? `must be at most ${amountMax}` : null;
}
