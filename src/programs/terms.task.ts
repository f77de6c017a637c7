// The terms of submissions: those of the programme that was in force when they were accepted.
import type { Database, Tx } from "../postgres/postgres.ts";
import type { Source } from "../points/award.ts";
import type { BonusesAt } from "../points/bonuses/rules.ts";
import { DEFAULT_TERMS } from "../points/terms.ts";
import type { Terms, TermsByRule } from "../points/terms.ts";
import type { TiersNow } from "../points/tiers/keeper.store.ts";
import type { ReviewedProgram } from "../points/tiers/review.task.ts";
import { isEligible } from "./eligibility.ts";
import type { GroupOf } from "./eligibility.ts";
import { programOf } from "./program.ts";
import type { Program } from "./program.ts";
import { countriesOf, findVersion, publishedVersions, versionsInForce } from "./store.ts";
import { FRESH_MS, inForceAt, ruleIdOf, versionOfRule } from "./versions.ts";
import type { Published } from "./versions.ts";

/** A submission to be scored. */
export interface Scorable {
  readonly applicationId: string;
  readonly userId: string;
  readonly source: Source;
  readonly acceptedAt: Date;
}

/** Finds the terms of submissions, all of a batch at once. */
export type TermsFor = (submissions: readonly Scorable[]) => Promise<(submission: Scorable) => Terms>;

export interface ProgramTerms {
  readonly termsFor: TermsFor;
  /** Those of awards that were booked, whatever is in force now. */
  readonly termsByRule: TermsByRule;
  /** The bonuses of the programme in force at a moment, and the id of its rules; null: it has none. */
  readonly bonusesAt: BonusesAt;
  /** The tiers of the version in force now, read by the tx of the caller unless this process has them. */
  readonly tiersNow: TiersNow;
  /** The programmes in force of all applications. */
  readonly programsNow: () => Promise<readonly ReviewedProgram[]>;
}

/** Applications and versions whose rules a process keeps. */
const KEPT_MAX = 1_000;

/** Creates the lookup of terms. */
export function createTerms(deps: {
  readonly database: Database;
  readonly groupOf: GroupOf;
  readonly now: () => Date;
}): ProgramTerms {
  const { database, groupOf, now } = deps;
  const published = createPublished(deps);
  const programOfVersion = createProgramOfVersion();

  const countries = async (tx: Tx, programs: readonly { userId: string; program: Program | null }[]) => {
    const userIds = programs.flatMap(({ userId, program }) => (program?.eligible.countries ? [userId] : []));
    return userIds.length > 0 ? countriesOf(tx, [...new Set(userIds)]) : new Map<string, string | null>();
  };

  return {
    termsFor: async (submissions) => {
      const applicationIds = [...new Set(submissions.map(({ applicationId }) => applicationId))];
      const versions = new Map(
        await Promise.all(applicationIds.map(async (id) => [id, await published.alone(id)] as const)),
      );
      const versionOf = ({ applicationId, acceptedAt }: Scorable) =>
        inForceAt(versions.get(applicationId) ?? [], acceptedAt)?.version ?? null;
      const programs = new Map<string, Program | null>();
      for (const each of submissions) {
        const { applicationId } = each;
        const version = versionOf(each);
        const key = keyOf(applicationId, version);
        if (!programs.has(key)) programs.set(key, await programOfVersion(database, applicationId, version));
      }
      const inForce = (each: Scorable) => programs.get(keyOf(each.applicationId, versionOf(each))) ?? null;
      const users = submissions.map((each) => ({ userId: each.userId, program: inForce(each) }));
      const found = await countries(database, users);
      return (submission) =>
        termsOf(inForce(submission), submission.source, { groupOf, country: found.get(submission.userId) ?? null });
    },
    bonusesAt: createBonusesAt(deps, published, programOfVersion),
    termsByRule: async (tx, { applicationId, userId, source, rule }) => {
      const program = await programOfVersion(tx, applicationId, versionOfRule(rule));
      const found = await countries(tx, [{ userId, program }]);
      return termsOf(program, source, { groupOf, country: found.get(userId) ?? null });
    },
    tiersNow: async (tx, applicationId) => {
      const version = inForceAt(await published.within(tx, applicationId), now())?.version ?? null;
      return (await programOfVersion(tx, applicationId, version))?.tiers ?? null;
    },
    programsNow: async () => {
      const reviewed: ReviewedProgram[] = [];
      for (const { applicationId, version } of await versionsInForce(database, now())) {
        const program = await programOfVersion(database, applicationId, version);
        reviewed.push({ applicationId, version, rules: program?.tiers ?? null });
      }
      return reviewed;
    },
  };
}

