// The definition of a programme in the body of a request. Pure.
import type { Errors } from "../problems.ts";
import type { ProgramDefinition } from "./definition.ts";
import { readDefinition } from "./read-definition.ts";
import type { Known } from "./read-definition.ts";

const MEMBER = "definition";

/** The members of a body; none if it is no object. */
export function membersOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === "object" && body !== null ? { ...body } : {};
}

/** The definition that a body has, or its errors by their path in the body. */
export function definitionIn(body: unknown, known: Known): ProgramDefinition | { readonly errors: Errors } {
  const read = readDefinition(membersOf(body)[MEMBER], known);
  if (!("errors" in read)) return read;
  const errors = Object.entries(read.errors).map(([path, messages]) => {
    return [path === MEMBER ? path : `${MEMBER}.${path}`, messages] as const;
  });
  return { errors: Object.fromEntries(errors) };
}
