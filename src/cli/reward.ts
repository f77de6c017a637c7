import { randomBytes } from "node:crypto";
import { parseInstant } from "../http/formats.ts";
import { isUuid, uuidv7 } from "../ids.ts";
import { TIER } from "../points/codes.ts";
import { CODE_KINDS, NEW_TERMS, changedTerms, presentReward, termsErrors } from "../rewards/reward.ts";
import type { CodeKind, Reward, RewardTerms, SentReward } from "../rewards/reward.ts";
import { REWARDS_MAX } from "../rewards/schema.ts";
import { addReward, archiveReward, changeReward, listRewards, lockReward } from "../rewards/store.ts";
import { CLIENT_ID, applicationOf } from "./client-id.ts";
import { Refusal, command, optional, refusalOf, required } from "./command.ts";
import type { Command, Given } from "./command.ts";
import { flagOf } from "./parse.ts";
import { REWARD_CODES } from "./reward-codes.ts";

const REWARD_ID = required("ID", 'the reward, as "reward list" shows it');
const TERMS = {
  points: optional("N", "its price in points"),
  brand: optional("TEXT", "brand"),
  category: optional("TEXT", "category, in your own words"),
  description: optional("TEXT", "description for people"),
  imageUrl: optional("URL", "https address of its picture"),
  logoUrl: optional("URL", "https address of the brand's logo"),
  value: optional("N", "its value in major units, as 3.50"),
  currency: optional("CODE", "currency of the value"),
  offer: optional("TEXT", "the offer, in a few words"),
  terms: optional("TEXT", "conditions, separated by |"),
  location: optional("TEXT", "where it can be used"),
  tier: optional("TIER", `tier of members that may have it: ${Object.keys(TIER).join(", ")}`),
  validFrom: optional("TIME", "redeemable from then on, e.g. 2026-01-31T12:00:00Z, or none"),
  validTill: optional("TIME", "redeemable and usable before this time, or none"),
  stock: optional("N|any", "how many are left"),
};

export const REWARD_COMMANDS: readonly Command[] = [
  command({
    name: "reward add",
    summary: "add a reward to the catalogue of an application",
    options: {
      clientId: CLIENT_ID,
      name: required("TEXT", "its name"),
      ...TERMS,
      points: required("N", "its price in points"),
      codes: optional("KIND", "none, pool (load them by reward codes), or made by the service"),
    },
    examples: [
      'reward add --client-id app_… --name "A free coffee" --points 200 --stock 500 --codes made',
      'reward add --client-id app_… --name "5 pounds off" --points 900 --value 5 --currency GBP --codes pool',
    ],
    run: async ({ database, now, options: { clientId, name, codes = "none", ...given }, print }) => {
      const reward = await database.tx(async (tx) => {
        const { id: applicationId } = await applicationOf(tx, clientId);
        if (!isCodeKind(codes)) throw new Refusal(`--codes must be ${CODE_KINDS.join(", ")}`);
        const terms = changed(NEW_TERMS, { name, codes, ...sentOf(given) });
        const added = await addReward(tx, { ...terms, id: uuidv7(now.getTime(), randomBytes(10)), applicationId }, now);
        if (!added) throw new Refusal(`an application has at most ${REWARDS_MAX} rewards`);
        return added;
      });
      print(presentReward(reward), [lineOf(reward)]);
    },
  }),
  command({
    name: "reward list",
    summary: "list the rewards of an application, the newest first",
    options: { clientId: CLIENT_ID },
    examples: ["reward list --client-id app_…"],
    run: async ({ database, options: { clientId }, print }) => {
      const { id: applicationId } = await applicationOf(database, clientId);
      const filter = { applicationId, from: null, before: null, canHave: null };
      const rewards = await listRewards(database, filter, 0, REWARDS_MAX);
      print({ rewards: rewards.map(presentReward) }, rewards.map(lineOf));
    },
  }),
  command({
    name: "reward set",
    summary: "change a reward; options not given stay, redemptions keep what they were made with",
    options: { clientId: CLIENT_ID, rewardId: REWARD_ID, name: optional("TEXT", "its name"), ...TERMS },
    examples: [
      "reward set --client-id app_… --reward-id 01a1… --stock 100 --points 250",
      "reward set --client-id app_… --reward-id 01a1… --valid-till none",
    ],
    run: async ({ database, now, options: { clientId, rewardId, name, ...given }, print }) => {
      const reward = await database.tx(async (tx) => {
        const { id: applicationId } = await applicationOf(tx, clientId);
        const before = found(isUuid(rewardId) ? await lockReward(tx, applicationId, rewardId) : null);
        const terms = changed(before, { ...sentOf(given), ...(name !== undefined && { name }) });
        return changeReward(tx, rewardId, terms, now);
      });
      print(presentReward(reward), [lineOf(reward)]);
    },
  }),
  command({
    name: "reward remove",
    summary: "take a reward out of the catalogue; vouchers that were given can still be used",
    options: { clientId: CLIENT_ID, rewardId: REWARD_ID },
    examples: ["reward remove --client-id app_… --reward-id 01a1…"],
    run: async ({ database, now, options: { clientId, rewardId }, print }) => {
      const { id: applicationId } = await applicationOf(database, clientId);
      const isRemoved = isUuid(rewardId) && (await archiveReward(database, applicationId, rewardId, now));
      if (!isRemoved) throw new Refusal("the application has no reward of this id");
      print({ rewardId }, ["removed"]);
    },
  }),
  REWARD_CODES,
];

