import type { Errors } from "../../problems.ts";
import type { NameSource } from "../matching/match.ts";
import type { RateResult } from "../rating/rate.ts";
import type { Resolution } from "./resolve.ts";
import type { Candidate as PresentedCandidate } from "../schema.ts";

/** The query of GET /catalogue/match. */
export interface MatchQuery {
  readonly name: string;
  readonly merchantName: string | null;
  readonly source: NameSource;
  readonly limit: number;
}

const NAME_LENGTH_MAX = 255;
const LIMIT_DEFAULT = 5;
const LIMIT_MAX = 20;
const SOURCES = ["receipt", "meal", "food"] as const;

/** Reads the query, each value at most once, or returns its errors. */
export function readMatchQuery(query: { get(name: string): string | null }): MatchQuery | { errors: Errors } {
  const errors: Errors = {};
  const text = (parameter: string): string => {
    const value = query.get(parameter) ?? "";
    if (value.length > NAME_LENGTH_MAX) errors[parameter] = [`must not be longer than ${NAME_LENGTH_MAX} characters`];
    if (value.includes("\0")) errors[parameter] = ["must not hold the character NUL"];
    return value;
  };
  const name = text("name");
  if (name.trim() === "") errors["name"] = [query.get("name") === null ? "is required" : "must not be empty"];
  const merchantName = text("merchantName").trim() || null;
  const limit = query.get("limit") ?? String(LIMIT_DEFAULT);
  if (!/^\d{1,2}$/.test(limit) || Number(limit) < 1 || Number(limit) > LIMIT_MAX) {
    errors["limit"] = [`must be a whole number from 1 to ${LIMIT_MAX}`];
  }
  const sourceName = query.get("source") ?? "receipt";
  const source = SOURCES.find((each) => each === sourceName);
  if (!source) errors["source"] = [`must be one of ${SOURCES.join(", ")}`];
  if (!source || Object.keys(errors).length > 0) return { errors };
  return { name, merchantName, source, limit: Number(limit) };
}

/**
 * Returns a candidate as it is shown. `foodId` is the code of an own product; else the food's id, which is
 * `<source>:<code>` for a product of a shared source.
 * Things that are recognised and not rated (a bag, wine) have null for figures.
 */
export function presentCandidate(
  { food, confidence, accepted, product }: Resolution,
  rating: RateResult,
): PresentedCandidate {
  const rated = rating.kind === "rated" ? rating : null;
  return {
    foodId: product?.isOwn ? product.code : food.id,
    name: food.name,
    confidence,
    accepted,
    co2ePerKg: rated && rated.co2eGPerKg / 1_000,
    carbonImpactRating: rated && rated.carbonRating,
    healthImpactRating: rated && rated.healthRating,
    carbonDataSource: rated?.carbonDataSource ?? "",
  };
}
