import { createRandomDigits } from "../random.ts";
import { uuidv7Of } from "../ids.ts";
import { BALANCE_COLUMNS, openingRowOf } from "../points/opening-balances/row.ts";
import { openBalances } from "../points/opening-balances/store.ts";
import type { Opened, OpeningDeps } from "../points/opening-balances/store.ts";
import type { OpeningRow } from "../points/opening-balances/row.ts";
import { createTierKeeper } from "../points/tiers/keeper.store.ts";
import type { Database } from "../postgres/postgres.ts";
import { rollback } from "../postgres/rollback.ts";
import type { Rollback } from "../postgres/rollback.ts";
import { createTerms } from "../programs/terms.task.ts";
import { createOutbox } from "../webhooks/outbox.task.ts";
import { CLIENT_ID, applicationOf } from "./client-id.ts";
import { Refusal, command, flag, optional } from "./command.ts";
import { TABLE_OPTIONS, UNFIT_ROW, importTable } from "./import-table.ts";

/** Users whose balances one tx locks: 1,000 records of two kinds take some 50 ms. */
const BATCH_ROWS = 500;
const RACES_MAX = 5;
const USUAL_REASON = "Opening balance";

/** `balance import` */
export const BALANCE_IMPORT = command({
  name: "balance import",
  summary: "book the opening balances of a CSV file, each once",
  details:
    "Columns: email or userId, points; if you have them lifetimePoints, reference, reason. Points are added to the balance that a " +
    "user has. Run it again after an interruption: what is booked is counted as already. No event is sent without --send-events.",
  options: {
    clientId: CLIENT_ID,
    ...TABLE_OPTIONS,
    reason: optional("TEXT", `why, for rows that do not say it (${USUAL_REASON})`),
    sendEvents: flag("send points.adjusted for each record"),
    dryRun: flag("check every row, and book nothing"),
  },
  examples: [
    "balance import --client-id app_… --file balances.csv --dry-run",
    'balance import --client-id app_… --file balances.csv --reason "Moved from Bonus Club"',
  ],
  run: async (context) => {
    const { database, config, options } = context;
    const { clientId, dryRun: isDryRun, sendEvents, reason = USUAL_REASON } = options;
    const { id: applicationId } = await applicationOf(database, clientId);
    const randomDigits = createRandomDigits();
    const newId = () => uuidv7Of(Date.now(), randomDigits(20));
    // Without a hint: the deliveries are found by polling, some seconds later.
    const { webhookScheduleSeconds: scheduleSeconds } = config;
    const outbox = createOutbox({ scheduleSeconds, hint: async () => {}, newId });
    const publish = sendEvents ? outbox.append : null;
    const { tiersNow } = createTerms({ database, groupOf: () => null, now: () => new Date() });
    const tiers = createTierKeeper({ tiersNow, publishAll: sendEvents ? outbox.publishAll : null });
    const deps: OpeningDeps = { publish, tiers, now: () => new Date(), newId };
    await importTable(context, options, {
      columns: BALANCE_COLUMNS,
      kinds: ["booked", "already", "empty", "refused"],
      batchRows: BATCH_ROWS,
      isDryRun,
      take: async (rows) => {
        const read = rows.map(({ cells }) => (cells === null ? UNFIT_ROW : openingRowOf(cells, reason)));
        const valid = read.filter((each) => typeof each !== "string");
        const opened = (await bookAll(database, applicationId, valid, deps, isDryRun)).values();
        return read.map((each) => (typeof each === "string" ? refused(each) : opened.next().value!));
      },
    });
  },
});

/** Books a batch. An attempt whose references another program used meanwhile is made again. */
async function bookAll(
  database: Database,
  applicationId: string,
  rows: readonly OpeningRow[],
  deps: OpeningDeps,
  isDryRun: boolean,
): Promise<readonly Opened[]> {
  if (rows.length === 0) return [];
  for (let attempt = 1; attempt <= RACES_MAX; attempt += 1) {
    const opened = await database.tx(async (tx): Promise<Opened[] | null | Rollback<Opened[] | null>> => {
      const outcomes = await openBalances(tx, applicationId, rows, deps);
      return isDryRun && Array.isArray(outcomes) ? rollback(outcomes) : outcomes;
    });
    if (opened !== null) return opened;
  }
  throw new Refusal("another program uses the same references again and again: run the command again");
}

function refused(reason: string): Opened {
  return { kind: "refused", reason };
}
