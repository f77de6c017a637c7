import { Type } from "typebox";
import type { Static, TObject, TSchema } from "typebox";

// Types of members that several domains use, so that all schemas describe them alike.

/** A time in a response or event. */
export function instant(description: string) {
  return Type.String({ format: "date-time", description: `${description} RFC 3339, UTC, milliseconds.` });
}

/** A string of any length. */
export function text(description: string) {
  return Type.String({ description });
}

/** Points are whole numbers. */
export function points(description: string) {
  return Type.Integer({ description });
}

/** A number of things, 0 or more. */
export function count(description: string) {
  return Type.Integer({ minimum: 0, description });
}

/** Money in major units: 3.5 is three pounds fifty. */
export function money(description: string) {
  return Type.Number({ description: `${description} In major units of the currency (3.5 = 3 pounds 50).` });
}

/** Mass of CO2e. */
export function co2e(description: string) {
  return Type.Number({ minimum: 0, description: `${description} Kilograms of CO2-equivalent.` });
}

/** A grade as a number. */
export function rating(of: string) {
  return Type.Enum([1, 2, 3, 4, 5], { type: "integer", description: `${of} 1 = A, best, to 5 = E, worst.` });
}

/** A numeric code; `codes` maps names to values. */
export function code<const Codes extends Readonly<Record<string, number>>>(codes: Codes, description: string) {
  const meanings = Object.entries(codes).map(([word, value]) => `${value} = ${word}`);
  const values = Object.values(codes) as Codes[keyof Codes][];
  return Type.Enum(values, { type: "integer", description: `${description} ${meanings.join(", ")}.` });
}

/** One of a few strings. */
export function oneOf<const Word extends string>(words: readonly Word[], description: string) {
  return Type.Enum([...words] as Word[], { type: "string", description });
}

/**
 * The schema or null. A schema with a title is a component with its own description; `about` describes this member.
 */
export function nullable<Schema extends TSchema>(schema: Schema, about?: string) {
  const { title, description, ...rest } = schema as Schema & { title?: string; description?: string };
  if (title !== undefined || description === undefined) {
    return Type.Union([schema, Type.Null()], about === undefined ? {} : { description: about });
  }
  return Type.Union([rest as unknown as Schema, Type.Null()], { description });
}

/** Returns the members that the schema declares. Others are ignored and not stored. */
export function knownMembers<Schema extends TObject>(schema: Schema, value: Static<Schema>): Static<Schema> {
  const known: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(schema.properties, name)) known[name] = (value as Record<string, unknown>)[name];
  }
  return known as Static<Schema>;
}

/** The id in a path. */
export function pathId(description: string) {
  return Type.Object({ id: Type.String({ description }) });
}