/** Creates the lookup of bonuses alone. */
function createBonusesAt(
  { database }: { readonly database: Database },
  published: ReturnType<typeof createPublished>,
  programOfVersion: ReturnType<typeof createProgramOfVersion>,
): BonusesAt {
  return async (applicationId, at) => {
    const version = inForceAt(await published.alone(applicationId), at)?.version ?? null;
    const bonuses = (await programOfVersion(database, applicationId, version))?.bonuses ?? null;
    return version === null || bonuses === null ? null : { rule: ruleIdOf(version), bonuses };
  };
}

/** Reads the programmes of versions, and keeps them: a version never changes. */
function createProgramOfVersion() {
  const byVersion = new Map<string, Program>();
  return async (tx: Tx, applicationId: string, version: number | null): Promise<Program | null> => {
    if (version === null) return null;
    const key = keyOf(applicationId, version);
    const known = byVersion.get(key);
    if (known) return known;
    const found = await findVersion(tx, applicationId, version);
    if (!found) return null;
    const program = programOf(found.definition, ruleIdOf(version));
    if (byVersion.size >= KEPT_MAX) byVersion.clear();
    byVersion.set(key, program);
    return program;
  };
}

function keyOf(applicationId: string, version: number | null): string {
  return `${applicationId} ${version}`;
}

/** The terms of a submission under a programme; null: the default ones. */
export function termsOf(
  program: Program | null,
  source: Source,
  about: { readonly groupOf: GroupOf; readonly country: string | null },
): Terms {
  if (program === null) return DEFAULT_TERMS;
  const { rules, eligible, minimumSpend, limits, campaigns, tiers, bonuses } = program;
  const isChosen = Object.values(eligible).every((choice) => choice === null)
    ? null
    : (((line, head) => isEligible(line, head, { eligible, ...about })) satisfies Terms["isEligible"]);
  const { groupOf } = about;
  return { rule: rules[source], isEligible: isChosen, minimumSpend, limits, campaigns, tiers, bonuses, groupOf };
}

/**
 * Reads the published versions of an application, at most once in `FRESH_MS`. `alone`: calls during the read wait for
 * it. `within` reads by the tx of the caller, who has a connection: waiting for a read that waits for one could be a
 * circle.
 */
function createPublished({ database, now }: { readonly database: Database; readonly now: () => Date }) {
  interface Entry {
    readonly versions: Promise<readonly Published[]>;
    readonly readAtMs: number;
    /** Those versions, once they are read. */
    read: readonly Published[] | null;
  }
  const entries = new Map<string, Entry>();
  const fresh = (applicationId: string): Entry | null => {
    const entry = entries.get(applicationId);
    const nowMs = now().getTime();
    // A clock that goes back must not keep an entry for longer.
    return entry && entry.readAtMs <= nowMs && nowMs < entry.readAtMs + FRESH_MS ? entry : null;
  };
  const keep = (applicationId: string, versions: Entry["versions"], readAtMs: number): Entry => {
    if (entries.size >= KEPT_MAX) entries.clear();
    const entry: Entry = { versions, readAtMs, read: null };
    entries.set(applicationId, entry);
    versions.then(
      (read) => (entry.read = read),
      () => entries.delete(applicationId),
    );
    return entry;
  };
  return {
    alone: async (applicationId: string): Promise<readonly Published[]> => {
      const entry =
        fresh(applicationId) ?? keep(applicationId, publishedVersions(database, applicationId), now().getTime());
      return entry.versions;
    },
    within: async (tx: Tx, applicationId: string): Promise<readonly Published[]> => {
      const known = fresh(applicationId)?.read;
      if (known) return known;
      const readAtMs = now().getTime();
      const read = await publishedVersions(tx, applicationId);
      keep(applicationId, Promise.resolve(read), readAtMs).read = read;
      return read;
    },
  };
}
