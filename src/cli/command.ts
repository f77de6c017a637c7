import type { Database } from "../postgres/postgres.ts";
import type { ClientEnv, Config, TargetEnv } from "../config.ts";
import type { Errors } from "../problems.ts";

/** The exit codes, as the help and docs/cli.md describe them. */
export const EXIT = { done: 0, refused: 1, usage: 2, unavailable: 3, internal: 4 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command cannot be done. The message is a sentence for the operator. */
export class Refusal extends Error {}

/** Returns the errors of options as one refusal. */
export function refusalOf(errors: Errors): Refusal {
  const sentences = Object.entries(errors).map(([option, messages]) => `${option} ${messages.join(", ")}`);
  return new Refusal(sentences.join("; "));
}

/** Returns the refusal where rows have images but their folder is missing. */
export function noFiles(dir: string): Refusal {
  return new Refusal(`there are images, but no folder ${dir}: set DATA_DIR to the value that the service uses`);
}

/** The command line is wrong. The message is a sentence for the operator. */
export class UsageError extends Error {}

/**
 * An option of a command: `--client-id ID`, a flag without a value, or the one argument after the command's name.
 * Declared with a name in camelCase, `clientId`; the command line's name is made of it.
 */
export interface Option {
  readonly kind: "required" | "optional" | "flag" | "argument";
  /** The placeholder of the value in the help; "" for a flag. */
  readonly metavar: string;
  readonly about: string;
}

export type Options = Readonly<Record<string, Option>>;

/** The values of a command's options. */
export type Given<Declared extends Options> = {
  readonly [Name in keyof Declared]: Declared[Name]["kind"] extends "required" | "argument"
    ? string
    : Declared[Name]["kind"] extends "flag"
      ? boolean
      : string | undefined;
};

/** An option that must be given. */
export function required(metavar: string, about: string) {
  return { kind: "required", metavar, about } as const;
}

/** An option that may be left out. */
export function optional(metavar: string, about: string) {
  return { kind: "optional", metavar, about } as const;
}

/** An option without a value. */
export function flag(about: string) {
  return { kind: "flag", metavar: "", about } as const;
}

/** The word after the command's name. */
export function argument(metavar: string, about: string) {
  return { kind: "argument", metavar, about } as const;
}

/** The arguments of a command's `run`. */
export interface Context<Values = Readonly<Record<string, string | boolean | undefined>>> {
  readonly database: Database;
  readonly config: Config;
  readonly now: Date;
  readonly options: Values;
  /** Prints one JSON line under --json, else the lines for people. */
  print(value: object, lines: readonly string[]): void;
  /** Prints progress, and whatever is not part of the result, to the standard error. */
  report(line: string): void;
  /** The credentials for commands that call the service as an application. */
  readonly client: ClientEnv;
  /** Where another cell is, for commands that have to do with two. */
  readonly target: TargetEnv;
  /** Aborts at Ctrl-C, for commands that run until then. */
  readonly stopped: AbortSignal;
}

/** A command for operators. */
export interface Command {
  /** Its words; the first one is its group: `catalogue alias add`. */
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** A longer text for the help. */
  readonly details?: string;
  readonly options: Options;
  /** Whole command lines after `cli`. */
  readonly examples: readonly string[];
  /** The command migrates the database itself: its schema may be old or missing. A missing database is created. */
  readonly migratesItself?: boolean;
  /** With these options the command only calls the service, so no database is opened and none is needed. */
  readonly isRemote?: (options: Context["options"]) => boolean;
  run(context: Context): Promise<void>;
}

/** Declares a command; the options of `run` have their types. */
export function command<Declared extends Options>(
  declared: Omit<Command, "options" | "run"> & {
    readonly options: Declared;
    run(context: Context<Given<Declared>>): Promise<void>;
  },
): Command {
  // parse.ts has checked the values against the declaration.
  return declared;
}
