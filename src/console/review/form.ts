// The form of a correction: the fields that were sent, and the correction that they mean beside what was read. Pure.
import type { Reading } from "../receipts/types.ts";
import type { Correction, LineChange } from "../../receipts/corrections/correction.ts";

/** Lines that can be added at once. */
export const NEW_LINES = 3;

export type LineChoice = "keep" | "notFood" | "remove";

/** A line of the form, as typed. */
export interface TypedLine {
  readonly id: string;
  readonly name: string;
  readonly quantity: string;
  readonly price: string;
  readonly what: LineChoice;
  /** The food that was chosen from the search; empty: what the name means. */
  readonly foodId: string;
}

/** The form as typed. */
export interface Typed {
  readonly merchantName: string;
  readonly date: string;
  readonly time: string;
  readonly totalAmount: string;
  readonly lines: readonly TypedLine[];
  readonly added: readonly Omit<TypedLine, "id" | "what">[];
  readonly reason: string;
  readonly disputeIds: readonly string[];
}

/** A field that cannot be used, by its name in the form. */
export type FieldErrors = Readonly<Record<string, "number" | "date" | "time" | "newLine">>;

const NO_FOOD_NOW = ["NON_FOOD", "BAG", "ALCOHOL", "TOBACCO", "PET_FOOD", "SUPPLEMENT", "INFANT_FORMULA"];

/** Returns the form as it is filled in for a receipt. */
export function typedOf(reading: Reading): Typed {
  const { merchantName, date, time, totalAmount, lines } = reading;
  return {
    merchantName: merchantName ?? "",
    date: date ?? "",
    time: time?.slice(0, 5) ?? "",
    totalAmount: totalAmount === null ? "" : totalAmount.toFixed(2),
    lines: lines.map(({ id, name, quantity, totalPrice, exclusionReason }) => ({
      id,
      name,
      quantity: String(quantity),
      price: totalPrice.toFixed(2),
      what: NO_FOOD_NOW.includes(exclusionReason ?? "") ? "notFood" : "keep",
      foodId: "",
    })),
    added: Array.from({ length: NEW_LINES }, () => ({ name: "", quantity: "", price: "", foodId: "" })),
    reason: "",
    disputeIds: [],
  };
}

/** Reads the form that was sent for a receipt. */
export function readForm(form: URLSearchParams, reading: Reading): Typed {
  const text = (name: string) => (form.get(name) ?? "").trim().slice(0, 255);
  const whats = ["keep", "notFood", "remove"] as const;
  return {
    merchantName: text("merchantName"),
    date: text("date"),
    time: text("time"),
    totalAmount: text("totalAmount"),
    lines: reading.lines.map(({ id }, i) => ({
      id,
      name: text(`name-${i}`),
      quantity: text(`quantity-${i}`),
      price: text(`price-${i}`),
      what: whats.find((what) => what === form.get(`what-${i}`)) ?? "keep",
      foodId: text(`foodId-${i}`),
    })),
    added: Array.from({ length: NEW_LINES }, (_, i) => ({
      name: text(`newName-${i}`),
      quantity: text(`newQuantity-${i}`),
      price: text(`newPrice-${i}`),
      foodId: text(`newFoodId-${i}`),
    })),
    reason: text("reason"),
    disputeIds: form.getAll("disputeId").slice(0, 20),
  };
}

