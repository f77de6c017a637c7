import { parseArgs } from "node:util";
import { UsageError } from "./command.ts";
import type { Command, Options } from "./command.ts";
import { closestWord } from "../did-you-mean.ts";

/** A command line as it was understood. `help` names as much of a command as was given. */
export type CommandLine =
  | { readonly kind: "help"; readonly words: readonly string[] }
  | {
      readonly kind: "run";
      readonly command: Command;
      readonly options: Readonly<Record<string, string | boolean | undefined>>;
      readonly isJson: boolean;
    };

/** The name of an option on the command line: `clientId` is `--client-id`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Reads a command line. Throws UsageError with all that is wrong, and what may have been meant. */
export function parseCommandLine(commands: readonly Command[], args: readonly string[]): CommandLine {
  const everyOption: Options = Object.assign({}, ...commands.map(({ options }) => options));
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries([
      ...Object.entries(everyOption).map(([name, { kind }]) => [
        flagOf(name).slice(2),
        { type: kind === "flag" ? "boolean" : "string" } as const,
      ]),
      ["json", { type: "boolean" }],
      ["help", { type: "boolean", short: "h" }],
    ]),
  });
  const words = tokens.filter((token) => token.kind === "positional").map(({ value }) => value);
  const given = tokens.filter((token) => token.kind === "option");
  const isGiven = (name: string) => given.some((token) => token.name === name);
  if (isGiven("help")) return { kind: "help", words };

  const command = commandOf(commands, words);
  const errors: string[] = [];
  const options: Record<string, string | boolean | undefined> = {};
  const byFlag = new Map(Object.entries(command.options).map(([name, option]) => [flagOf(name), { name, option }]));
  for (const { rawName, name: givenName, value } of given) {
    if (givenName === "json") continue;
    const known = byFlag.get(rawName);
    if (!known || known.option.kind === "argument") {
      const meant = closestWord(rawName, [...byFlag.keys(), "--json", "--help"]);
      errors.push(`"${command.name}" has no option ${rawName}${meant === null ? "" : `; did you mean ${meant}?`}`);
    } else if (known.option.kind === "flag") {
      if (value !== undefined) errors.push(`${rawName} takes no value`);
      options[known.name] = true;
    } else if (!value?.trim()) errors.push(`${rawName} wants a value: ${rawName} ${known.option.metavar}`);
    else options[known.name] = value.trim();
  }
  const rest = words.slice(command.name.split(" ").length);
  for (const [flag, { name, option }] of byFlag) {
    if (option.kind === "argument") options[name] = rest.shift();
    if (option.kind === "flag") options[name] ??= false;
    if (option.kind === "argument" && !options[name]) errors.push(`${option.metavar} is missing`);
    if (option.kind === "required" && options[name] === undefined && !isGiven(flag.slice(2))) {
      errors.push(`${flag} ${option.metavar} is missing`);
    }
  }
  if (rest.length > 0) errors.push(`"${command.name}" takes no further word: ${rest.join(" ")}`);
  if (errors.length > 0) throw new UsageError([...errors, `See: cli ${command.name} --help`].join("\n"));
  return { kind: "run", command, options, isJson: isGiven("json") };
}

/** The command whose words these begin with; of `alias` and `alias add` the longer. */
function commandOf(commands: readonly Command[], words: readonly string[]): Command {
  const line = `${words.join(" ")} `;
  const [found] = commands
    .filter(({ name }) => line.startsWith(`${name} `))
    .sort((a, b) => b.name.length - a.name.length);
  if (found) return found;
  if (words.length === 0) throw new UsageError("which command?\nSee: cli --help");
  const within = commands.filter(({ name }) => `${name} `.startsWith(line));
  if (within.length > 0) {
    const all = within.map(({ name }) => name).join(", ");
    throw new UsageError(`"${line.trim()}" is one of: ${all}\nSee: cli ${line.trim()} --help`);
  }
  const meant = closestWord(
    line.trim(),
    commands.map(({ name }) => name),
  );
  throw new UsageError(
    `there is no command "${line.trim()}"${meant === null ? "" : `; did you mean "${meant}"?`}\nSee: cli --help`,
  );
}
