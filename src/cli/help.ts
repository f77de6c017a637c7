import type { Command, Option } from "./command.ts";
import { flagOf } from "./parse.ts";

const RUN = "npm run --silent cli --";

const GROUPS: Readonly<Record<string, string>> = {
  app: "applications: who may call, with which credentials",
  webhook: "where the events of an application are sent",
  listen: "see events as they happen, and forward them",
  trigger: "make an event happen in a sandbox",
  user: "the people that applications enrolled",
  catalogue: "products, and what names mean",
  ledger: "the points of all users",
  backup: "everything the service keeps, taken away and brought back",
};

const COMMON = `Every command takes --json, which prints JSON in one line, and --help.
The settings (DATA_DIR, DATABASE_URL, …) are those of the service, which may be running.
Exit codes: 0 done; 1 refused, not found or not in order; 2 wrong usage; 3 settings not valid, or the database or the
service cannot be reached; 4 a fault of the program. What went wrong is said on the standard error.`;

/** The help for as much of a command as was named: all of them, a group, or one. */
export function helpFor(commands: readonly Command[], words: readonly string[]): string {
  const asked = words.join(" ");
  const [one] = commands.filter(({ name }) => `${asked} `.startsWith(`${name} `));
  if (one) return commandHelp(one);
  const group = commands.filter(({ name }) => `${name} `.startsWith(`${asked} `));
  return words.length > 0 && group.length > 0 ? groupHelp(asked, group) : overview(commands);
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

/** Rows of two columns, the second aligned where the first leaves room for it. */
function table(rows: readonly (readonly string[])[]): string[] {
  const width = Math.min(26, Math.max(...rows.map(([left]) => left!.length)));
  return rows.map(([left, right]) => `  ${left!.padEnd(width)}  ${right}`);
}
