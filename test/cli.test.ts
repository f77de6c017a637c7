import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { findApplicationByClientId } from "../src/applications/store.ts";
import { EXIT, Refusal, UsageError } from "../src/cli/command.ts";
import { COMMANDS } from "../src/cli/command-list.ts";
import { helpFor } from "../src/cli/help.ts";
import { flagOf, parseCommandLine } from "../src/cli/parse.ts";
import { redirectUriError } from "../src/sessions/redirect.ts";
import { runCommand } from "./support/commands.ts";
import { createTestDatabase } from "./support/database.ts";
import { freePort } from "./support/processes.ts";

const database = await createTestDatabase({ connectionsMax: 2 });
after(() => database.drop());

const CLI = join(import.meta.dirname, "../src/cli.ts");

/** Runs the CLI as a process; gives how it ended and what it wrote. */
async function cli(args: readonly string[], env: Record<string, string> = {}) {
  const options = { env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...database.env, ...env } };
  const { code, stdout, stderr } = await promisify(execFile)(process.execPath, [CLI, ...args], options).then(
    (done) => ({ code: 0, ...done }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  return { code, stdout, stderr };
}

/** Returns the usage error of a wrong command line. */
function usageError(...args: string[]): string {
  try {
    parseCommandLine(COMMANDS, args);
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    return error.message;
  }
  return assert.fail("it was accepted");
}

/** Runs a command here that prints once. */
async function run<Printed extends object>(...args: string[]): Promise<Printed> {
  const printed = await runCommand<Printed>(database.database, args);
  assert.equal(printed.length, 1);
  return printed[0]!;
}

test("every command has a help text with its options and an example that the command line accepts", () => {
  for (const { name, summary, options, examples } of COMMANDS) {
    const line = parseCommandLine(COMMANDS, [...name.split(" "), "--help"]);
    assert.ok(line.kind === "help");
    const help = helpFor(COMMANDS, line.words);
    assert.ok(help.toLowerCase().includes(summary.toLowerCase()), name);
    for (const [option, { kind, metavar }] of Object.entries(options)) {
      assert.ok(help.includes(kind === "argument" ? metavar : flagOf(option)), `${name} ${option}`);
    }
    assert.ok(examples.length > 0, name);
    for (const example of examples) {
      const args = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!);
      const parsed = parseCommandLine(COMMANDS, args);
      assert.ok(parsed.kind === "run" && parsed.command.name === name, example);
    }
  }
});

test("the help names every command, and the help of a group all of its commands", () => {
  const overview = helpFor(COMMANDS, []);
  for (const { name } of COMMANDS) {
    assert.ok(overview.includes(`  ${name} `), name);
    assert.match(overview, new RegExp(`^${name.split(" ")[0]}: \\w`, "m"));
    assert.ok(helpFor(COMMANDS, name.split(" ").slice(0, 1)).includes(name), name);
  }
});

test("a mistyped command or option is refused with a suggestion", () => {
  assert.match(usageError("ap", "create"), /there is no command "ap create"; did you mean "app create"\?/);
  assert.match(usageError("app", "create", "--nam", "x"), /"app create" has no option --nam; did you mean --name\?/);
  assert.match(usageError("webhook", "list", "--client", "x"), /did you mean --client-id\?/);
  assert.match(usageError("xyzzy"), /^there is no command "xyzzy"\n/);
});

test("all errors of a command line are reported at once", () => {
  const message = usageError("webhook", "add", "--sandbox", "--url", "", "extra");
  for (const error of ["no option --sandbox", "--url needs a value", "--client-id ID is missing", "no more words"]) {
    assert.ok(message.includes(error), `${error}: ${message}`);
  }
  assert.match(usageError("app", "create", "--name", "x", "--sandbox=no"), /--sandbox takes no value/);
});

test("options may come before the command, and a value may begin with a hyphen after =", () => {
  const line = parseCommandLine(COMMANDS, ["--json", "--name=-x", "app", "create", "--sandbox"]);
  assert.ok(line.kind === "run" && line.isJson);
  assert.deepEqual(line.options, { name: "-x", sandbox: true });
});

