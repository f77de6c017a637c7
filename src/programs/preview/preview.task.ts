import { setImmediate as nextTurn } from "node:timers/promises";
import { periodOf } from "../../points/limits/periods.ts";
import { isScarce } from "../../points/campaigns/campaign.ts";
import { NEW_APPLICATION } from "../../points/settlement/standing.ts";
import type { Source } from "../../points/award.ts";
import type { Terms } from "../../points/terms.ts";
import type { Database, Tx } from "../../postgres/postgres.ts";
import { DAY_MS } from "../../time.ts";
import type { GroupOf } from "../eligibility.ts";
import { programOf } from "../program.ts";
import type { Program } from "../program.ts";
import { countriesOf } from "../store.ts";
import { termsOf } from "../terms.task.ts";
import { ruleIdOf } from "../versions.ts";
import { givenBonuses, welcomesOf } from "./bonuses.store.ts";
import type { Figures } from "./figures.ts";
import { createKeys } from "./keys.ts";
import type { RecordKey } from "./keys.ts";
import type { PreviewRequest } from "./preview.ts";
import type { Replayed } from "./replay.ts";
import { awardKeys, countErased, readAwards, userSlices } from "./replayed.store.ts";
import type { ReplayedAward, Span } from "./replayed.store.ts";
import { presentResult } from "./schema.ts";
import type { PreviewResult } from "./schema.ts";
import { applicationDayLimits, usageAt } from "./start.store.ts";
import type { Start } from "./start.store.ts";
import { createSums } from "./sums.ts";
import type { Counts, Sums } from "./sums.ts";
import { createUsers } from "./users.store.ts";
import type { Users } from "./users.store.ts";

/** Awards read at once. The largest have 260 kB each; 500 at once were no faster. */
const AWARDS_AT_ONCE = 100;
/** Replaying yields to the event loop this often: the process may serve requests, too. */
const TURN_MS_MAX = 4;

export interface PreviewDeps {
  readonly database: Pick<Database, "snapshot">;
  readonly groupOf: GroupOf;
  readonly now: () => Date;
  /** Waits while requests are more important. */
  readonly giveWay?: () => Promise<void>;
  readonly stopped: AbortSignal;
  /** Called after each step. None takes long. `total`: null until the records are counted. */
  readonly progress?: (replayed: number, total: number | null) => Promise<void> | void;
  /** Called for each award with what it would be. */
  readonly each?: ((award: ReplayedAward, replayed: Replayed) => void) | undefined;
}

/**
 * Replays what an application accepted in the last days under a programme. One snapshot of the database is read, so
 * that the figures are those of one moment; nothing is locked and nothing written.
 */
export function preview(deps: PreviewDeps, applicationId: string, request: PreviewRequest): Promise<PreviewResult> {
  return deps.database.snapshot(async (tx) => {
    const { definition, version, days, pointValue } = request;
    const { timeZone = "UTC", name } = definition;
    const program = programOf(definition, version === null ? "draft" : ruleIdOf(version));
    const until = deps.now();
    const span = { fromMs: startOfDays(until.getTime(), days, timeZone), untilMs: until.getTime() };
    const { figures, counts } = await replayAll(deps, tx, { applicationId, program, span, timeZone });
    const erased = await countErased(tx, applicationId, span);
    return presentResult(figures, {
      name,
      version,
      timeZone,
      from: new Date(span.fromMs),
      until,
      pointValue,
      notReplayed: { erased, ...counts },
      notes: notesOf(program, span),
    });
  });
}

/** The start of the first of `days` days. The day of `ms` is the last. */
function startOfDays(ms: number, days: number, timeZone: string): number {
  const { fromMs } = periodOf(ms, "day", timeZone);
  // Noon: a day may have 23 or 25 hours.
  return periodOf(fromMs + DAY_MS / 2 - (days - 1) * DAY_MS, "day", timeZone).fromMs;
}

/** A preview in progress. */
interface Replay {
  readonly tx: Tx;
  readonly program: Program;
  readonly termsFor: ReturnType<typeof draftTerms>;
  /** Whether what one user gets depends on what others got before: then all standings are kept. */
  readonly isShared: boolean;
  readonly users: Users;
  readonly sums: Sums;
}

