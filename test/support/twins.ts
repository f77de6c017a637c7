// Two applications with the same users who submit the same at the same times, booked by the functions of the service.
import { randomBytes } from "node:crypto";
import { insertApplication } from "../../src/applications/store.ts";
import type { Resolver } from "../../src/foods/lookup/resolve.ts";
import { lookUp } from "../../src/foods/lookup/store.ts";
import { uuidv7 } from "../../src/ids.ts";
import { PARTNER_TYPE } from "../../src/points/codes.ts";
import { composeRecord } from "../../src/points/record.ts";
import { scoredLine } from "../../src/points/scored-line.ts";
import type { ScoredLine } from "../../src/points/scored-line.ts";
import { book } from "../../src/points/store.ts";
import type { Booked, Booking } from "../../src/points/store.ts";
import type { Database } from "../../src/postgres/postgres.ts";
import type { ProgramDefinition } from "../../src/programs/definition.ts";
import type { GroupOf } from "../../src/programs/eligibility.ts";
import { publishVersion, saveVersion } from "../../src/programs/store.ts";
import { createTerms } from "../../src/programs/terms.task.ts";
import type { TermsFor } from "../../src/programs/terms.task.ts";
import { DAY_MS } from "../../src/time.ts";
import { insertUsers } from "../../src/users/insert.store.ts";
import type { AnySubmission, History } from "./any-program.ts";
import { newApplication } from "./applications.ts";

export interface Twin {
  readonly applicationId: string;
  readonly userIds: readonly string[];
  /** Puts a programme in force from a moment on. */
  publish(definition: ProgramDefinition, fromMs: number): Promise<void>;
  /** Books the whole history. */
  submit(): Promise<void>;
  /** What was booked, in that order. */
  readonly booked: readonly (Booked & { readonly submissionId: string; readonly acceptedMs: number })[];
}

export interface TwinDeps {
  readonly resolver: Resolver;
  readonly groupOf: GroupOf;
  readonly history: History;
  /** Start of the time that is replayed, and now. */
  readonly fromMs: number;
  readonly untilMs: number;
}

interface Due extends AnySubmission {
  readonly submissionId: string;
  readonly acceptedMs: number;
  readonly bookedMs: number;
}

/** Creates two applications with users of the same order, and submissions of the same ids. */
export async function createTwins(database: Database, deps: TwinDeps): Promise<readonly [Twin, Twin]> {
  const { history, fromMs, untilMs } = deps;
  const dues = history.submissions
    .map((each): Due => {
      const acceptedMs = untilMs - each.agoMs;
      // What was accepted before the time is booked before it.
      const latestMs = acceptedMs < fromMs ? fromMs - 1 : untilMs - 1;
      const bookedMs = Math.min(acceptedMs + each.lateMs, latestMs);
      return { ...each, submissionId: uuidv7(acceptedMs, randomBytes(10)), acceptedMs, bookedMs };
    })
    .sort((a, b) => a.bookedMs - b.bookedMs || (a.submissionId < b.submissionId ? -1 : 1));
  return [await createTwin(database, deps, dues), await createTwin(database, deps, dues)];
}

async function createTwin(database: Database, deps: TwinDeps, dues: readonly Due[]): Promise<Twin> {
  const { groupOf, history, fromMs, untilMs } = deps;
  const isEarlier = ({ bookedMs }: Due) => bookedMs < fromMs;
  const { applicationId, userIds } = await createUsers(database, deps);
  const booked: Twin["booked"][number][] = [];
  return {
    applicationId,
    userIds,
    booked,
    publish: async (definition, startMs) => {
      const at = new Date(startMs);
      const { version } = await saveVersion(database, applicationId, { definition, note: "", author: "test" }, at);
      await publishVersion(database, applicationId, version, { startsAt: at, author: "test" }, at);
    },
    submit: async () => {
      const { termsFor } = createTerms({ database, groupOf, now: () => new Date(untilMs) });
      const owner = { database, resolver: deps.resolver, termsFor, applicationId, userIds };
      for (const side of [dues.filter(isEarlier), dues.filter((due) => !isEarlier(due))]) {
        for (const part of partsOf(side, history.batch)) {
          // One tx books at one moment, in the order of the ids.
          part.sort((a, b) => (a.submissionId < b.submissionId ? -1 : 1));
          const done = await bookAll(owner, part);
          for (const [i, each] of done.entries()) {
            const { submissionId, acceptedMs } = part[i]!;
            booked.push({ ...each, submissionId, acceptedMs });
          }
        }
      }
    },
  };
}

