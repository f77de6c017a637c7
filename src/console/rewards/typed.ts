import type { RewardDocument } from "../../rewards/schema.ts";
import { typedNumber } from "../typed-number.ts";

/** The fields of a reward's form, as texts. */
export const REWARD_FIELDS = [
  "name",
  "points",
  "brand",
  "category",
  "description",
  "offer",
  "terms",
  "location",
  "imageUrl",
  "logoUrl",
  "value",
  "currency",
  "tier",
  "validFrom",
  "validTill",
  "stock",
  "codes",
] as const;
export type RewardField = (typeof REWARD_FIELDS)[number];
export type TypedReward = Readonly<Record<RewardField, string>>;

export const NO_REWARD: TypedReward = {
  ...(Object.fromEntries(REWARD_FIELDS.map((field) => [field, ""])) as Record<RewardField, string>),
  tier: "0",
  codes: "none",
};

/** A reward as its form shows it. */
export function typedOf(reward: RewardDocument): TypedReward {
  const { points, terms, value, tier, validFrom, validTill, stock, ...texts } = reward;
  return {
    ...NO_REWARD,
    ...Object.fromEntries(
      Object.entries(texts).filter(([name]) => (REWARD_FIELDS as readonly string[]).includes(name)),
    ),
    points: String(points),
    terms: terms.join("\n"),
    value: value === 0 ? "" : String(value),
    tier: String(tier),
    validFrom: minutesOf(validFrom),
    validTill: minutesOf(validTill),
    stock: stock === null ? "" : String(stock),
  };
}

/** Reads a form; `prefix` of the hidden fields with what the form was drawn with. */
export function typedIn(fields: URLSearchParams, prefix = ""): TypedReward {
  return Object.fromEntries(
    REWARD_FIELDS.map((field) => [
      field,
      // Forms send line breaks as CR LF.
      (fields.get(prefix + field) ?? NO_REWARD[field]).replaceAll("\r\n", "\n").trim().slice(0, 8_000),
    ]),
  ) as unknown as TypedReward;
}

/**
 * The members that were changed in the form. What nobody touched is not sent: the stock may have gone down since the
 * form was drawn, and sending the old number would sell what is not there.
 */
export function changedMembers(drawn: TypedReward, typed: TypedReward): Record<string, unknown> {
  const changed = REWARD_FIELDS.filter((field) => drawn[field] !== typed[field]);
  return Object.fromEntries(changed.map((field) => [field, memberOf(field, typed[field])]));
}

/** A field as the API takes it; what is no number stays a text, which the API refuses with its own words. */
function memberOf(field: RewardField, text: string): unknown {
  if (field === "points" || field === "tier") return typedNumber(text);
  if (field === "value") return text === "" ? 0 : typedNumber(text);
  if (field === "stock") return text === "" ? null : typedNumber(text);
  if (field === "terms") return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  if (field === "validFrom" || field === "validTill") return text === "" ? null : `${text.slice(0, 16)}:00Z`;
  return field === "currency" ? text.toUpperCase() : text;
}

/** An instant as a field of date and time takes it: to the minute, in UTC. */
function minutesOf(at: string | null): string {
  return at === null ? "" : at.slice(0, 16);
}

/** The lines of a field of codes that are not empty, with their numbers from 1. */
export function codesIn(text: string): { readonly line: number; readonly code: string }[] {
  return text
    .split(/\r?\n/)
    .map((code, i) => ({ line: i + 1, code: code.trim() }))
    .filter(({ code }) => code !== "");
}
