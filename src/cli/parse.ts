import { parseArgs } from "node:util";
import { UsageError } from "./command.ts";
import type { Command, Options } from "./command.ts";
import { closestWord } from "../did-you-mean.ts";

/** A parsed command line. `help` has the words of the command, as far as they were given. */
export type CommandLine =
  | { readonly kind: "help"; readonly words: readonly string[] }
  | {
      readonly kind: "run";
      readonly command: Command;
      readonly options: Readonly<Record<string, string | boolean | undefined>>;
      readonly isJson: boolean;
    };

/** Returns the name of an option on the command line: `clientId` is `--client-id`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Parses a command line. Throws a UsageError with all errors, and a suggestion for misspelt words. */
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
    const declared = byFlag.get(rawName);
    if (!declared || declared.option.kind === "argument") {
      const suggestion = closestWord(rawName, [...byFlag.keys(), "--json", "--help"]);
      errors.push(
        `"${command.name}" has no option ${rawName}${suggestion === null ? "" : `; did you mean ${suggestion}?`}`,
      );
    } else if (declared.option.kind === "flag") {
      if (value !== undefined) errors.push(`${rawName} takes no value`);
      options[declared.name] = true;
    } else if (!value?.trim()) errors.push(`${rawName} needs a value: ${rawName} ${declared.option.metavar}`);
    else options[declared.name] = value.trim();
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
  if (rest.length > 0) errors.push(`"${command.name}" takes no more words: ${rest.join(" ")}`);
  if (errors.length > 0) throw new UsageError([...errors, `See: cli ${command.name} --help`].join("\n"));
  return { kind: "run", command, options, isJson: isGiven("json") };
}

/** Returns the command that the words start with; of `alias` and `alias add` the longer one. */
function commandOf(commands: readonly Command[], words: readonly string[]): Command {
  const line = `${words.join(" ")} `;
  const [found] = commands
    .filter(({ name }) => line.startsWith(`${name} `))
    .sort((a, b) => b.name.length - a.name.length);
  if (found) return found;
  if (words.length === 0) throw new UsageError("no command given\nSee: cli --help");
  const within = commands.filter(({ name }) => `${name} `.startsWith(line));
  if (within.length > 0) {
    const all = within.map(({ name }) => name).join(", ");
    throw new UsageError(`"${line.trim()}" is one of: ${all}\nSee: cli ${line.trim()} --help`);
  }
  const suggestion = closestWord(
    line.trim(),
    commands.map(({ name }) => name),
  );
  throw new UsageError(
    `there is no command "${line.trim()}"${suggestion === null ? "" : `; did you mean "${suggestion}"?`}\nSee: cli --help`,
  );
}
