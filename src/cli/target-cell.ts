import { resolve } from "node:path";
import { dataDirOf } from "../config.ts";
import type { ImageSettings } from "../images/open-images.ts";
import { isReachable } from "../database.ts";
import { DEFAULT_SCHEMA, isSchemaName } from "../postgres/cell.ts";
import { openDatabase } from "../postgres/postgres.ts";
import type { Database } from "../postgres/postgres.ts";
import { Refusal } from "./command.ts";
import type { Context } from "./command.ts";

/** Another cell than the one of the settings. */
export interface TargetCell {
  readonly database: Database;
  /** Its folder and the place of its images, as its own processes have them. */
  readonly dataDir: string;
  readonly images: ImageSettings;
}

/** For the commands that have to do with it. */
export const TARGET_DETAILS =
  "The other cell is in the same PostgreSQL, or in that of TARGET_DATABASE_URL, an address that leads to the server itself. Its folder is below TARGET_DATA_DIR (the same DATA_DIR without it). Settings of its images are those of this cell, or all those with TARGET_ in front, as TARGET_IMAGES_S3_BUCKET, if one is set.";

/** Runs `work` with the cell `schema` of the target. */
export async function withTarget<Result>(
  { database, config, target }: Pick<Context, "database" | "config" | "target">,
  schema: string,
  work: (cell: TargetCell) => Promise<Result>,
): Promise<Result> {
  if (schema !== DEFAULT_SCHEMA && !isSchemaName(schema)) throw new Refusal(`${schema} is no name of a schema`);
  const other = openDatabase({
    connection: target.databaseUrl === undefined ? database.session : { connectionString: target.databaseUrl },
    schema,
    connectionsMax: 4,
    named: config.databaseNamedStatements,
    onError: () => {},
  });
  try {
    // Otherwise the message would name the database of the settings.
    if (!(await isReachable(other))) {
      throw new Refusal("the PostgreSQL of the other cell cannot be reached: check TARGET_DATABASE_URL");
    }
    const dataDir = resolve(dataDirOf(target.dataDir, schema));
    return await work({ database: other, dataDir, images: target.images(schema) });
  } finally {
    await other.close();
  }
}
