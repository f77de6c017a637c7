import type { Database } from "../../../src/postgres/postgres.ts";
import { NEW_TERMS } from "../../../src/rewards/reward.ts";
import type { RewardTerms } from "../../../src/rewards/reward.ts";
import { addReward, loadCodes } from "../../../src/rewards/store.ts";

/** What a user of the simulation can have. Each has a price of its own, so that a record shows what it was for. */
export const PRICES = { pool: 10, stocked: 15, both: 6, own: 7, ownCode: 9 } as const;
export type Ware = keyof typeof PRICES;
/** Wares of the catalogue: of few codes, of a small stock with codes that the service makes, and of both. */
const CATALOGUE = ["pool", "stocked", "both"] as const;
type Listed = (typeof CATALOGUE)[number];

export const STOCK: Readonly<Record<Listed, number | null>> = { pool: null, stocked: 3, both: 2 };
const CODES: Readonly<Record<Listed, readonly string[]>> = {
  pool: ["P-1", "P-2", "P-3"],
  stocked: [],
  both: ["B-1", "B-2", "B-3", "B-4"],
};
const DAY_MS = 86_400_000;

/** The ids of the rewards in the catalogue. */
export type Shop = Readonly<Record<Listed, string>>;

/** Opens the shop of an application. */
export async function openShop(
  database: Database,
  applicationId: string,
  { newId, now }: { newId: () => string; now: Date },
): Promise<Shop> {
  const ids: string[] = [];
  for (const ware of CATALOGUE) {
    const reward = { ...termsOf(ware, now), id: newId(), applicationId };
    ids.push(reward.id);
    await database.tx((tx) => addReward(tx, reward, now));
    if (CODES[ware].length > 0) await database.tx((tx) => loadCodes(tx, applicationId, reward.id, CODES[ware]));
  }
  return { pool: ids[0]!, stocked: ids[1]!, both: ids[2]! };
}

/** The terms of a ware. The one with both bounds ends some weeks after the shop has opened. */
export function termsOf(ware: Ware, opened: Date): RewardTerms {
  const codes = ware === "own" ? "none" : ware === "stocked" || ware === "ownCode" ? "made" : "pool";
  const validTill = ware === "both" ? new Date(opened.getTime() + 50 * DAY_MS) : null;
  return { ...NEW_TERMS, points: PRICES[ware], codes, validTill, stock: isListed(ware) ? STOCK[ware] : null };
}

export function isListed(ware: Ware): ware is Listed {
  return (CATALOGUE as readonly string[]).includes(ware);
}
