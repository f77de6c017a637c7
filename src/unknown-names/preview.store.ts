import { setImmediate as nextTurn } from "node:timers/promises";
import { merchantKey, nameKey } from "../foods/aliases/alias.ts";
import type { Alias } from "../foods/aliases/alias.ts";
import { lookupKey } from "../foods/lookup/lookup.ts";
import type { FoundAlias, LookupItem, LookupResult } from "../foods/lookup/lookup.ts";
import type { Resolver } from "../foods/lookup/resolve.ts";
import { lookUp } from "../foods/lookup/store.ts";
import { withinAllLimitsAgain } from "../points/limits/store.ts";
import { itemsLeft } from "../points/item-changes.ts";
import { recordTotals } from "../points/record.ts";
import { pointsOf } from "../points/rescore/difference.ts";
import { changesOf, countedPoints, itemsToRateAgain, scoredAgain, withinPast } from "../points/rescore/rescore.ts";
import type { ItemChange, LaterRecord, PastAward } from "../points/rescore/rescore.ts";
import { awardsOf, laterRecords } from "../points/rescore/store.ts";
import type { Terms, TermsByRule } from "../points/terms.ts";
import type { Database } from "../postgres/postgres.ts";
import type { MeaningPreview } from "./schema.ts";
import { submissionsNaming } from "./store.ts";

/** The newest submissions with a name that are scored again. */
const SUBMISSIONS_MAX = 200;
/** Awards read at once: the largest have 260 kB each. */
const AWARDS_AT_ONCE = 20;
const SHOWN_MAX = 5;

export interface PreviewDeps {
  readonly database: Database;
  readonly resolver: Resolver;
  readonly termsByRule: TermsByRule;
}

/** Scores past awards with a name again as if it had an alias. Books nothing. Null: its product does not exist. */
export async function previewAlias(
  { database, resolver, termsByRule }: PreviewDeps,
  applicationId: string,
  nameId: string,
  alias: Alias,
): Promise<MeaningPreview | null> {
  const key = nameKey(alias.name);
  const atMerchant = merchantKey(alias.merchantName);
  const found = await foundAlias(database, applicationId, alias);
  if (found === null) return null;
  const submissions = await submissionsNaming(database, applicationId, nameId, atMerchant, SUBMISSIONS_MAX);
  const changed: MeaningPreview["changes"] = [];
  const sums = { scored: 0, pointsBefore: 0, pointsAfter: 0 };
  for (let at = 0; at < submissions.length; at += AWARDS_AT_ONCE) {
    const part = submissions.slice(at, at + AWARDS_AT_ONCE);
    const userIds = [...new Set(part.map(({ userId }) => userId))];
    const awards = await awardsOf(database, part);
    const later = await laterRecords(
      database,
      userIds,
      awards.map(({ id }) => id),
    );
    const inputs = new Map(awards.map((award) => [award.id, namedItems(award, key)]));
    const known = await lookUp(
      database,
      [...inputs.values()].flatMap((items) => lookupItems(applicationId, items)),
    );
    const { rate } = resolver.raterFor(withAlias(known, applicationId, key, atMerchant, found), applicationId);
    sums.scored += awards.length;
    const places = new Map(part.map(({ submissionId }, place) => [submissionId, place]));
    for (const award of awards.toSorted((a, b) => places.get(a.submissionId)! - places.get(b.submissionId)!)) {
      const ratings = new Map([...inputs.get(award.id)!].map(([id, input]) => [id, rate(input, award.source)]));
      const own = later.get(award.id) ?? [];
      const terms = await termsByRule(database, award);
      const uncut = scoredAgain(award, ratings, terms);
      const before = recordTotals({ items: itemsLeft([award, ...own]) }).points;
      const changes = uncut ? await changesWithin(database, award, own, { ...terms, uncut }) : [];
      await nextTurn();
      if (changes.length === 0) continue;
      const { before: taken, after: given } = pointsOf(changes);
      const after = before - taken + given;
      sums.pointsBefore += before;
      sums.pointsAfter += after;
      const { userId, id, submissionId, source } = award;
      const ids = { userID: userId, transactionID: id, trackId: submissionId, source };
      changed.push({ ...ids, pointsBefore: before, pointsAfter: after });
    }
  }
  return {
    submissions: submissions.length,
    scored: sums.scored,
    records: changed.length,
    pointsBefore: sums.pointsBefore,
    pointsAfter: sums.pointsAfter,
    changes: changed.slice(0, SHOWN_MAX),
    food: foodNameOf(resolver, applicationId, alias, found),
  };
}

type NamedItems = ReturnType<typeof itemsToRateAgain>;

/** The items of an award with a name; all others keep what they have. */
function namedItems(award: PastAward, key: string): NamedItems {
  return new Map([...itemsToRateAgain(award)].filter(([, { name }]) => nameKey(name) === key));
}

function lookupItems(applicationId: string, items: NamedItems): LookupItem[] {
  return [...items.values()].map(({ foodId, name, merchants = [] }) => ({ applicationId, foodId, name, merchants }));
}

/** The alias with its product, as a lookup finds it; null where there is no such product. */
async function foundAlias(database: Database, applicationId: string, alias: Alias): Promise<FoundAlias | null> {
  const { kind, id } = alias.target;
  if (kind === "food") return { ...alias, product: null };
  const found = await lookUp(database, [{ applicationId, foodId: id, name: "", merchants: [] }]);
  const product = (kind === "gtin" ? found.gtins : found.ownProducts).get(lookupKey(applicationId, id));
  return product ? { ...alias, product } : null;
}

function withAlias(
  found: LookupResult,
  applicationId: string,
  key: string,
  atMerchant: string,
  alias: FoundAlias,
): LookupResult {
  const aliases = new Map(found.aliases);
  aliases.set(lookupKey(applicationId, key, atMerchant), alias);
  return { ...found, aliases };
}

/** What differs; where anything does, after the limits of its time. */
async function changesWithin(
  database: Database,
  award: PastAward,
  later: readonly LaterRecord[],
  { uncut, limits }: Pick<Terms, "limits"> & { readonly uncut: NonNullable<ReturnType<typeof scoredAgain>> },
): Promise<readonly ItemChange[]> {
  const changes = changesOf(award, later, uncut);
  if (!Array.isArray(changes) || changes.length === 0) return [];
  const ownPoints = countedPoints(award, later);
  const limited = await withinAllLimitsAgain(database, { ...award, record: uncut, limits }, ownPoints, true);
  const record = withinPast(award, uncut, recordTotals(limited.body).points);
  const left = changesOf(award, later, record);
  return Array.isArray(left) ? left : [];
}

function foodNameOf(resolver: Resolver, applicationId: string, alias: Alias, found: FoundAlias): string | null {
  const key = nameKey(alias.name);
  const nothing: LookupResult = {
    ownProducts: new Map(),
    gtins: new Map(),
    aliases: new Map(),
    named: new Map(),
    words: new Map(),
  };
  const item = { foodId: null, name: alias.name, merchants: [] };
  const [resolution] = resolver.resolve(item, withAlias(nothing, applicationId, key, "", found), applicationId, {
    source: "receipt",
    limit: 1,
  });
  return resolution?.by === "alias" && resolution.accepted ? resolution.food.name : null;
}
