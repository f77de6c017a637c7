import type { Database } from "../../src/postgres/postgres.ts";
import { COMMANDS } from "../../src/cli/command-list.ts";
import { parseCommandLine } from "../../src/cli/parse.ts";
import { readClientEnv, readEnv, readTargetEnv, toConfig } from "../../src/config.ts";

/** Runs a command line of the operator on a database, in this process. Returns what it prints with --json. */
export async function runCommand<Printed extends object>(
  database: Database,
  args: readonly string[],
  settings: { env?: Record<string, string>; stopped?: AbortSignal; onPrint?: (value: object) => void } = {},
): Promise<Printed[]> {
  const { env = {}, stopped = new AbortController().signal, onPrint } = settings;
  const line = parseCommandLine(COMMANDS, args);
  if (line.kind === "help") throw new TypeError("help runs nothing");
  const printed: object[] = [];
  await line.command.run({
    database,
    config: toConfig(readEnv(env)),
    // Later than everything that a service in this process did, whose clock may differ by a moment.
    now: new Date(Date.now() + 1_000),
    options: line.options,
    print: (value) => {
      printed.push(value);
      onPrint?.(value);
    },
    report: () => {},
    client: readClientEnv(env),
    target: readTargetEnv(env),
    stopped,
  });
  return printed as Printed[];
}
