import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../src/postgres/postgres.ts";
import { Refusal } from "../../src/cli/command.ts";
import { parseCsv } from "../../src/csv/csv.ts";
import { runCommand } from "./commands.ts";

/** What an import printed, the refusal it ended with, and its report. */
export interface Imported {
  readonly printed: Record<string, unknown>;
  readonly refusal: string | null;
  readonly report: readonly Record<string, string>[];
}

/** A folder for files to import. */
export function importFolder(): {
  path(name: string): string;
  write(name: string, content: string | Buffer): string;
  remove(): void;
} {
  const folder = mkdtempSync(join(tmpdir(), "rewards-import-"));
  const path = (name: string) => join(folder, name);
  return {
    path,
    write: (name, content) => {
      writeFileSync(path(name), content);
      return path(name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Runs a command that imports a table, which may refuse rows. */
export async function runImport(
  database: Database,
  name: string,
  options: readonly string[],
  stopped?: AbortSignal,
): Promise<Imported> {
  const all: Record<string, unknown>[] = [];
  let refusal: string | null = null;
  try {
    await runCommand(database, [...name.split(" "), ...options], {
      ...(stopped && { stopped }),
      onPrint: (value) => all.push(value as Record<string, unknown>),
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refusal = error.message;
  }
  const { seconds: _seconds, report: file, ...printed } = all[0] ?? {};
  const report = typeof file === "string" ? parseCsv(readFileSync(file, "utf8")) : [];
  return { printed, refusal, report };
}