async function replayAll(
  deps: PreviewDeps,
  tx: Tx,
  {
    applicationId,
    program,
    span,
    timeZone,
  }: {
    readonly applicationId: string;
    readonly program: Program;
    readonly span: Span;
    readonly timeZone: string;
  },
): Promise<{ readonly figures: Figures; readonly counts: Counts }> {
  const keys = createKeys();
  for await (const found of awardKeys(tx, applicationId, span)) {
    deps.stopped.throwIfAborted();
    found.forEach(keys.add);
    await deps.progress?.(0, null);
  }
  deps.stopped.throwIfAborted();
  const dayLimits = await applicationDayLimits(tx, applicationId);
  const termsFor = draftTerms(program, deps.groupOf);
  const terms = termsFor("receipt", null);
  const start: Start = { applicationId, span, dayLimits, terms };
  const isShared = terms.campaigns.some(isScarce) || (terms.bonuses?.referral ?? null) !== null;
  const usage = await usageAt(tx, keys, start, async () => {
    deps.stopped.throwIfAborted();
    await deps.progress?.(0, keys.count);
  });
  const dayOf = (ms: number) => periodOf(ms, "day", timeZone).first;
  const sums = createSums({ ...NEW_APPLICATION, dayLimits, usage }, { userIds: keys.userIds, dayOf, each: deps.each });
  const users = createUsers(start, keys.lateMs);
  const replay: Replay = { tx, program, termsFor, isShared, users, sums };
  let [replayed, turnMs] = [0, performance.now()];
  for (const part of keys.parts(isShared ? "bookings" : "users", AWARDS_AT_ONCE)) {
    turnMs = await replayPart(deps, replay, part, turnMs);
    replayed += part.length;
    deps.stopped.throwIfAborted();
    await deps.progress?.(replayed, keys.count);
  }
  for await (const userIds of userSlices(tx, applicationId)) {
    for (const given of await givenBonuses(tx, userIds, span)) sums.addBonus(given, "now");
    const welcomes = program.bonuses ? await welcomesOf(tx, userIds, program.bonuses, span) : [];
    for (const given of welcomes) sums.addBonus(given, "draft");
    deps.stopped.throwIfAborted();
    await deps.progress?.(replayed, keys.count);
  }
  return { figures: sums.figures(), counts: sums.counts };
}

/** Replays some awards. `turnMs` is when this process last gave way; returns when it did now. */
async function replayPart(
  deps: PreviewDeps,
  { tx, program, termsFor, isShared, users, sums }: Replay,
  part: readonly RecordKey[],
  turnMs: number,
): Promise<number> {
  const awards = await readAwards(tx, part);
  const userIds = [...new Set(part.map(({ userId }) => userId))];
  sums.addReferrals(await users.load(tx, userIds));
  const countries = program.eligible.countries ? await countriesOf(tx, userIds) : null;
  let lastMs = turnMs;
  for (const [i, award] of awards.entries()) {
    const { userId, source } = award;
    const terms = termsFor(source, countries?.get(userId) ?? null);
    users.replay(award, (standing) => sums.add(award, part[i]!.user, standing, terms));
    if (performance.now() - lastMs < TURN_MS_MAX) continue;
    await nextTurn();
    await deps.giveWay?.();
    lastMs = performance.now();
  }
  // Users come one after the other: only the last of them may go on in the next part.
  if (!isShared) users.keepOnly(part.at(-1)?.userId);
  return lastMs;
}

/** The terms of the draft. They depend on the kind of submission, and where countries count on the user's. */
function draftTerms(program: Program, groupOf: GroupOf): (source: Source, country: string | null) => Terms {
  const known = new Map<string, Terms>();
  return (source, country) => {
    const key = `${source} ${country}`;
    const terms = known.get(key) ?? termsOf(program, source, { groupOf, country });
    known.set(key, terms);
    return terms;
  };
}

/** Campaigns that cannot give anything in the time, which a reader would otherwise take for worthless. */
function notesOf(program: Program, { fromMs, untilMs }: Span): string[] {
  return program.campaigns.flatMap(({ id, fromMs: from, untilMs: until }) =>
    from < untilMs && until > fromMs
      ? []
      : [`The campaign ${id} has no day in this time. To see what it would give, move its days into it.`],
  );
}
