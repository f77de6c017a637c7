import { existsSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The variable that setup.ts sets for the processes of the test files. */
export const KEPT_VARIABLE = "TEST_KEPT_FILES";

/** Folders of a service's data whose files depend on the release alone (src/kept-file.ts). */
const FOLDERS = ["food-index", "ocr-models"];

/** Makes a folder for the kept files of all tests. Returns its path. */
export function makeKeptFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "rewards-kept-"));
  for (const each of FOLDERS) mkdirSync(join(folder, each));
  return folder;
}

/** The folder of the models, for readers without a service. */
export function keptModels(): { modelsFolder?: string } {
  const shared = process.env[KEPT_VARIABLE];
  return shared === undefined ? {} : { modelsFolder: join(shared, "ocr-models") };
}

/**
 * Lets a new service take its kept files from those of all tests: making them costs each process 0.8 s of CPU, and half
 * as much again if it reads receipts. What is there already stays.
 */
export function shareKeptFiles(dataDir: string): void {
  const shared = process.env[KEPT_VARIABLE];
  if (shared === undefined) return;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  for (const folder of FOLDERS) {
    const path = join(dataDir, folder);
    if (!existsSync(path)) symlinkSync(join(shared, folder), path);
  }
}

/** Makes a folder for the data of a new service. */
export function newDataDir(prefix: string): string {
  const dataDir = mkdtempSync(join(tmpdir(), prefix));
  shareKeptFiles(dataDir);
  return dataDir;
}
