// The form in which a person reports what is wrong on their receipt. Pure.
import { DISPUTE_TEXT_MAX, LINE_KINDS } from "../../receipts/disputes/dispute.ts";
import type { NewDispute } from "../../receipts/disputes/dispute.ts";
import { DAY_MS } from "../../time.ts";
import type { DisputeKind } from "../../webhooks/event.ts";
import { isStorable, typedNumber } from "../typed-number.ts";

/** The kinds that are not about a line: each has a form of its own. */
export const RECEIPT_KINDS = ["wrong_merchant", "wrong_date", "wrong_total", "missing_line"] as const;
type ReceiptKind = (typeof RECEIPT_KINDS)[number];

/** What a form is about: a line, whose kind the person chooses, or one of the other kinds. */
export type Subject = { readonly lineId: string } | { readonly kind: ReceiptKind };

/** Of the pages, below the address of the receipt's page. */
export const DISPUTES_PATH = "/disputes";

export type FieldName = "kind" | "expected" | "price" | "note";
/** The texts of the form, which it shows again after an error. */
export type TypedDispute = Readonly<Record<FieldName, string>>;
/** What is wrong with a field. */
export type FieldError = "kind" | "name" | "number" | "amount" | "date" | "text";
export type FormErrors = Readonly<Partial<Record<FieldName, FieldError>>>;

export const NOTHING_TYPED: TypedDispute = { kind: "", expected: "", price: "", note: "" };

/** As for a correction. */
const AMOUNT_MAX = 1_000_000;
const QUANTITY_MAX = 100_000;

/** Reads what a form is about from the query of its address; null: nothing, or something unknown. */
export function subjectIn(query: unknown): Subject | null {
  const { line, about } = query as Record<"line" | "about", unknown>;
  if (typeof line === "string") return { lineId: line };
  const kind = RECEIPT_KINDS.find((each) => each === about);
  return kind === undefined ? null : { kind };
}

/** Reads a sent form. With an error there is no dispute. */
export function readDispute(
  fields: URLSearchParams,
  subject: Subject,
  now: Date,
): { readonly dispute: NewDispute | null; readonly typed: TypedDispute; readonly errors: FormErrors } {
  const textOf = (name: FieldName) => (fields.get(name) ?? "").replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  const typed = { kind: textOf("kind"), expected: textOf("expected"), price: textOf("price"), note: textOf("note") };
  const isAboutLine = "lineId" in subject;
  const kind = isAboutLine ? LINE_KINDS.find((each) => each === typed.kind) : subject.kind;
  if (kind === undefined) return { dispute: null, typed, errors: { kind: "kind" } };
  const expected = expectedIn(typed.expected, kind, now);
  const price = kind === "missing_line" && typed.price !== "" ? amountIn(typed.price) : null;
  const errors: FormErrors = {
    ...(typeof expected === "object" && expected !== null && { expected: expected.error }),
    ...(typeof price === "object" && price !== null && { price: price.error }),
    ...(!isTextFit(typed.note) && { note: "text" as const }),
  };
  if (Object.keys(errors).length > 0) return { dispute: null, typed, errors };
  return {
    dispute: {
      kind,
      lineId: isAboutLine ? subject.lineId : null,
      expected: expected as string | null,
      price: price as number | null,
      note: typed.note || null,
    },
    typed,
    errors,
  };
}

interface Wrong {
  readonly error: FieldError;
}

/** Returns what is right in the form that is stored; null: it was not typed, or does not matter. */
function expectedIn(text: string, kind: DisputeKind, now: Date): string | null | Wrong {
  if (kind === "not_food" || kind === "not_mine") return null;
  if (kind === "missing_line" && text === "") return { error: "name" };
  if (text === "") return null;
  if (kind === "wrong_date") return isPastDay(text, now) ? text : { error: "date" };
  if (kind === "wrong_quantity") {
    const quantity = typedNumber(text, 3);
    return quantity === null || quantity === 0 || quantity > QUANTITY_MAX ? { error: "number" } : String(quantity);
  }
  if (kind === "wrong_price" || kind === "wrong_total") {
    const amount = amountIn(text);
    return typeof amount === "number" ? String(amount) : amount;
  }
  return isTextFit(text) ? text : { error: "text" };
}

function amountIn(text: string): number | Wrong {
  const amount = typedNumber(text, 2);
  return amount === null || amount > AMOUNT_MAX ? { error: "amount" } : amount;
}

/** Whether a day is over or has begun, anywhere on earth. */
function isPastDay(text: string, now: Date): boolean {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // A day that does not exist, such as 31 April, is parsed as another one, or not at all.
  return ms <= now.getTime() + DAY_MS && new Date(ms).toISOString().startsWith(text);
}

function isTextFit(text: string): boolean {
  return Array.from(text).length <= DISPUTE_TEXT_MAX && isStorable(text);
}