/** Returns the form with the corrections filled in that a user has asked for. */
export function withProposal(typed: Typed, proposal: Partial<Correction> & { disputeIds?: readonly string[] }): Typed {
  const { merchantName, totalAmount, transactionTimestamp, items = [], disputeIds = [] } = proposal;
  const changes = new Map(items.flatMap((item) => (item.id === undefined ? [] : [[item.id, item]])));
  const fresh = items.filter(({ id }) => id === undefined);
  return {
    ...typed,
    ...(merchantName !== undefined && { merchantName }),
    ...(totalAmount !== undefined && { totalAmount: totalAmount.toFixed(2) }),
    ...(transactionTimestamp !== undefined && { date: transactionTimestamp.slice(0, 10) }),
    lines: typed.lines.map((line) => {
      const change = changes.get(line.id);
      if (!change) return line;
      return {
        ...line,
        name: change.name ?? line.name,
        quantity: change.quantity === undefined ? line.quantity : String(change.quantity),
        price: change.totalPrice === undefined ? line.price : change.totalPrice.toFixed(2),
        what: change.remove === true ? "remove" : change.notFood === true ? "notFood" : "keep",
      };
    }),
    added: typed.added.map((line, i) => {
      const item = fresh[i];
      if (!item) return line;
      const price = item.totalPrice?.toFixed(2) ?? "";
      return { name: item.name ?? "", quantity: String(item.quantity ?? 1), price, foodId: "" };
    }),
    disputeIds,
  };
}

/** The members of a correction but its reason. */
export type Changes = Omit<Correction, "reason" | "disputeIds">;

/** Returns what the form changes of a receipt; an empty object: nothing. Fields that cannot be used are errors. */
export function changesOf(typed: Typed, reading: Reading): { readonly changes: Changes; readonly errors: FieldErrors } {
  const was = typedOf(reading);
  const errors: Record<string, FieldErrors[string]> = {};
  const numberIn = (name: string, value: string, isPositive: boolean): number => {
    const number = /^-?\d{1,9}([.,]\d{1,3})?$/.test(value) ? Number(value.replace(",", ".")) : Number.NaN;
    if (Number.isNaN(number) || (isPositive && number <= 0)) errors[name] = "number";
    return number;
  };
  const changed = typed.lines.flatMap((line, i): LineChange[] => {
    const before = was.lines[i]!;
    if (line.what === "remove") return [{ id: line.id, remove: true }];
    const facts: Omit<LineChange, "id"> = {
      ...(line.quantity !== before.quantity && { quantity: numberIn(`quantity-${i}`, line.quantity, true) }),
      ...(line.price !== before.price && { totalPrice: numberIn(`price-${i}`, line.price, false) }),
      ...(line.what === "notFood" && before.what !== "notFood" && { notFood: true }),
    };
    const isNamed =
      line.what === "keep" && line.name !== "" && (line.name !== before.name || before.what === "notFood");
    const names = isNamed ? { name: line.name, ...(line.foodId !== "" && { foodId: line.foodId }) } : {};
    const all = { ...facts, ...names };
    return Object.keys(all).length === 0 ? [] : [{ id: line.id, ...all }];
  });
  const added = typed.added.flatMap(({ name, quantity, price, foodId }, i): LineChange[] => {
    if (name === "" && quantity === "" && price === "") return [];
    if (name === "" || price === "") {
      errors[`newName-${i}`] = "newLine";
      return [];
    }
    const number = quantity === "" ? 1 : numberIn(`newQuantity-${i}`, quantity, true);
    const totalPrice = numberIn(`newPrice-${i}`, price, false);
    return [{ name, quantity: number, totalPrice, ...(foodId !== "" && { foodId }) }];
  });
  const items = [...changed, ...added];
  const changes: Changes = {
    ...(typed.merchantName !== was.merchantName && typed.merchantName !== "" && { merchantName: typed.merchantName }),
    ...timestampOf(typed, was, errors),
    ...(typed.totalAmount !== was.totalAmount && { totalAmount: numberIn("totalAmount", typed.totalAmount, false) }),
    ...(items.length > 0 && { items }),
  };
  return { changes, errors };
}

function timestampOf(typed: Typed, was: Typed, errors: Record<string, FieldErrors[string]>): Changes {
  if (typed.date === was.date && typed.time === was.time) return {};
  const time = typed.time === "" ? "12:00" : typed.time;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(typed.date)) errors["date"] = "date";
  else if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) errors["time"] = "time";
  else if (Number.isNaN(Date.parse(`${typed.date}T${time}:00Z`))) errors["date"] = "date";
  return { transactionTimestamp: `${typed.date}T${time}:00.000Z` };
}
