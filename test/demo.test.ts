import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, suite, test } from "node:test";
import { PEOPLE, RECEIPTS, REWARDS, foodOf, mealOf, programOf, randomOf } from "../demo/people.ts";
import { DAY_MS } from "../src/time.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { multipart } from "./support/multipart.ts";

const CLOCK = join(import.meta.dirname, "../demo/clock.ts");

test("the clock of the demo differs by what its file says, also after it changed, and dates stay dates", async () => {
  const dir = mkdtempSync(join(tmpdir(), "rewards-clock-"));
  const file = join(dir, "clock");
  writeFileSync(file, String(-30 * DAY_MS));
  const program = `const say = () => console.log(JSON.stringify([Date.now(), new Date().getTime(),
    new Date(5).getTime(), Date.UTC(2026, 0), new Date() instanceof Date]));
    say(); process.stdin.once("data", () => { say(); process.exit(); });`;
  const child = spawn(process.execPath, ["--import", CLOCK, "--input-type=module", "-e", program], {
    env: { ...process.env, DEMO_CLOCK: file },
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    for (const days of [-30, -3]) {
      const { value: line } = (await lines.next()) as { value: string };
      const [now, at, fixed, utc, isDate] = JSON.parse(line) as [number, number, number, number, boolean];
      for (const ms of [now, at]) assert.ok(Math.abs(ms - Date.now() - days * DAY_MS) < 60_000, `${days} days`);
      assert.deepEqual([fixed, utc, isDate], [5, Date.UTC(2026, 0), true]);
      writeFileSync(file, String(-3 * DAY_MS));
      await new Promise((resolve) => setTimeout(resolve, 500));
      child.stdin.write("next\n");
    }
  } finally {
    child.kill();
    rmSync(dir, { recursive: true, force: true });
  }
});

suite("the sample application of the demo", () => {
  let service: TestService;
  let client: Client;
  before(async () => {
    service = await startService({ isWorking: false });
    client = await service.newClient({ isSandbox: true });
  });
  after(() => service.close());

  test("its programme, rewards, people, meals, foods and receipts are such that the API takes them", async () => {
    const [random, now] = [randomOf(7), new Date()];
    const userIds: string[] = [];
    for (const person of PEOPLE) {
      const { statusCode, body } = await client.call("POST", "/users/enroll", person);
      assert.equal(statusCode, 200, body);
      userIds.push((JSON.parse(body) as { user: { userID: string } }).user.userID);
    }
    const definition = programOf("2026-01-01", "2026-02-28");
    const saved = await client.call("POST", "/programs", { definition });
    assert.equal(saved.statusCode, 200, saved.body);
    for (const reward of REWARDS) assert.equal((await client.call("POST", "/rewards", reward)).statusCode, 200);
    for (const [i, userId] of userIds.entries()) {
      const at = new Date(now.getTime() - i * 60_000);
      const meal = await client.call("POST", "/track/meals", mealOf(random, userId, i, at));
      const food = await client.call("POST", "/track/food", foodOf(random, userId, i, at));
      assert.deepEqual([meal.statusCode, food.statusCode], [202, 202], meal.body + food.body);
    }
    for (const sample of new Set(RECEIPTS.map((receipt) => receipt.sample))) {
      const fields = { userId: userIds[0]!, transactionId: sample, merchantName: "Larkmeadow Market", amount: "22.68" };
      const form = await multipart({ fields: { ...fields, transactionTimestamp: now.toISOString() } });
      const url = `/track/receipts?api-version=1.0&testBlobUri=sample:${sample}`;
      const headers = { ...client.headers, ...form.headers };
      const response = await service.app.server.inject({ method: "POST", url, ...form, headers });
      assert.equal(response.statusCode, 200, `${sample}: ${response.body}`);
    }
  });
});
