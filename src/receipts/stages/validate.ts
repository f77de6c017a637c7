import type { Tx } from "../../postgres/postgres.ts";
import { DAY_MS } from "../../time.ts";
import { ageCheck } from "../checks/age.ts";
import { authenticate } from "../checks/authenticate.ts";
import { paceCheck } from "../checks/pace.ts";
import type { Check } from "../checks/check.ts";
import { checksOfSample } from "../checks/sample-checks.ts";
import { claimPurchase, claimSharedPurchase, earlierOfPurchase } from "../duplicates/claims.store.ts";
import type { Comparisons } from "../duplicates/compare.task.ts";
import {
  closestMatch,
  haveSameNames,
  pictureCheck,
  purchaseCheck,
  purchaseFingerprint,
  sharedFingerprint,
} from "../duplicates/duplicate-checks.ts";
import type { PurchaseHolder } from "../duplicates/duplicate-checks.ts";
import { printKeys, purchaseKeys } from "../duplicates/keys.ts";
import {
  DUPLICATE_CANDIDATES_MAX,
  findDuplicateCandidates,
  insertDuplicateKeys,
  lockDuplicateKeys,
} from "../duplicates/store.ts";
import { heldEvent, validatedEvent } from "../events.ts";
import type { Extracted, Findings } from "../findings.ts";
import type { PartedPage } from "../parts/parted-page.ts";
import { partsChecks } from "../parts/parts-check.ts";
import type { Failure, Receipt } from "../receipt.ts";
import { rejectionOf } from "../rejections.ts";
import { holdReasons, isRefusalHeld } from "../holding/review.ts";
import type { ReviewSettings } from "../holding/review.ts";
import { reviewSettings } from "../holding/store.ts";
import { countRecent, lockReceipt } from "../store.ts";
import { findingsOf, storeResult } from "./stage.ts";
import type { NextReceipt, StageDeps, StageResult } from "./stage.ts";

/** A receipt to validate, with everything that is computed before the tx. */
interface Candidate {
  readonly receipt: Receipt;
  readonly extracted: Extracted;
  readonly businessName: string;
  /** The checks of the receipt itself. */
  readonly checks: readonly Check[];
  /** The failure of the first of them that rejects the receipt; null also if it may be held for review. */
  readonly contradiction: Failure | null;
  /** The same failure, also if it is held for review. */
  readonly heldFailure: Failure | null;
  readonly review: ReviewSettings;
  /** Keys for finding duplicates; none for a sample, which may be sent any number of times. */
  readonly keys: readonly string[];
}

/** A possible duplicate was stored meanwhile that is not compared yet. */
interface Retry {
  readonly kind: "retry";
}

/** Enriched → Validated: checks that nothing contradicts the declared purchase, and that it is no duplicate. */
export async function validate(deps: StageDeps, receipt: Receipt, findings: Findings): Promise<NextReceipt> {
  const review = await reviewSettings(deps.database, receipt.applicationId);
  const candidate = candidateOf(receipt, findings, review);
  const { extracted, keys, contradiction } = candidate;
  let comparisons: Comparisons = new Map();
  for (let attempt = 0; attempt <= DUPLICATE_CANDIDATES_MAX; attempt++) {
    const { page, reading } = extracted;
    if (page && !contradiction) {
      comparisons = await deps.compareWithEarlier(receipt, { page, reading }, keys, comparisons);
    }
    const outcome = await deps.database.tx(async (tx) => {
      const at = deps.now();
      const locked = await lockReceipt(tx, receipt.id, receipt.stage);
      if (!locked) return { kind: "done", next: null } as const;
      const result = await judge(deps, tx, candidate, comparisons, at);
      if (result.kind === "retry") return result;
      return { kind: "done", next: await storeResult(deps, tx, locked, "Validated", result, at) } as const;
    });
    if (outcome.kind === "done") return outcome.next;
  }
  throw new Error("new possible duplicates were stored during every attempt to validate a receipt");
}

function candidateOf(receipt: Receipt, findings: Findings, review: ReviewSettings): Candidate {
  const extracted = findingsOf(findings.Extracted);
  const { businessName, currency } = findingsOf(findings.Enriched);
  const { reading, page, ...evidence } = extracted;
  const { declared, isSample, acceptedAt, traces } = receipt;
  const own = authenticate({ declared, isSample, acceptedAt, traces, reading, ...evidence, currency });
  const keys = isSample || !page ? [] : [...keysOfPrint(page), ...purchaseKeys(reading, page)];
  // A contradiction that is held for review is compared with other receipts like one that passes.
  const contradiction = isRefusalHeld(review, own.checks) ? null : own.failure;
  return {
    receipt,
    extracted,
    businessName,
    checks: [...own.checks, ...partsChecks(page)],
    contradiction,
    heldFailure: own.failure,
    review,
    keys,
  };
}

/** The keys of all print and of each photo: one of them alone may be sent again, or beside others. */
function keysOfPrint(page: PartedPage): string[] {
  const pages = page.parts ? [page, ...page.parts] : [page];
  return [...new Set(pages.flatMap(printKeys))];
}

