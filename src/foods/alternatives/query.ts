import type { Errors } from "../../problems.ts";
import { readMatchQuery } from "../lookup/match-query.ts";
import type { MatchQuery } from "../lookup/match-query.ts";
import { readGtin } from "../products/gtin.ts";

/** The query of GET /catalogue/alternatives: a food by its name, or by the code of a food or product. */
export interface AlternativesQuery extends Omit<MatchQuery, "limit"> {
  readonly code: { readonly parameter: "foodId" | "gtin"; readonly value: string } | null;
}

/** Reads the query, or returns its errors. */
export function readAlternativesQuery(query: {
  get(name: string): string | null;
}): AlternativesQuery | { errors: Errors } {
  const sent = (["name", "foodId", "gtin"] as const).filter((parameter) => query.get(parameter) !== null);
  const [parameter = "name"] = sent;
  if (sent.length > 1)
    return { errors: { [sent[1]!]: [`must not be sent with ${parameter}: one of them names the food`] } };
  // A code is checked like a name.
  const read = readMatchQuery({
    get: (name) => (name === "limit" ? null : name === "name" ? query.get(parameter) : query.get(name)),
  });
  if ("errors" in read) {
    const { name, ...others } = read.errors;
    return { errors: name ? { ...others, [parameter]: name } : others };
  }
  if (parameter === "name") return { ...read, code: null };
  if (parameter === "gtin" && readGtin(read.name) === null) {
    return { errors: { gtin: ["must be a GTIN of 8, 12, 13 or 14 digits"] } };
  }
  return { ...read, name: "", code: { parameter, value: read.name.trim() } };
}
