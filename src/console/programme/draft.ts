import { ProgramDefinition } from "../../programs/definition.ts";
import { measureJson } from "../../measure-json.ts";
import { valueOfForm } from "./schema-form.ts";
import type { ErrorsByPath, FormSchema } from "./schema-form.ts";

/** The parts of a programme, each with a form of its own. */
export const PARTS = [
  "name",
  "timeZone",
  "points",
  "limits",
  "minimumSpend",
  "eligible",
  "campaigns",
  "tiers",
  "bonuses",
] as const;
export type Part = (typeof PARTS)[number];

/** The schema of a part. */
export function schemaOf(part: Part): FormSchema {
  return ProgramDefinition.properties[part] as FormSchema;
}

/** The JSON of a definition as people edit it. */
export function textOfDefinition(definition: object): string {
  return JSON.stringify(definition, null, 2);
}

/** As the API's bounds of a body. Its JSON with indentation is the square of its depth: 200,000 brackets are 40 GB. */
const BOUNDS = { depth: 64, values: 20_000, members: 4_000 };

/** Reads the JSON of a draft; null where it is no object, or more than the API takes. */
export function definitionIn(text: string): Record<string, unknown> | null {
  const { depth, values, members } = measureJson(text, BOUNDS);
  if (depth > BOUNDS.depth || values > BOUNDS.values || members > BOUNDS.members) return null;
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Returns the definition with a part as its form has it; a part that is empty is left out. */
export function withPart(definition: Record<string, unknown>, part: Part, fields: URLSearchParams): object {
  // The first one of a name, as `fields.get`, which would go through all of them each time.
  const typed = new Map([...fields].toReversed());
  const value = valueOfForm(schemaOf(part), typed, part);
  const changed = { ...definition, [part]: value };
  // In the order of the schema, so that two drafts can be compared.
  const known = PARTS.filter((each) => changed[each] !== undefined).map((each) => [each, changed[each]] as const);
  const others = Object.entries(changed).filter(([name]) => !(PARTS as readonly string[]).includes(name));
  return Object.fromEntries([...known, ...others]);
}

/** The errors of `POST /programs` by the path within the definition. */
export function errorsOfDefinition(errors: ErrorsByPath): ErrorsByPath {
  return Object.fromEntries(
    Object.entries(errors).map(([path, messages]) => [path.replace(/^definition\.?/, ""), messages]),
  );
}
