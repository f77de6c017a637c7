import type { Database } from "../postgres/postgres.ts";
import type { ClientEnv, Config } from "../config.ts";
import type { Errors } from "../problems.ts";

/** What the exit codes mean, as the help and docs/cli.md say it. */
export const EXIT = { done: 0, refused: 1, usage: 2, unavailable: 3, internal: 4 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command cannot be carried out: a sentence for the operator. */
export class Refusal extends Error {}

/** The errors of options as one such sentence. */
export function refusalOf(errors: Errors): Refusal {
  const sentences = Object.entries(errors).map(([option, messages]) => `${option} ${messages.join(", ")}`);
  return new Refusal(sentences.join("; "));
}

/** The images that rows name are somewhere else than the settings say. */
export function noFiles(dir: string): Refusal {
  return new Refusal(`there are images, and no folder ${dir}: set DATA_DIR to what the service has`);
}

/** The command line is none of ours: a sentence for the operator. */
export class UsageError extends Error {}

/**
 * What a command takes: `--client-id ID`, a flag without a value, or the one argument that follows its name.
 * Declared under a name in camelCase, `clientId`, from which the command line's is made.
 */
export interface Option {
  readonly kind: "required" | "optional" | "flag" | "argument";
  /** What stands for the value in the help; "" for a flag. */
  readonly metavar: string;
  readonly about: string;
}

export type Options = Readonly<Record<string, Option>>;

/** The values that a command is handed for its options. */
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

/** What a command is handed. */
export interface Context<Values = Readonly<Record<string, string | boolean | undefined>>> {
  readonly database: Database;
  readonly config: Config;
  readonly now: Date;
  readonly options: Values;
  /** Prints one JSON line under --json, else the lines for people. */
  print(value: object, lines: readonly string[]): void;
  /** How far it is, and what else is no part of the answer: goes to the standard error. */
  tell(line: string): void;
  /** As which application it calls the service, for a command that does. */
  readonly client: ClientEnv;
  /** Aborts at Ctrl-C, for a command that goes on until then. */
  readonly stopped: AbortSignal;
}

/** What an operator can ask for. */
export interface Command {
  /** Its words, the first of which is its group: `catalogue alias add`. */
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** What else there is to know. */
  readonly details?: string;
  readonly options: Options;
  /** Whole command lines after `cli`. */
  readonly examples: readonly string[];
  /** It is handed a database whose schema may be of any age, or not there; where there is no database, one is made. */
  readonly migratesItself?: boolean;
  run(context: Context): Promise<void>;
}

/** Declares a command; `run` is handed its options with their types. */
export function command<Declared extends Options>(
  declared: Omit<Command, "options" | "run"> & {
    readonly options: Declared;
    run(context: Context<Given<Declared>>): Promise<void>;
  },
): Command {
  // What the command line is read into has passed the declaration: parse.ts.
  return declared;
}
