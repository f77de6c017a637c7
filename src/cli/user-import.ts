import { createWelcome } from "../points/bonuses/welcome.task.ts";
import { createTierKeeper } from "../points/tiers/keeper.store.ts";
import { createTerms } from "../programs/terms.task.ts";
import { createRandomDigits } from "../random.ts";
import { uuidv7Of } from "../ids.ts";
import { USER_COLUMNS, enrollmentOf } from "../users/import/row.ts";
import type { UserColumn } from "../users/import/row.ts";
import type { Enrollment } from "../users/schema.ts";
import { compareMany, enrolMany } from "../users/import/store.ts";
import type { ManyEnrolled } from "../users/import/store.ts";
import { differingMembers, profileOf } from "../users/user.ts";
import { createOutbox } from "../webhooks/outbox.task.ts";
import { CLIENT_ID, applicationOf } from "./client-id.ts";
import { command, flag } from "./command.ts";
import { TABLE_OPTIONS, UNFIT_ROW, importTable } from "./import-table.ts";
import type { RowOutcome } from "./row-report.ts";
import type { TableRow } from "./table-file.ts";

/** People of one statement. */
const BATCH_ROWS = 1_000;

type Outcome = RowOutcome<"enrolled" | "already" | "kept" | "refused">;

/** `user import` */
export const USER_IMPORT = command({
  name: "user import",
  summary: "enrol the people of a CSV file, by the rules of the API",
  details:
    `Columns: ${USER_COLUMNS.names.join(", ")}; the first three are required. Who is enrolled already stays as stored. ` +
    "Run it again after an interruption: nobody is enrolled twice. Who is new gets the welcome that the programme gives with " +
    "the enrolment. No event is sent without --send-events.",
  options: {
    clientId: CLIENT_ID,
    ...TABLE_OPTIONS,
    sendEvents: flag("send bonus.awarded for each welcome, and tier.changed"),
    dryRun: flag("check every row, and change nothing; it keeps the new people in memory, to see who is there twice"),
  },
  examples: [
    "user import --client-id app_… --file users.csv --dry-run",
    "user import --client-id app_… --file users.csv.gz --ignore tier,externalId",
  ],
  run: async (context) => {
    const { database, config, options } = context;
    const { clientId, dryRun: isDryRun, sendEvents } = options;
    const { id: applicationId } = await applicationOf(database, clientId);
    const randomDigits = createRandomDigits();
    const newId = () => uuidv7Of(Date.now(), randomDigits(20));
    // Without a hint: the deliveries are found by polling, some seconds later.
    const { webhookScheduleSeconds: scheduleSeconds } = config;
    const outbox = createOutbox({ scheduleSeconds, hint: async () => {}, newId });
    const now = () => new Date();
    const { bonusesAt, tiersNow } = createTerms({ database, groupOf: () => null, now });
    const tiers = createTierKeeper({ tiersNow, publishAll: sendEvents ? outbox.publishAll : null });
    const publish = sendEvents ? outbox.append : null;
    const welcomeNow = createWelcome({ bonusesAt, tiers, publish, now, newId });
    const enrolNow = async (people: readonly Enrollment[]) => {
      const welcome = await welcomeNow(applicationId);
      return database.tx((tx) => enrolMany(tx, applicationId, people, { now: now(), newId, welcome }));
    };
    const firsts = new Map<string, Enrollment>();
    const enrol = async (people: readonly Enrollment[]): Promise<(ManyEnrolled | null)[]> =>
      isDryRun ? amongThemselves(people, await compareMany(database, applicationId, people), firsts) : enrolNow(people);
    await importTable(context, options, {
      columns: USER_COLUMNS,
      kinds: ["enrolled", "already", "kept", "refused"],
      batchRows: BATCH_ROWS,
      isDryRun,
      take: async (rows) => {
        const read = rows.map(readRow);
        const people = read.filter((each) => typeof each !== "string");
        const enrolled = (people.length > 0 ? await enrol(people) : []).values();
        return read.map((each) => {
          if (typeof each === "string") return { kind: "refused", reason: each };
          return outcomeOf(enrolled.next().value ?? { kind: "enrolled" });
        });
      },
    });
  },
});

/**
 * What would become of people who are not enrolled: of several with one address the first would be. `firsts` has those
 * of earlier batches, and gets those of this one.
 */
function amongThemselves(
  people: readonly Enrollment[],
  stored: readonly (ManyEnrolled | null)[],
  firsts: Map<string, Enrollment>,
): (ManyEnrolled | null)[] {
  return people.map((person, i) => {
    const first = firsts.get(person.email);
    if (stored[i]) return stored[i];
    if (first) return { kind: "known", keptMembers: differingMembers(profileOf(first), person) };
    firsts.set(person.email, person);
    return null;
  });
}

function readRow({ cells }: TableRow<UserColumn>): Enrollment | string {
  return cells === null ? UNFIT_ROW : enrollmentOf(cells);
}

function outcomeOf(enrolled: ManyEnrolled): Outcome {
  if (enrolled.kind === "enrolled") return { kind: "enrolled" };
  if (enrolled.kind === "busy") {
    return { kind: "refused", reason: "the user of this address is being changed: import it again" };
  }
  const { keptMembers } = enrolled;
  return keptMembers.length === 0
    ? { kind: "already" }
    : { kind: "kept", reason: `enrolled before with other data, which stays: ${keptMembers.join(", ")}` };
}
