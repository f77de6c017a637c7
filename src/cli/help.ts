import type { Command, Option } from "./command.ts";
import { flagOf } from "./parse.ts";

const RUN = "npm run --silent cli --";

const GROUPS: Readonly<Record<string, string>> = {
  app: "applications and their credentials",
  credential: "client secrets of an application, beside its first one",
  webhook: "endpoints that the events of an application are sent to",
  listen: "show events as they happen, and forward them",
  trigger: "make an event happen in a sandbox",
  user: "the users that applications enrolled",
  balance: "opening balances of users from another programme",
  program: "the points rules of an application, in versions",
  catalogue: "products, aliases, custom words, unknown names and alternatives",
  reward: "what users can have for points, and codes for it",
  ledger: "the points of all users",
  report: "figures of applications by day, week or month",
  console: "people who may sign in to the console",
  audit: "what people, commands and client secrets changed",
  rescore: "past awards under another rule or the foods of now",
  cell: "services of an installation, each in a schema of its own",
  images: "where the images of receipts are stored",
  backup: "save and restore everything the service stores",
};

const COMMON = `Every command takes --json, which prints JSON in one line, and --help.
It uses the settings of the service (DATA_DIR, DATABASE_URL, …), which may be running.
Exit codes: 0 done; 1 refused, not found or not in order; 2 wrong usage; 3 settings not valid, or the database or the
service cannot be reached; 4 internal error. Errors are written to the standard error.`;

/** Returns the help for all commands, a group or one command, by the words given. */
export function helpFor(commands: readonly Command[], words: readonly string[]): string {
  const prefix = words.join(" ");
  const [one] = commands.filter(({ name }) => `${prefix} `.startsWith(`${name} `));
  if (one) return commandHelp(one);
  const group = commands.filter(({ name }) => `${name} `.startsWith(`${prefix} `));
  return words.length > 0 && group.length > 0 ? groupHelp(prefix, group) : overview(commands);
}

function overview(commands: readonly Command[]): string {
  const groups = Map.groupBy(commands, ({ name }) => name.split(" ")[0]!);
  const sections = [...groups].map(([group, members]) =>
    [`${group}: ${GROUPS[group] ?? ""}`, ...table(members.map(({ name, summary }) => [name, summary]))].join("\n"),
  );
  return [
    `Usage: ${RUN} COMMAND [OPTIONS]`,
    ...sections,
    "More on each: cli GROUP --help, cli COMMAND --help.",
    COMMON,
  ].join("\n\n");
}

function groupHelp(group: string, members: readonly Command[]): string {
  return [
    `Usage: ${RUN} ${group} … [OPTIONS]`,
    ...members.map((command) => [synopsis(command), `      ${command.summary}`].join("\n")),
    ["Examples:", ...members.flatMap(({ examples }) => examples).map(exampleLine)].join("\n"),
    COMMON,
  ].join("\n\n");
}

function commandHelp(command: Command): string {
  const { summary, details, options, examples } = command;
  const rows = Object.entries(options).map(([name, option]) => [
    option.kind === "argument" ? option.metavar : `${flagOf(name)} ${option.metavar}`.trim(),
    `${option.about}${option.kind === "required" ? " (required)" : ""}`,
  ]);
  return [
    `Usage: ${RUN} ${synopsis(command).trim()}`,
    `${summary[0]!.toUpperCase()}${summary.slice(1)}.`,
    ...(details ? [details] : []),
    ...(rows.length > 0 ? [["Options:", ...table(rows)].join("\n")] : []),
    ["Examples:", ...examples.map(exampleLine)].join("\n"),
    COMMON,
  ].join("\n\n");
}

/** `  app create --name NAME [--sandbox]` */
function synopsis({ name, options }: Command): string {
  return `  ${[name, ...Object.entries(options).map(([option, declared]) => usageOf(option, declared))].join(" ")}`;
}

function usageOf(name: string, { kind, metavar }: Option): string {
  if (kind === "argument") return metavar;
  const usage = `${flagOf(name)} ${metavar}`.trim();
  return kind === "required" ? usage : `[${usage}]`;
}

function exampleLine(example: string): string {
  return `  ${RUN} ${example}`;
}

/** Formats rows of two columns; the second is aligned where the first is short enough. */
function table(rows: readonly (readonly string[])[]): string[] {
  const width = Math.min(26, Math.max(...rows.map(([left]) => left!.length)));
  return rows.map(([left, right]) => `  ${left!.padEnd(width)}  ${right}`);
}
