// A reward of an application's catalogue, and who can have it when. Pure.
import type { Reward as RewardSnapshot } from "../points/schema.ts";
import type { Errors } from "../problems.ts";
import { logoUrlError } from "../applications/application.ts";
import { parseInstant } from "../http/formats.ts";

/** How a redemption gets its code: not at all, from codes that the integrator has loaded, or a new one. */
export const CODE_KINDS = ["none", "pool", "made"] as const;
export type CodeKind = (typeof CODE_KINDS)[number];

/** What is only shown of a reward. */
export interface RewardDetails {
  readonly name: string;
  readonly brand: string;
  readonly category: string;
  readonly description: string;
  readonly imageUrl: string;
  readonly logoUrl: string;
  readonly value: number;
  /** ISO 4217; "" without one. */
  readonly currency: string;
  readonly offer: string;
  readonly terms: readonly string[];
  readonly location: string;
}

/** The members of a reward that an integrator decides. */
export interface RewardTerms {
  readonly details: RewardDetails;
  /** The price. */
  readonly points: number;
  /** The tier of members that may have it; 0: everybody. */
  readonly tier: 0 | 1 | 2 | 3 | 4;
  readonly codes: CodeKind;
  readonly validFrom: Date | null;
  readonly validTill: Date | null;
  /** How many are left; null: any number. */
  readonly stock: number | null;
}

/** A stored reward that is not archived. */
export interface Reward extends RewardTerms {
  readonly id: string;
  readonly applicationId: string;
  /** Codes of the pool that nobody has. */
  readonly freeCodes: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const NO_DETAILS: RewardDetails = {
  name: "",
  brand: "",
  category: "",
  description: "",
  imageUrl: "",
  logoUrl: "",
  value: 0,
  currency: "",
  offer: "",
  terms: [],
  location: "",
};

/** Whether each redemption takes one of something that is limited: its row is then locked. */
export function isLimited({ stock, codes }: Pick<Reward, "stock" | "codes">): boolean {
  return stock !== null || codes === "pool";
}

export type Unavailable = "not yet valid" | "expired" | "tier" | "out of stock";

/** Why a member of a tier cannot have a reward at a moment; null if they can. */
export function unavailable(
  reward: Pick<Reward, "validFrom" | "validTill" | "tier" | "stock" | "codes" | "freeCodes">,
  { at, tier }: { readonly at: Date; readonly tier: number },
): Unavailable | null {
  if (reward.validTill && at >= reward.validTill) return "expired";
  if (reward.validFrom && at < reward.validFrom) return "not yet valid";
  if (reward.tier > tier) return "tier";
  if (reward.stock === 0 || (reward.codes === "pool" && reward.freeCodes === 0)) return "out of stock";
  return null;
}

/** The reward as a record keeps it. */
export function snapshot(
  { details, points, tier, validTill }: Pick<RewardTerms, "details" | "points" | "tier" | "validTill">,
  { id, voucherIdentifier, code }: { readonly id: string; readonly voucherIdentifier: string; readonly code: string },
): RewardSnapshot {
  const { currency, terms, ...texts } = details;
  return {
    id,
    voucherIdentifier,
    code,
    ...texts,
    points,
    tier,
    terms: [...terms],
    validTill: validTill?.toISOString() ?? null,
    ...(currency !== "" && { currency }),
  };
}

/** The errors of a reward that a schema cannot express. Members with an error of their schema are null. */
export function rewardErrors(sent: unknown): Errors {
  const { imageUrl, logoUrl, validFrom, validTill, value, currency } = (sent ?? {}) as Record<string, unknown>;
  const errors: Errors = {};
  for (const [name, address] of Object.entries({ imageUrl, logoUrl })) {
    const error = typeof address === "string" && address !== "" ? logoUrlError(address) : null;
    if (error !== null) errors[name] = [error];
  }
  const [from, till] = [timeOf(validFrom), timeOf(validTill)];
  if (from && till && from >= till) errors["validTill"] = ["must be after validFrom"];
  if (typeof value === "number" && value > 0 && (currency === undefined || currency === "")) {
    errors["currency"] = ["is required with a value"];
  }
  return errors;
}

/** The members of a reward that a request or command sends; those that are left out stay as in `before`. */
export interface SentReward extends Partial<Omit<RewardDetails, "terms">> {
  readonly terms?: readonly string[];
  readonly points?: number;
  readonly tier?: Reward["tier"];
  readonly codes?: CodeKind;
  readonly validFrom?: string | null;
  readonly validTill?: string | null;
  readonly stock?: number | null;
}

export const NEW_TERMS: RewardTerms = {
  details: NO_DETAILS,
  points: 0,
  tier: 0,
  codes: "none",
  validFrom: null,
  validTill: null,
  stock: null,
};

/** Changes the terms of a reward; each member has passed its schema. */
export function changedTerms(before: RewardTerms, sent: SentReward): RewardTerms {
  const details = Object.fromEntries(
    Object.entries(before.details).map(([name, value]) => [
      name,
      clean(name, sent[name as keyof RewardDetails] ?? value),
    ]),
  ) as unknown as RewardDetails;
  return {
    details,
    points: sent.points ?? before.points,
    tier: sent.tier ?? before.tier,
    codes: sent.codes ?? before.codes,
    validFrom: sent.validFrom === undefined ? before.validFrom : timeOf(sent.validFrom),
    validTill: sent.validTill === undefined ? before.validTill : timeOf(sent.validTill),
    stock: sent.stock === undefined ? before.stock : sent.stock,
  };
}

/** The errors of terms after a change: of members that contradict each other. */
export function termsErrors({ details, validFrom, validTill }: RewardTerms): Errors {
  const times = { validFrom: validFrom?.toISOString(), validTill: validTill?.toISOString() };
  return rewardErrors({ ...details, ...times });
}

/** The public form of a reward. */
export function presentReward({ details, ...reward }: Reward) {
  return {
    ...presentTerms({ details, ...reward }),
    freeCodes: reward.codes === "pool" ? reward.freeCodes : null,
    createdAt: reward.createdAt.toISOString(),
    updatedAt: reward.updatedAt.toISOString(),
  };
}

/** What a user sees of a reward, with what it takes to have it. */
export function presentToUser(
  reward: Reward,
  { availablePoints, tier }: { readonly availablePoints: number; readonly tier: number },
) {
  const missingPoints = Math.max(0, reward.points - availablePoints);
  return { ...presentTerms(reward), available: reward.tier <= tier, affordable: missingPoints === 0, missingPoints };
}

function presentTerms({
  id,
  details,
  points,
  tier,
  codes,
  validFrom,
  validTill,
  stock,
}: Omit<Reward, "applicationId">) {
  return {
    id,
    ...details,
    terms: [...details.terms],
    points,
    tier,
    codes,
    validFrom: validFrom?.toISOString() ?? null,
    validTill: validTill?.toISOString() ?? null,
    stock,
  };
}

function clean(name: string, value: unknown): unknown {
  if (name === "currency") return String(value).toUpperCase();
  return typeof value === "string" ? value.trim() : value;
}

function timeOf(text: unknown): Date | null {
  const ms = typeof text === "string" ? parseInstant(text) : null;
  return ms === null ? null : new Date(ms);
}
