import { mkdir } from "node:fs/promises";
import { migrateAll } from "../database.ts";
import { installationKey, setInstallationKey } from "../installation.store.ts";
import { NO_LOG } from "../log.ts";
import { hasCell, listCells } from "../postgres/cells.store.ts";
import { Refusal, command, required } from "./command.ts";
import { TARGET_DETAILS, withTarget } from "./target-cell.ts";
import type { CellMove } from "../postgres/cells.store.ts";
import type { Command } from "./command.ts";

const MEGABYTE = 1_000_000;

/** The command that makes another cell of this installation. */
export const CELL_CREATE: Command = command({
  name: "cell create",
  summary: "create another cell of this installation, which applications can be moved to",
  details:
    "Makes its schema and tables, and gives it the installation key of this cell: webhook secrets and links stay valid when an application moves. Start its processes afterwards, with DATABASE_SCHEMA. " +
    TARGET_DETAILS,
  options: { schema: required("NAME", "its schema, which must not be there yet") },
  examples: ["cell create --schema south"],
  run: async (context) => {
    const { schema } = context.options;
    const key = await installationKey(context.database);
    await withTarget(context, schema, async ({ database, dataDir, images }) => {
      if (await hasCell(database, schema)) {
        throw new Refusal(`there is a cell ${schema} already`);
      }
      await migrateAll(database, NO_LOG);
      if (!(await setInstallationKey(database, key))) throw new Refusal(`the cell ${schema} is in use already`);
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      const { first, s3 } = images;
      const place = first === "s3" && s3 ? `the bucket ${s3.bucket} below ${s3.prefix || "its root"}` : dataDir;
      context.print({ schema, dataDir, bucket: s3?.bucket ?? null, prefix: s3?.prefix ?? null }, [
        `the cell ${schema} is made; its images will be in ${place}`,
      ]);
    });
  },
});

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
      cells
        .map(({ schema, migration, applications, users, bytes, isThis }) =>
          [
            schema.padEnd(20),
            `${applications} applications`,
            `${users} users`,
            `${(bytes / MEGABYTE).toFixed(1)} MB`,
            migration,
            ...(isThis ? ["(this one)"] : []),
          ].join("  "),
        )
        .concat(cells.flatMap(({ schema, moves }) => moves.map((move) => `${schema}: ${moveText(move)}`))),
    );
  },
});

function moveText({ clientId, name, state, address }: CellMove): string {
  const what = { closed: "is moving to", arriving: "is arriving at", removed: "has moved to" }[state];
  return `${clientId}  ${name} ${what ?? "has moved, and is still to be removed here (app move --clean), to"} ${address}`;
}
