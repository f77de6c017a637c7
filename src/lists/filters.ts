// Reads the parameters of a filtered list. Pure: texts in, values out, and an error for each wrong parameter.
import { parseInstant } from "../http/formats.ts";
import { isUuid } from "../ids.ts";
import type { Errors } from "../problems.ts";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "./page.ts";

const TEXT_LENGTH_MAX = 255;

/** Reads one parameter at a time; each reader returns null for a parameter that was not sent, or is wrong. */
export interface Filters {
  /** The errors so far, by parameter. */
  readonly errors: Errors;
  read<Value>(name: string, parse: (text: string) => Value | null, error: string): Value | null;
  word<Word extends string>(name: string, words: readonly Word[]): Word | null;
  /** A UUID; `of`: whose, as in "a user". */
  id(name: string, of: string): string | null;
  text(name: string): string | null;
  time(name: string): Date | null;
  /** The entries of a page. */
  pageSize(): number;
}

/** Creates the readers of a query. */
export function filtersOf(query: URLSearchParams): Filters {
  const errors: Errors = {};
  const read: Filters["read"] = (name, parse, error) => {
    const text = query.get(name);
    if (text === null) return null;
    const value = parse(text);
    if (value === null) errors[name] = [error];
    return value;
  };
  return {
    errors,
    read,
    word: (name, words) =>
      read(name, (text) => words.find((each) => each === text) ?? null, `must be one of ${words.join(", ")}`),
    id: (name, of) => read(name, (text) => (isUuid(text) ? text : null), `must be the id of ${of}`),
    text: (name) =>
      read(
        name,
        // PostgreSQL has no text with a zero character.
        (text) => (text.trim() !== "" && text.length <= TEXT_LENGTH_MAX && !text.includes("\0") ? text : null),
        `must have 1 to ${TEXT_LENGTH_MAX} characters`,
      ),
    time: (name) => read(name, timeOf, "must be a time, as in 2026-01-31T12:00:00Z"),
    pageSize: () => {
      const size = read("pageSize", (text) => (/^\d{1,9}$/.test(text) ? Number(text) : null), "must be a whole number");
      return Math.min(size || PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX);
    },
  };
}

function timeOf(text: string): Date | null {
  // An unescaped + in a query is decoded as a space.
  const ms = parseInstant(text.replace(/ (?=\d\d:\d\d$)/, "+"));
  return ms === null ? null : new Date(ms);
}