/** Decides on a receipt, in the tx that stores the decision. */
async function judge(
  deps: StageDeps,
  tx: Tx,
  candidate: Candidate,
  comparisons: Comparisons,
  at: Date,
): Promise<StageResult | Retry> {
  const { receipt, extracted, businessName, checks, contradiction, review, keys } = candidate;
  if (contradiction) return { kind: "rejected", failure: contradiction, checks };
  // No other tx decides on a receipt with one of these keys until this one ends, so all duplicates are visible now.
  await lockDuplicateKeys(tx, keys);
  const possible = await findDuplicateCandidates(tx, receipt, keys);
  if (possible.some(({ id }) => !comparisons.has(id))) return { kind: "retry" };
  const { holder, earlier, similar } = receipt.isSample ? NO_HOLDER : await holderOfPurchase(deps, tx, candidate);
  const all = [...checks, ...(await checksAmongOthers(deps, tx, candidate, comparisons, holder))];
  const rejection = rejectionOf(all, closestMatch([...comparisons.values()]), holder) ?? candidate.heldFailure;
  const similarTo = closestOf(comparisons) ?? similar;
  if (rejection && !isRefusalHeld(review, all)) {
    // Only the user's own receipt is named: ALREADY_EXISTS is about no other.
    const isAgain = rejection.errorCode === "ALREADY_EXISTS";
    const duplicateOf = isAgain ? (closestOf(comparisons, true) ?? earlier) : null;
    return { kind: "rejected", failure: { ...rejection, duplicateOf, similarTo }, checks: all };
  }
  await insertDuplicateKeys(tx, receipt, keys);
  const finished = { kind: "finished", found: { checks: all } } as const;
  const validated = validatedEvent(receipt, businessName, all, at);
  const reasons = holdReasons(review, all, extracted.reading.accuracy);
  const because = receipt.declared.isHeldSample && reasons.length === 0 ? ["confidence"] : reasons;
  if (because.length === 0) return { ...finished, events: [validated] };
  return { ...finished, events: [validated, heldEvent(receipt, because, at)], held: { because, similarTo } };
}

/**
 * Who has claimed a purchase before; null: too little was read of it. `earlier`: the receipt, if it is the same user's;
 * `similar`: also if it is not.
 */
interface HeldPurchase {
  readonly holder: PurchaseHolder | null;
  readonly earlier: string | null;
  readonly similar: string | null;
}

const NO_HOLDER: HeldPurchase = { holder: null, earlier: null, similar: null };

/** The receipt that is most similar, if it is the same; `isOwn`: among the user's own. */
function closestOf(comparisons: Comparisons, isOwn = false): string | null {
  const same = [...comparisons].filter(([, match]) => (match.isOwn || !isOwn) && match.kind !== "different");
  const closest = closestMatch(same.map(([, match]) => match));
  return same.find(([, match]) => match === closest)?.[0] ?? null;
}

/** Claims the purchase of a receipt. */
async function holderOfPurchase(
  deps: StageDeps,
  tx: Tx,
  { receipt, extracted: { reading }, businessName }: Candidate,
): Promise<HeldPurchase> {
  const own = purchaseFingerprint(businessName, reading, receipt.declared);
  if (own === null) return NO_HOLDER;
  if (!(await claimPurchase(tx, receipt, own))) {
    const earlier = await earlierOfPurchase(tx, receipt, own);
    return { holder: "same_user", earlier, similar: earlier };
  }
  const shared = sharedFingerprint(deps.purchaseKey, receipt.applicationId, businessName, reading);
  const holder = shared && (await claimSharedPurchase(tx, receipt, shared));
  if (!holder || (holder.lines && !haveSameNames(reading.lines, holder.lines))) {
    return { ...NO_HOLDER, holder: "nobody" };
  }
  const { id: similar } = holder;
  return holder.userId === receipt.userId
    ? { holder: "same_user", earlier: similar, similar }
    : { holder: "other_user", earlier: null, similar };
}

/** Checks a receipt against others and against the limits. */
async function checksAmongOthers(
  { limits }: StageDeps,
  tx: Tx,
  { receipt, extracted, keys }: Candidate,
  comparisons: Comparisons,
  holder: PurchaseHolder | null,
): Promise<Check[]> {
  const { declared, acceptedAt } = receipt;
  if (receipt.isSample) return checksOfSample();
  const { perUserPerDayMax, ageMaxDays } = limits;
  const since = new Date(acceptedAt.getTime() - DAY_MS);
  const earlier = perUserPerDayMax === 0 ? 0 : await countRecent(tx, receipt, since);
  return [
    pictureCheck(keys.length > 0, closestMatch([...comparisons.values()])),
    purchaseCheck(holder),
    paceCheck(earlier, perUserPerDayMax),
    ageCheck({ declared, date: extracted.reading.date, acceptedAt }, ageMaxDays),
  ];
}
