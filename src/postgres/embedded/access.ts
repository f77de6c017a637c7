import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { isErrno } from "../../errno.ts";
import { writePrivate } from "./ownership.ts";
import { startPostmaster, stopPostmaster } from "./postmaster.ts";
import type { PostmasterSite } from "./postmaster.ts";
import { SETUP_PORT } from "./socket.ts";

/** The role and the database of the service. */
export const SERVICE = "rewards";
/** The superuser that owns the cluster. Nobody can log in as it, except while `secure` runs. */
export const SUPERUSER = "postgres";

const PASSWORD_FILE = "postgres-password";
const ACCESS_FILE = "pg_hba.conf";
const UNDEFINED_ROLE = "28000";

/** For tests: the role may create databases and connect to them. */
interface Grants {
  readonly mayCreateDatabases: boolean;
}

/** Returns the password of the service's role, or undefined. Only the service's user can read the file. */
export function readPassword(dataDir: string): string | undefined {
  return readIfThere(join(dataDir, PASSWORD_FILE));
}

/**
 * Creates the service's role and database and lets only that role in, with a password. Does so for a new cluster, and
 * for one of release 0.2, in which the service was the superuser and anyone who reached the socket came in as it. Until
 * the last file is written the next start repeats it. Returns the password.
 */
export async function secure(site: PostmasterSite & { dataDir: string }, grants: Grants): Promise<string> {
  const { clusterDir, dataDir, launcher } = site;
  const accessFile = join(clusterDir, ACCESS_FILE);
  const access = accessRules(grants);
  const known = readPassword(dataDir);
  if (known !== undefined && readIfThere(accessFile) === access) return known;

  const password = randomBytes(24).toString("base64url");
  // On a socket with another name than that of the running service, in the folder that only root can enter as well.
  writePrivate(accessFile, "local all all trust\n", launcher);
  const server = await startPostmaster({ ...site, port: SETUP_PORT });
  try {
    await separateRoles(site.socketDir, password, grants);
  } finally {
    await stopPostmaster(server, site.log);
  }
  writePrivate(join(dataDir, PASSWORD_FILE), password, statSync(dataDir));
  writePrivate(accessFile, access, launcher);
  return password;
}

// There is no rule for any other role or for a network, so PostgreSQL rejects them.
function accessRules({ mayCreateDatabases }: Grants): string {
  return `# Written by the Rewards Service.\nlocal ${mayCreateDatabases ? "all" : SERVICE} ${SERVICE} scram-sha-256\n`;
}

async function separateRoles(host: string, password: string, { mayCreateDatabases }: Grants): Promise<void> {
  const run = (user: string, database: string, statements: readonly string[]) =>
    runStatements({ host, port: SETUP_PORT, user, database }, statements);
  try {
    await run(SUPERUSER, "postgres", []);
  } catch (error) {
    if (!isErrno(error, UNDEFINED_ROLE)) throw error;
    await run(SERVICE, "postgres", RENAME_SUPERUSER);
  }
  const may = mayCreateDatabases ? "CREATEDB" : "NOCREATEDB";
  const [{ hasRole, hasDatabase } = {}] = await run(SUPERUSER, "postgres", [
    `SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${SERVICE}') AS "hasRole",
            EXISTS (SELECT 1 FROM pg_database WHERE datname = '${SERVICE}') AS "hasDatabase"`,
  ]);
  await run(SUPERUSER, "postgres", [
    ...(hasRole ? [] : [`CREATE ROLE ${SERVICE}`]),
    // Rounds make guesses slow. This password is 192 random bits; each would only cost time at every connection.
    "SET scram_iterations = 1",
    `ALTER ROLE ${SERVICE} LOGIN NOSUPERUSER NOCREATEROLE NOREPLICATION NOBYPASSRLS ${may} PASSWORD '${password}'`,
    // DROP DATABASE … WITH (FORCE) ends the autovacuum there.
    ...(mayCreateDatabases ? [`GRANT pg_signal_backend TO ${SERVICE}`] : []),
    hasDatabase ? `ALTER DATABASE ${SERVICE} OWNER TO ${SERVICE}` : `CREATE DATABASE ${SERVICE} OWNER ${SERVICE}`,
  ]);
  await run(SUPERUSER, SERVICE, [GIVE_OBJECTS]);
}

/** A role cannot be renamed by its own session. The superuser of a cluster cannot become an ordinary role. */
const RENAME_SUPERUSER = [
  "BEGIN",
  "CREATE ROLE rewards_setup SUPERUSER",
  "SET SESSION AUTHORIZATION rewards_setup",
  `ALTER ROLE ${SERVICE} RENAME TO ${SUPERUSER}`,
  "RESET SESSION AUTHORIZATION",
  "DROP ROLE rewards_setup",
  "COMMIT",
];

/**
 * Gives what the superuser owns in schemas of the service to its role. REASSIGN OWNED refuses the owner of the cluster.
 * Sequences of a column follow their table, arrays and rows their type; extensions stay.
 */
const GIVE_OBJECTS = `
  DO $give$
  DECLARE command text;
  BEGIN
    FOR command IN
      WITH ours AS (
        SELECT oid, nspname, nspowner FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
      ), tied AS (
        SELECT classid, objid FROM pg_depend WHERE deptype IN ('a', 'e', 'i') AND refclassid <> 'pg_namespace'::regclass
      )
      SELECT format('ALTER SCHEMA %I OWNER TO ${SERVICE}', nspname) FROM ours WHERE nspowner = 10
      UNION ALL
      SELECT format('ALTER %s %s OWNER TO ${SERVICE}', CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW'
                      WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'c' THEN 'TYPE' ELSE 'TABLE' END, oid::regclass)
      FROM pg_class WHERE relowner = 10 AND relkind IN ('r', 'p', 'v', 'm', 'S', 'c')
        AND relnamespace IN (SELECT oid FROM ours)
        AND NOT (relkind = 'S' AND ('pg_class'::regclass, oid) IN (SELECT classid, objid FROM tied))
      UNION ALL
      SELECT format('ALTER TYPE %s OWNER TO ${SERVICE}', oid::regtype) FROM pg_type
      WHERE typowner = 10 AND typtype IN ('d', 'e', 'r') AND typnamespace IN (SELECT oid FROM ours)
      UNION ALL
      SELECT format('ALTER ROUTINE %s OWNER TO ${SERVICE}', oid::regprocedure) FROM pg_proc
      WHERE proowner = 10 AND pronamespace IN (SELECT oid FROM ours)
        AND ('pg_proc'::regclass, oid) NOT IN (SELECT classid, objid FROM tied)
    LOOP
      EXECUTE command;
    END LOOP;
  END
  $give$`;

async function runStatements(
  settings: { host: string; port: number; user: string; database: string },
  statements: readonly string[],
): Promise<Record<string, unknown>[]> {
  const client = new Client(settings);
  client.on("error", () => {}); // its queries fail
  let rows: Record<string, unknown>[] = [];
  try {
    await client.connect();
    for (const sql of statements) ({ rows } = await client.query<Record<string, unknown>>(sql));
    return rows;
  } finally {
    await client.end().catch(() => {});
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}
