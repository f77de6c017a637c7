import { resolve } from "node:path";
import { ProblemError, RewardsError } from "rewards-service-sdk";
import { EmbeddedError } from "./postgres/embedded/embedded.ts";
import { MigrationError } from "./postgres/migrations.ts";
import { EXIT, Refusal, UsageError } from "./cli/command.ts";
import type { ExitCode } from "./cli/command.ts";
import { runAudited } from "./cli/audited.ts";
import { COMMANDS } from "./cli/command-list.ts";
import { helpFor } from "./cli/help.ts";
import { parseCommandLine } from "./cli/parse.ts";
import { terminalJson, terminalLine } from "./cli/terminal-text.ts";
import type { CommandLine } from "./cli/parse.ts";
import { ConfigError, readClientEnv, readEnv, readTargetEnv, toConfig } from "./config.ts";
import { connect, migrateAll } from "./database.ts";
import { NO_LOG } from "./log.ts";
import { SchemaError } from "./postgres/connection.ts";
import type { Database } from "./postgres/postgres.ts";
import { isUnavailable } from "./http/unavailable.ts";
import { StorageMisconfigured, StorageUnavailable } from "./storage-failures.ts";

async function main(): Promise<void> {
  process.umask(0o077); // images, back-ups and exports are for the user of the service only
  const line = parseCommandLine(COMMANDS, process.argv.slice(2));
  if (line.kind === "help") console.log(helpFor(COMMANDS, line.words));
  else await run(line);
}

async function run({ command, options, isJson }: Extract<CommandLine, { kind: "run" }>): Promise<void> {
  const stopped = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stopped.abort());
  // The reader of the output is gone, as with "| head": nobody is left to write to.
  process.stdout.on("error", () => stopped.abort());
  const config = toConfig(readEnv());
  const execute = (database: Database) =>
    runAudited(command, {
      database,
      config,
      now: new Date(),
      options,
      print: (value, lines) => {
        if (isJson) console.log(terminalJson(JSON.stringify(value)));
        else if (lines.length > 0) console.log(lines.map(terminalLine).join("\n"));
        // No output could also mean that nothing was searched.
        else console.error("(there is none)");
      },
      report: (text) => console.error(terminalLine(text)),
      client: readClientEnv(),
      target: readTargetEnv(),
      stopped: stopped.signal,
    });
  if (command.isRemote?.(options)) return execute(NO_DATABASE);
  const as = command.migratesItself ? "command that may create" : "command";
  const { database, close } = await connect(config, as, QUIET);
  // Shows which DATA_DIR is read, since a wrong one looks the same from here. A DATABASE_URL may contain a password.
  if (!isJson && config.database.kind === "embedded") console.error(`(DATA_DIR ${resolve(config.dataDir)})`);
  try {
    if (!command.migratesItself) await migrateAll(database, QUIET);
    await execute(database);
  } finally {
    await close();
  }
}

/** For commands that need none. */
const NO_DATABASE = new Proxy({} as Database, {
  get: () => {
    throw new TypeError("this command has no database");
  },
});

/** Logs warnings and errors only: the output of a command is its result. */
const QUIET = {
  ...NO_LOG,
  warn: (_fields: object, message: string) => console.error(message),
  error: (_fields: object, message: string) => console.error(message),
};

/** Returns the exit code and the message of an error; never a stack. */
function failureOf(error: unknown): { code: ExitCode; message: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Refusal) return { code: EXIT.refused, message };
  if (error instanceof UsageError) return { code: EXIT.usage, message };
  if (
    error instanceof ConfigError ||
    error instanceof EmbeddedError ||
    error instanceof MigrationError ||
    error instanceof SchemaError ||
    error instanceof StorageMisconfigured ||
    error instanceof StorageUnavailable
  ) {
    return { code: EXIT.unavailable, message };
  }
  if (error instanceof ProblemError) return { code: EXIT.refused, message: `the service refuses: ${message}` };
  if (error instanceof RewardsError) {
    return { code: EXIT.unavailable, message: `the service does not respond (REWARDS_URL): ${message}` };
  }
  if (error instanceof Error && error.name === "AbortError") return { code: EXIT.refused, message: "stopped" };
  // The database refuses changes of what is away (migrations/0097).
  if ((error as { code?: unknown }).code === "57P0M") return { code: EXIT.refused, message };
  if (isUnavailable(error)) return { code: EXIT.unavailable, message: "PostgreSQL cannot be reached at DATABASE_URL" };
  return { code: EXIT.internal, message: `internal error: ${message}` };
}

try {
  await main();
} catch (error) {
  const { code, message } = failureOf(error);
  // A message may have several lines, and name what was found.
  console.error(message.split("\n").map(terminalLine).join("\n"));
  process.exitCode = code;
}
