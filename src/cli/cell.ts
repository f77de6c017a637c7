import { listCells } from "../postgres/cells.store.ts";
import { command } from "./command.ts";
import type { Command } from "./command.ts";

const MEGABYTE = 1_000_000;

/** The command that lists the services of a database. */
export const CELL_LIST: Command = command({
  name: "cell list",
  summary: "list the services that share this database, each in a schema of its own",
  details:
    "A service has its tables in the schema DATABASE_SCHEMA. Schemas that the database user may not read are left out.",
  options: {},
  examples: ["cell list", "cell list --json"],
  run: async ({ database, print }) => {
    const cells = (await listCells(database)).map((cell) => ({ ...cell, isThis: cell.schema === database.schema }));
    print(
      { cells },
      cells.map(({ schema, migration, applications, users, bytes, isThis }) =>
        [
          schema.padEnd(20),
          `${applications} applications`,
          `${users} users`,
          `${(bytes / MEGABYTE).toFixed(1)} MB`,
          migration,
          ...(isThis ? ["(this one)"] : []),
        ].join("  "),
      ),
    );
  },
});
