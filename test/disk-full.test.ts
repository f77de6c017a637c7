import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { StorageFull, createFiles } from "../src/files.ts";
import type { Files } from "../src/files.ts";
import { formFor } from "./support/groceries.ts";
import { nameOf, startService } from "./support/service.ts";
import { uploadReceipt } from "./support/uploads.ts";

test("while the disk of images is full uploads get 507, and meals and foods are accepted, scored and their events sent", async () => {
  const dir = mkdtempSync(join(tmpdir(), "rewards-disk-full-"));
  const disk = createFiles({ dir });
  let fullAt: "receive" | "put" | null = null;
  const files: Files = {
    ...disk,
    receive: async (stream, limits) => {
      if (fullAt !== "receive") return disk.receive(stream, limits);
      stream.resume();
      throw new StorageFull("full");
    },
    put: async (key, path) => {
      if (fullAt === "put") throw new StorageFull("full");
      await disk.put(key, path);
    },
  };
  const service = await startService({ files });
  try {
    const client = await service.newClient();
    const userId = await client.enrol();
    const upload = () => uploadReceipt(service, client, { fields: formFor(userId) });
    for (fullAt of ["receive", "put"] as const) {
      const response = await upload();
      assert.deepEqual([response.statusCode, response.json<{ code: string }>().code], [507, "StorageFull"]);
    }
    const kept = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    assert.deepEqual(kept, []);
    const count = { name: "test.receipts", text: "SELECT count(*)::int AS n FROM receipts" };
    assert.deepEqual(await service.database.query(count, []), [{ n: 0 }]);

    const imageUrl = "https://example.org/a.jpg";
    const nutrition = { energyKcal: 89, proteinG: 1, carbsG: 23, fatG: 0, sugarG: 12, fiberG: 3, saltG: 0 };
    const food = { foodId: "f", name: "Banana", merchant: { name: "Shop", country: "IE" }, weight: 150, unit: "g" };
    const meal = { mealName: "Lentils", mealType: "lunch", loggedAt: new Date().toISOString() };
    for (const [path, body] of [
      ["/track/food", { ...food, userId, transactionId: "f", imageUrl, nutrition }],
      ["/track/meals", { ...meal, userId, transactionId: "m", imageUrl }],
    ] as const) {
      const response = await client.call("POST", path, body);
      assert.equal(response.statusCode, 202, response.body);
    }
    await client.until((events) => events.filter((event) => nameOf(event) === "intake.completed").length === 2);

    fullAt = null;
    assert.equal((await upload()).statusCode, 200);
  } finally {
    await service.close();
    rmSync(dir, { recursive: true, force: true });
  }
});
