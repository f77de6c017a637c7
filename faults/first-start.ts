import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, killEverything, runCli, serviceOf, spawnService } from "../test/support/processes.ts";
import type { ProcessSettings } from "../test/support/processes.ts";

/** Longest time of a first start, which creates the cluster and the schema (quiet machine, 2 cores). */
const FIRST_START_MS = 4_000;

/**
 * Kills a first start `kills` times at random moments: during the creation of the cluster, a migration, or the first
 * jobs. Then lets it start.
 */
export async function strikeFirstStart(random: () => number, kills: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "rewards-first-start-"));
  let child: ChildProcess | undefined;
  try {
    const settings: ProcessSettings = { dataDir, port: await freePort(), env: { LOG_LEVEL: "warn" } };
    for (let i = 0; i < kills; i++) {
      child = spawnService(settings);
      await sleep(random() * FIRST_START_MS);
      await killEverything({ child }, dataDir);
    }
    child = spawnService(settings);
    const service = await serviceOf(child, settings);
    const app = await runCli<{ clientId: string; clientSecret: string }>(settings, "app", "create", "--name", "First");
    const response = await fetch(`${service.url}/users/enroll?api-version=1.0`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-client-id": app.clientId,
        "x-client-secret": app.clientSecret,
      },
      body: JSON.stringify({ email: "ada@example.org", firstName: "Ada", lastName: "Lovelace" }),
    });
    assert.ok(response.ok, await response.text());
    assert.equal(await service.stop(), 0);
  } finally {
    // What a start that failed has left may still write, and an error of the removal would hide that of the start.
    if (child) await killEverything({ child }, dataDir);
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
