import { setFlagsFromString } from "node:v8";
import { isUuid } from "../ids.ts";
import { withNames } from "../points/bonuses/store.ts";
import { recordsBetween } from "../points/store.ts";
import { verifyLedger } from "../points/verification.store.ts";
import { differenceText } from "../points/verification/check.ts";
import { presentRecord } from "../points/transaction.ts";
import { findUserOfAny } from "../users/store.ts";
import { Refusal, command, required } from "./command.ts";
import type { Command } from "./command.ts";

const RECORDS_SHOWN = 100;

export const LEDGER_COMMANDS: readonly Command[] = [
  command({
    name: "ledger list",
    summary: `list the newest ${RECORDS_SHOWN} records of a user`,
    options: { userId: required("ID", 'the user, as "user find" shows it') },
    examples: ["ledger list --user-id 01a1…"],
    run: async ({ database, options: { userId }, print }) => {
      const user = isUuid(userId) ? await findUserOfAny(database, userId) : null;
      if (!user) throw new Refusal("there is no user with this id, or it is erased");
      const low = Math.max(1, user.records - RECORDS_SHOWN + 1);
      const rows = user.records === 0 ? [] : await recordsBetween(database, userId, low, user.records);
      const transactions = await withNames(database, user.applicationId, rows.map(presentRecord));
      print(
        { transactions, count: user.records },
        transactions.map(
          ({ id, createdAt, totalPoints, transaction: { externalTransactionID, brand } }, i) =>
            `${user.records - i}  ${createdAt}  ${totalPoints} points  ${externalTransactionID}  ${id}${brand && `  ${brand}`}`,
        ),
      );
    },
  }),
  command({
    name: "ledger verify",
    summary: "recompute every balance from its records; exit code 1 if one differs",
    options: {},
    examples: ["ledger verify"],
    run: async ({ database, print }) => {
      collectEarly();
      const { users, records, differences } = await verifyLedger(database);
      const isSound = differences.length === 0;
      print({ ok: isSound, users, records, differences }, [
        ...differences.map(differenceText),
        `${users} users, ${records} records, ${differences.length} differences`,
      ]);
      if (!isSound) throw new Refusal("the ledger differs from its records");
    },
  }),
];

/**
 * What it keeps at once is 10 MB, for any number of records. By itself the collector lets what is new take 48 MB, the
 * heap grow to four times of what is kept, and buffers outside of it to 64 MB. These flags take a tenth more CPU.
 */
function collectEarly(): void {
  for (const flag of [
    "--semi-space-growth-factor=1",
    "--heap-growing-percent=60",
    "--external-memory-accounted-in-global-limit",
  ]) {
    setFlagsFromString(flag);
  }
}
