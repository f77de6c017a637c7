import { rmSync } from "node:fs";
import { SERVER_VARIABLE, startTestServer } from "./database.ts";
import type { TestServer } from "./database.ts";
import { KEPT_VARIABLE, makeKeptFolder } from "./kept-files.ts";

let server: TestServer | undefined;

/** Runs once before all test files: they inherit its environment variables. */
export async function globalSetup(): Promise<void> {
  server = await startTestServer();
  process.env[KEPT_VARIABLE] = makeKeptFolder();
  const { stop: _stop, ...given } = server;
  process.env[SERVER_VARIABLE] = JSON.stringify(given);
}

/** Runs once after the last test file. */
export async function globalTeardown(): Promise<void> {
  try {
    rmSync(process.env[KEPT_VARIABLE]!, { recursive: true, force: true });
  } finally {
    await server?.stop();
  }
}
