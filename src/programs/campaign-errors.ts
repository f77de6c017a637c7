// What the schema of campaigns cannot say, by path, with what may have been meant.
import { closestWord } from "../did-you-mean.ts";
import { scaled } from "../decimal.ts";
import { foodKey } from "../points/campaigns/campaign.ts";
import type { Errors } from "../problems.ts";
import { momentsOf } from "./campaigns.ts";
import type { CampaignDefinition } from "./campaigns.ts";

/** Names that get a hint: to find one among all foods takes 10 ms, and a definition may have thousands. */
const HINTS_MAX = 10;
/** What was meant by a longer name costs too much to find. */
const HINTED_LENGTH_MAX = 50;
const NO_MOMENT = "must be a day, as 2026-11-01, or a moment with its zone, as 2026-11-01T12:00:00Z";

/** What campaigns refer to. */
export interface KnownFoods {
  /** The groups of the catalogue. */
  readonly foodGroups: ReadonlySet<string>;
  /** The ids and names of its foods, as `foodKey`. */
  readonly foods: ReadonlySet<string>;
}

type When = NonNullable<CampaignDefinition["when"]>;

/** Returns the errors of all campaigns. */
export function campaignErrors(campaigns: readonly CampaignDefinition[], known: KnownFoods): Errors {
  const errors: Errors = {};
  const firstOf = new Map<string, number>();
  const hint = hints();
  for (const [i, campaign] of campaigns.entries()) {
    const at = `campaigns[${i}]`;
    const first = firstOf.get(campaign.id);
    if (first !== undefined) errors[`${at}.id`] = [`is the id of campaigns[${first}]: each has its own`];
    else if (!/^[\w.-]{1,50}$/.test(campaign.id)) {
      errors[`${at}.id`] = ["must be letters, digits, dots, hyphens and underscores"];
    }
    firstOf.set(campaign.id, first ?? i);
    Object.assign(errors, timeErrors(at, campaign), effectErrors(at, campaign), foodErrors(at, campaign, known, hint));
  }
  return errors;
}

function timeErrors(at: string, campaign: CampaignDefinition): Errors {
  const { fromMs, untilMs } = momentsOf(campaign, "UTC");
  if (fromMs === null || untilMs === null) {
    return {
      ...(fromMs === null && { [`${at}.from`]: [NO_MOMENT] }),
      ...(untilMs === null && { [`${at}.till`]: [NO_MOMENT] }),
    };
  }
  return untilMs > fromMs ? {} : { [`${at}.till`]: ["must not be before from"] };
}

function effectErrors(at: string, { effect }: CampaignDefinition): Errors {
  const { multiplier } = effect;
  if (Object.keys(effect).length !== 1) {
    return { [`${at}.effect`]: ["must have exactly one of multiplier, pointsPerItem and pointsPerRecord"] };
  }
  if (multiplier === undefined || scaled(multiplier, 2, "floor") === scaled(multiplier, 2, "ceil")) return {};
  return { [`${at}.effect.multiplier`]: ["must not have more than two decimals"] };
}

function foodErrors(at: string, { when = {} }: CampaignDefinition, known: KnownFoods, hint: Hint): Errors {
  const check = (member: keyof When, names: readonly string[] = [], all: ReadonlySet<string>, what: string) =>
    names.flatMap((name, i): [string, string[]][] => {
      if (all.has(member === "foods" ? foodKey(name) : name.trim())) return [];
      return [[`${at}.when.${member}[${i}]`, [`${what}${hint(foodKey(name), all)}`]]];
    });
  return Object.fromEntries([
    ...check("foodGroups", when.foodGroups, known.foodGroups, "is no group of the catalogue"),
    ...check("foods", when.foods, known.foods, "is no id or name of a food of the catalogue"),
  ]);
}

type Hint = (name: string, known: ReadonlySet<string>) => string;

function hints(): Hint {
  let left = HINTS_MAX;
  return (name, known) => {
    if (left === 0 || name.length > HINTED_LENGTH_MAX) return "";
    left -= 1;
    const closest = closestWord(name, [...known]);
    return closest === null ? "" : `; did you mean ${closest}?`;
  };
}