test("exit codes: 0 done, 1 refused, 2 wrong usage, 3 no database; errors go to the standard error, without a stack", async () => {
  const created = await cli(["app", "create", "--name", "Codes", "--json"]);
  assert.deepEqual([created.code, created.stderr], [EXIT.done, ""]);
  assert.equal(created.stdout.trim().split("\n").length, 1);

  // Of the test's own one, where it is a schema or behind PgBouncer.
  const otherDatabase = { DATABASE_SCHEMA: "", DATABASE_SESSION_URL: "" };
  const [help, empty, refused, usage, unreachable, unset, elsewhere] = await Promise.all([
    cli(["app", "--help"], { DATABASE_URL: "postgres://127.0.0.1:1/none" }),
    cli(["catalogue", "sources"]),
    cli(["app", "suspend", "--client-id", "app_none"]),
    cli(["app", "create"]),
    cli(["app", "list"], {
      ...otherDatabase,
      DATABASE_URL: `postgres://robin:secret@127.0.0.1:${await freePort()}/none`,
    }),
    cli(["app", "list"], { PORT: "http" }),
    cli(["app", "list"], { ...otherDatabase, DATABASE_URL: "", DATA_DIR: "/missing/at/all" }),
  ]);
  assert.deepEqual([help.code, help.stderr], [EXIT.done, ""]);
  assert.deepEqual([empty.code, empty.stdout, empty.stderr], [EXIT.done, "", "(there is none)\n"]);
  assert.deepEqual(
    [refused, usage, unreachable, unset, elsewhere].map(({ code }) => code),
    [EXIT.refused, EXIT.usage, EXIT.unavailable, EXIT.unavailable, EXIT.unavailable],
  );
  for (const { stdout, stderr } of [refused, usage, unreachable, unset, elsewhere]) {
    assert.equal(stdout, "");
    assert.doesNotMatch(stderr, /\n {4}at |secret/);
  }
  assert.equal(refused.stderr, "there is no application with this client id\n");
  assert.match(elsewhere.stderr, /^There is no database in \/missing\/at\/all\. Set DATA_DIR/);
});

test("app set: changes the looks given, keeps the others, and refuses those that pages could not show", async () => {
  const { clientId } = await run<{ clientId: string }>("app", "create", "--name=Looks", "--accent=#FFD400");
  const set = (...options: string[]) => run<object>("app", "set", `--client-id=${clientId}`, ...options);
  assert.partialDeepStrictEqual(await set("--name=New looks"), { name: "New looks", accentColour: "#ffd400" });
  assert.partialDeepStrictEqual(await set("--logo-url=https://example.org/l.svg"), {
    name: "New looks",
    logoUrl: "https://example.org/l.svg",
  });
  for (const wrong of ["--accent=red", "--logo-url=http://example.org/l.svg", "--redirect-uri=javascript:1"]) {
    await assert.rejects(set(wrong), Refusal);
  }
});

test("app redirects: sessions redirect only to addresses on the list, which must have the application's own one", async () => {
  const own = "myapp://done";
  const { clientId } = await run<{ clientId: string }>("app", "create", "--name=Back", `--redirect-uri=${own}`);
  const allow = (...only: string[]) => run<object>("app", "redirects", `--client-id=${clientId}`, ...only);
  const errors = async () => {
    const rules = (await findApplicationByClientId(database.database, clientId))!;
    return ["https://example.org/back?state=1", "https://example.org/other", own].map((uri) =>
      redirectUriError(uri, rules),
    );
  };
  assert.deepEqual(await errors(), [null, null, null]);
  const redirectAllowList = ["https://example.org/back", own];
  assert.deepEqual(await allow(`--only=${redirectAllowList.join(", ")}`), { clientId, redirectAllowList });
  assert.deepEqual(await errors(), [null, "is not on the allow-list", null]);
  for (const wrong of ["https://example.org/back", `${own},javascript:1`, `${own},`]) {
    await assert.rejects(allow(`--only=${wrong}`), Refusal, wrong);
  }
  assert.deepEqual(await allow(), { clientId, redirectAllowList: [] });
  assert.deepEqual(await errors(), [null, null, null]);
});

test("app: created, listed, suspended, resumed, its secret rotated", async () => {
  const { clientId, clientSecret } = await run<Record<string, string>>("app", "create", "--name=Shop", "--sandbox");
  const { applications } = await run<{ applications: Record<string, unknown>[] }>("app", "list");
  const [shop] = applications.filter((application) => application["clientId"] === clientId);
  assert.partialDeepStrictEqual(shop, { name: "Shop", isSandbox: true, suspendedAt: null });
  const suspended = await run<{ suspendedAt: Date | null }>("app", "suspend", `--client-id=${clientId}`);
  assert.ok(suspended.suspendedAt instanceof Date);
  assert.deepEqual(await run("app", "resume", `--client-id=${clientId}`), { clientId, suspendedAt: null });
  const rotated = await run<Record<string, string>>("app", "rotate-secret", `--client-id=${clientId}`);
  assert.match(rotated["clientSecret"]!, /^sec_[\w-]{43}$/);
  assert.notEqual(rotated["clientSecret"], clientSecret);
  assert.equal(rotated["previousSecretValidUntil"], null);
  await assert.rejects(run("app", "create", "--name=x", "--logo-url=http://example.org/l.png"), Refusal);
});

