import { verifyLedger } from "../points/store.ts";
import { Refusal, command } from "./command.ts";
import type { Command } from "./command.ts";

export const LEDGER_COMMANDS: readonly Command[] = [
  command({
    name: "ledger verify",
    summary: "recompute every balance from its records; exit code 1 when one differs",
    options: {},
    examples: ["ledger verify"],
    run: async ({ database, print }) => {
      const { users, records, differences } = await verifyLedger(database);
      const isSound = differences.length === 0;
      print({ ok: isSound, users, records, differences }, [
        ...differences.map(({ userId, what }) => `user ${userId}: ${what}`),
        `${users} users, ${records} records, ${differences.length} differences`,
      ]);
      if (!isSound) throw new Refusal("the ledger differs from its records");
    },
  }),
];
