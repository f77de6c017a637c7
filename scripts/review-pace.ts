// How long a reviewer takes for 20 held receipts: a browser is driven with the pauses of a person, on pictures of
// drawn receipts. Every fifth one is corrected, every seventh rejected. Exits with 1 above three minutes.
import { setTimeout as sleep } from "node:timers/promises";
import { runCommand } from "../test/support/commands.ts";
import { WITH_CONSOLE } from "../test/support/console.ts";
import { startDesks } from "../test/support/console-browser.ts";
import { drawnReceipt, groceriesOf } from "../test/support/drawn-receipts.ts";
import { GROCERIES, formFor, pageOf } from "../test/support/groceries.ts";
import { startService } from "../test/support/service.ts";
import { acceptedReceipt, statusUntil } from "../test/support/uploads.ts";

const RECEIPTS = 20;
const BAR_MS = 180_000;
/** To look at the picture, the reason and the lines; and to move the hand to a key. */
const LOOK_MS = 4_000;
const KEY_MS = 300;
/** Between two letters: 200 in a minute. */
const LETTER_MS = 300;

const rows: { now: readonly string[] } = { now: GROCERIES };
const service = await startService({
  env: WITH_CONSOLE,
  ocr: { read: async () => pageOf(rows.now), close: async () => {} },
});
const client = await service.newClient();
const userId = await client.enrol();
const desks = await startDesks(service);
await runCommand(service.database, ["app", "review", "--client-id", client.clientId, "--min-confidence", "1"]);
for (let count = 0; count < RECEIPTS; count += 1) {
  const { rows: printed, amount } = groceriesOf(count);
  rows.now = printed;
  const fields = formFor(userId, { amount });
  const id = await acceptedReceipt(service, client, { fields, image: await drawnReceipt(rows.now) });
  await statusUntil<{ held?: boolean }>(client, id, ({ held }) => held === true);
}

const desk = await desks.desk([{ role: "reviewer", applicationId: client.applicationId }]);
const { page } = desk;
const started = performance.now();
const waits: number[] = [];
await desk.open(`/console/${client.applicationId}/review`);
for (let count = 0; count < RECEIPTS; count += 1) {
  await page.locator("image").waitFor();
  await sleep(LOOK_MS);
  if (count % 5 === 4) {
    await page.keyboard.press("e");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Green lentils", { delay: LETTER_MS });
    await page.getByText(/Points as corrected/).waitFor();
    await sleep(KEY_MS);
    await page.keyboard.press("Tab");
  }
  await sleep(KEY_MS);
  const pressed = performance.now();
  const address = page.url();
  if (count % 7 === 6) {
    await page.keyboard.press("r");
    await sleep(KEY_MS);
    await page.keyboard.press("1");
  } else if (count % 5 === 4) {
    await page.keyboard.press("Enter");
  } else {
    await page.keyboard.press("a");
  }
  await page.waitForURL((url) => url.href !== address);
  waits.push(performance.now() - pressed);
}
const ms = performance.now() - started;
await desk.end();
await desks.stop();
await service.close();
const sorted = waits.toSorted((a, b) => a - b);
console.log(
  `${RECEIPTS} receipts decided in ${(ms / 1_000).toFixed(1)} s; to the next one: median ${Math.round(
    sorted[RECEIPTS / 2]!,
  )} ms, slowest ${Math.round(sorted.at(-1)!)} ms`,
);
process.exitCode = ms <= BAR_MS ? 0 : 1;
