import type { Database } from "../adapters/postgres.ts";
import type { Config } from "../config.ts";

/** The command cannot be carried out: a sentence for the operator. */
export class Refusal extends Error {}

/** What a command is handed. */
export interface Context {
  database: Database;
  config: Config;
  now: Date;
  option(name: Option): string | undefined;
  /** Refuses where the option was not given. */
  required(name: Option): string;
  isSandbox: boolean;
  /** Prints one JSON line under --json, else the lines for people. */
  print(value: object, lines: readonly string[]): void;
}

export type Command = (context: Context) => Promise<void>;

export type Option =
  | "name"
  | "logo-url"
  | "redirect-uri"
  | "webhook-url"
  | "client-id"
  | "url"
  | "endpoint-id"
  | "format"
  | "file"
  | "source"
  | "licence"
  | "attribution"
  | "merchant"
  | "food-id"
  | "gtin"
  | "alias-id"
  | "word"
  | "means"
  | "word-id"
  | "user-id"
  | "out";