/** Parts of up to `length`, or more: no two end at the same moment, since records of one moment have no order. */
function partsOf(dues: readonly Due[], length: number): Due[][] {
  const parts: Due[][] = [];
  for (const due of dues) {
    const part = parts.at(-1);
    if (part && (part.length < length || part.at(-1)!.bookedMs === due.bookedMs)) part.push(due);
    else parts.push([due]);
  }
  return parts;
}

async function createUsers(database: Database, { history, untilMs }: TwinDeps) {
  const at = new Date(untilMs - 400 * DAY_MS);
  const newId = () => uuidv7(at.getTime(), randomBytes(10));
  const { application } = newApplication(newId());
  await insertApplication(database, application, at);
  const people = history.countries.map((country) => {
    const id = newId();
    const about = { imageUrl: null, city: null, postalCode: null };
    return { id, email: `${id}@example.org`, firstName: "Ada", lastName: "Lovelace", country, ...about };
  });
  await insertUsers(database, application.id, people, at);
  const [referrer, ...others] = people;
  for (const { id } of others.slice(0, -1)) {
    const values = [id, application.id, referrer!.id, at];
    await database.pool.query(
      "INSERT INTO referrals (user_id, application_id, referrer_id, created_at) VALUES ($1, $2, $3, $4)",
      values,
    );
  }
  return { applicationId: application.id, userIds: people.map(({ id }) => id) };
}

interface Owner {
  readonly database: Database;
  readonly resolver: Resolver;
  readonly termsFor: TermsFor;
  readonly applicationId: string;
  readonly userIds: readonly string[];
}

/** Books submissions in one tx. */
async function bookAll(owner: Owner, part: readonly Due[]): Promise<Booked[]> {
  const { database, termsFor, applicationId, userIds } = owner;
  const at = new Date(Math.max(...part.map(({ bookedMs }) => bookedMs)));
  const scorables = part.map(({ user, source, acceptedMs }) => {
    return { applicationId, userId: userIds[user]!, source, acceptedAt: new Date(acceptedMs) };
  });
  const termsOf = await termsFor(scorables);
  const bookings: Booking[] = [];
  for (const [i, due] of part.entries()) {
    const head = {
      reference: due.submissionId,
      brand: due.merchant,
      logo: "",
      location: "",
      partnerType: PARTNER_TYPE.unspecified,
      timestamp: new Date(due.acceptedMs).toISOString(),
      currency: due.currency,
      totalAmountMinor: due.totalMinor,
    };
    const terms = termsOf(scorables[i]!);
    const record = composeRecord(due.source, head, await linesOf(owner, due), terms);
    const { userId, source } = scorables[i]!;
    const { submissionId } = due;
    bookings.push({ applicationId, userId, source, submissionId, record, terms, catalogueVersion: "test" });
  }
  return database.tx((tx) => book(tx, bookings, at, () => uuidv7(at.getTime(), randomBytes(10))));
}

async function linesOf({ database, resolver, applicationId }: Owner, due: Due): Promise<ScoredLine[]> {
  const merchants = due.merchant === "" ? [] : [due.merchant];
  const items = due.items.map((item) => ({ ...item, weight: 150, unit: "g", nutrition: null, merchants }));
  const found = await lookUp(
    database,
    items.map((item) => ({ applicationId, ...item })),
  );
  const { rate } = resolver.raterFor(found, applicationId);
  return items.flatMap((item, i): ScoredLine[] => {
    const rating = rate(item, due.source);
    if (rating.kind === "incomplete") return [];
    const { name, foodId, quantity } = item;
    const texts = { id: `${due.submissionId}-${i + 1}`, externalId: foodId ?? "", name, cleanedName: name };
    return [scoredLine({ ...texts, imageUrl: "", quantity, amountMinor: 100, soldByWeight: false }, rating)];
  });
}
