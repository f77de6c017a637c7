// A rule that an operator has written down, to see what history would be under it.
import { POINTS_1 } from "../award.ts";
import type { PointsRule } from "../award.ts";

/** Reads a rule as JSON of the form of `POINTS_1`. Returns what is wrong with it, as one sentence. */
export function ruleOf(json: string): PointsRule | string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return "it is no JSON";
  }
  const error = errorOf(value, { ...POINTS_1, confidenceSteps: [] }, "the rule");
  if (error !== null) return error;
  const rule = value as PointsRule;
  if (!/^[\w./-]{1,50}$/.test(rule.id) || rule.id === POINTS_1.id) return "id must be a name of its own, as points/2";
  const steps: unknown = rule.confidenceSteps;
  if (!Array.isArray(steps) || steps.length === 0 || steps.length > 10) return "confidenceSteps must be a list";
  for (const step of steps as unknown[]) {
    const wrong = errorOf(step, { from: 0.5, halves: 1 }, "a step");
    if (wrong !== null) return wrong;
  }
  const froms = rule.confidenceSteps.map(({ from }) => from);
  if (froms.some((from, i) => i > 0 && from >= froms[i - 1]!)) return "confidenceSteps must descend";
  const divisors = [rule.receipt.divisor, rule.food.divisor, rule.meal.massMinMg, rule.portionMassMg];
  return divisors.includes(0) ? "divisors and masses must be above 0" : rule;
}

/** Numbers beyond are no points, and sums of them would not be exact. */
const NUMBER_MAX = 1_000_000_000;

function errorOf(value: unknown, like: unknown, path: string): string | null {
  if (typeof like === "string") return typeof value === "string" ? null : `${path} must be a text`;
  if (typeof like === "number") {
    const isNumber = typeof value === "number" && value >= 0 && value <= NUMBER_MAX;
    const isWhole = Number.isInteger(value) || path.endsWith(".from");
    return isNumber && isWhole ? null : `${path} must be a number, whole and not negative`;
  }
  if (Array.isArray(like)) return Array.isArray(value) ? null : `${path} must be a list`;
  if (typeof value !== "object" || value === null) return `${path} must be an object`;
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(like as object, name));
  if (unknown !== undefined) return `${path} has an unknown member`;
  for (const [name, member] of Object.entries(like as object)) {
    const wrong = errorOf((value as Record<string, unknown>)[name], member, `${path}.${name}`);
    if (wrong !== null) return wrong;
  }
  return null;
}