const SHORT_MAX = 255;
const LENGTHS_MAX: Readonly<Record<string, number>> = { description: 1_000, imageUrl: 2_048, logoUrl: 2_048 };
const NUMBER_MAX = 1_000_000_000;
const TERMS_MAX = 20;

/** Returns the options as members of a reward; refuses what the schema of the API would refuse. */
function sentOf(given: Partial<Given<typeof TERMS>>): SentReward {
  const { points, value, terms, tier, validFrom, validTill, stock, currency, ...texts } = given;
  for (const [name, text] of Object.entries(texts)) {
    const max = LENGTHS_MAX[name] ?? SHORT_MAX;
    if (text !== undefined && text.length > max) throw new Refusal(`${flagOf(name)} has more than ${max} characters`);
  }
  if (currency !== undefined && !/^[A-Za-z]{3}$/.test(currency)) throw new Refusal("--currency must be three letters");
  const conditions = terms?.split("|").map((each) => each.trim());
  if (conditions && (conditions.length > TERMS_MAX || conditions.some(({ length }) => length > SHORT_MAX))) {
    throw new Refusal(`--terms are at most ${TERMS_MAX} of ${SHORT_MAX} characters`);
  }
  return {
    ...defined(texts),
    ...(currency !== undefined && { currency }),
    ...(conditions && { terms: conditions }),
    ...(points !== undefined && { points: numberOf("points", points, /^\d{1,10}$/) }),
    ...(value !== undefined && { value: numberOf("value", value, /^\d{1,10}(?:\.\d{1,4})?$/) }),
    ...(tier !== undefined && { tier: tierOf(tier) }),
    ...(validFrom !== undefined && { validFrom: timeOf("validFrom", validFrom) }),
    ...(validTill !== undefined && { validTill: timeOf("validTill", validTill) }),
    ...(stock !== undefined && { stock: stock === "any" ? null : numberOf("stock", stock, /^\d{1,10}$/) }),
  };
}

function defined<Value>(members: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Record<
    string,
    Value
  >;
}

function changed(before: RewardTerms, sent: SentReward): RewardTerms {
  if (sent.name !== undefined && sent.name.length > SHORT_MAX) throw new Refusal("--name has more than 255 characters");
  const terms = changedTerms(before, sent);
  const errors = termsErrors(terms);
  if (Object.keys(errors).length > 0) {
    throw refusalOf(Object.fromEntries(Object.entries(errors).map(([name, list]) => [flagOf(name), list])));
  }
  return terms;
}

function numberOf(name: string, text: string, form: RegExp): number {
  const number = form.test(text) ? Number(text) : NUMBER_MAX + 1;
  if (number > NUMBER_MAX) throw new Refusal(`${flagOf(name)} must be a number from 0 to ${NUMBER_MAX}`);
  return number;
}

function tierOf(text: string): Reward["tier"] {
  const tier = Object.entries(TIER).find(([name]) => name === text)?.[1];
  if (tier === undefined) throw new Refusal(`--tier must be ${Object.keys(TIER).join(", ")}`);
  return tier;
}

function timeOf(name: string, text: string): string | null {
  if (text === "none") return null;
  if (parseInstant(text) === null) throw new Refusal(`${flagOf(name)} must be a date and time with its zone, or none`);
  return text;
}

function isCodeKind(text: string): text is CodeKind {
  return (CODE_KINDS as readonly string[]).includes(text);
}

function found(reward: Reward | null): Reward {
  if (reward === null) throw new Refusal("the application has no reward of this id");
  return reward;
}

function lineOf({ id, details, points, stock, codes, freeCodes, validTill }: Reward): string {
  const left = [
    ...(stock === null ? [] : [`${stock} left`]),
    ...(codes === "pool" ? [`${freeCodes} codes`] : []),
    ...(validTill === null ? [] : [`till ${validTill.toISOString()}`]),
  ];
  return `${id}  ${points} points  ${details.name}${left.length > 0 ? `  (${left.join(", ")})` : ""}`;
}