test("app: a replaced secret may be kept for a while, is shown in the list, and can be ended earlier", async () => {
  const { clientId } = await run<{ clientId: string }>("app", "create", "--name=Rotated");
  const rotate = (...options: string[]) =>
    run<{ previousSecretValidUntil: Date | null }>("app", "rotate-secret", `--client-id=${clientId}`, ...options);
  const listed = async () => {
    const { applications } = await run<{ applications: Record<string, unknown>[] }>("app", "list");
    return applications.find((each) => each["clientId"] === clientId)!["previousSecretValidUntil"];
  };
  assert.equal(await listed(), null);
  const { previousSecretValidUntil } = await rotate("--keep-old-hours=24");
  const hoursLeft = (previousSecretValidUntil!.getTime() - Date.now()) / 3_600_000;
  assert.equal(Math.round(hoursLeft), 24);
  assert.deepEqual(await listed(), previousSecretValidUntil);
  await run("app", "end-old-secret", `--client-id=${clientId}`);
  assert.equal(await listed(), null);
  await rotate("--keep-old-hours=24");
  await rotate();
  assert.equal(await listed(), null, "the next rotation ends it");
  for (const wrong of ["721", "1.5", "-1", "24h"]) await assert.rejects(rotate(`--keep-old-hours=${wrong}`), Refusal);
});

test("webhook: added, listed, disabled; a private address is refused", async () => {
  const { clientId } = await run<Record<string, string>>("app", "create", "--name=Hooks");
  const url = "https://example.org/hooks";
  const added = await run<Record<string, string>>("webhook", "add", `--client-id=${clientId}`, `--url=${url}`);
  assert.match(added["secret"]!, /^whsec_/);
  const { endpoints } = await run<{ endpoints: { id: string }[] }>("webhook", "list", `--client-id=${clientId}`);
  assert.deepEqual(
    endpoints.map(({ id }) => id),
    [added["id"]],
  );
  await run("webhook", "disable", `--endpoint-id=${added["id"]}`);
  await assert.rejects(run("webhook", "add", `--client-id=${clientId}`, "--url=http://127.0.0.1:1"), Refusal);
});

test("user: an unknown id finds no user", async () => {
  for (const id of ["nobody", "01890000-0000-7000-8000-000000000000"]) {
    await assert.rejects(run("user", "erase", `--user-id=${id}`), Refusal);
    await assert.rejects(run("user", "export", `--user-id=${id}`, "--to=/missing"), Refusal);
  }
});

test("catalogue: aliases and custom words are added, listed and removed", async () => {
  const { clientId } = await run<Record<string, string>>("app", "create", "--name=Names");
  const own = `--client-id=${clientId}`;
  await assert.rejects(run("catalogue", "alias", "add", own, "--name=X"), Refusal);
  const word = await run<Record<string, string>>("catalogue", "word", "add", own, "--word=qzz", "--means=pear");
  assert.deepEqual(await run("catalogue", "word", "list", own), { words: [word] });
  assert.deepEqual(await run("catalogue", "word", "remove", own, `--word-id=${word["id"]}`), {
    id: word["id"],
    removed: true,
  });
  assert.deepEqual(await run("catalogue", "alias", "list", own), { aliases: [] });
  assert.deepEqual(await run("catalogue", "search", "--name=nothing"), { products: [] });
  assert.deepEqual(await run("catalogue", "sources"), { sources: [] });
  await assert.rejects(run("catalogue", "remove", "--source=none"), Refusal);
});

test("ledger: an empty one is sound", async () => {
  assert.deepEqual(await run("ledger", "verify"), { ok: true, users: 0, records: 0, differences: [] });
});

test("a name with escape sequences and line breaks is shown, not obeyed", async () => {
  const name = "Shop\u001b[2J\u009b1A\nforged line\u202e";
  const created = await cli(["app", "create", "--name", name, "--json"]);
  assert.equal(created.code, 0, created.stderr);
  const { stdout } = await cli(["app", "list"]);
  assert.ok(stdout.includes("Shop\\u001b[2J\\u009b1A\\u000aforged line\\u202e"), stdout);
  const { stdout: json } = await cli(["app", "list", "--json"]);
  assert.doesNotMatch(json, /[\u0080-\u009f\u202e]/);
  const { applications } = JSON.parse(json) as { applications: { name: string }[] };
  assert.ok(applications.some((application) => application.name === name));
});
