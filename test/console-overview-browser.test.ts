import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, suite, test } from "node:test";
import { DAY_MS } from "../src/time.ts";
import { browserMissing } from "./support/browser.ts";
import { WITH_CONSOLE } from "./support/console.ts";
import { startDesks } from "./support/console-browser.ts";
import { GROCERIES, formFor, pageOf } from "./support/groceries.ts";
import { evaluate } from "./support/pages-visit.ts";

import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { acceptedReceipt, statusUntil } from "./support/uploads.ts";

suite("the overview in a browser", { skip: browserMissing ?? false }, () => {
  let service: TestService;
  let desks: Awaited<ReturnType<typeof startDesks>>;
  let client: Client;
  let endpointId: string;
  before(async () => {
    service = await startService({
      env: WITH_CONSOLE,
      ocr: { read: async () => pageOf(GROCERIES), close: async () => {} },
    });
    client = await service.newClient({ isSandbox: true });
    const today = service.clock.ms;
    const userIds = await Promise.all(Array.from({ length: 6 }, () => client.enrol()));
    for (let days = 55; days >= 0; days -= 2) {
      service.clock.ms = today - days * DAY_MS;
      const userId = userIds[days % 6]!;
      const points = 40 + ((days * 37) % 90);
      const gift = { points, reason: "Gift", reference: randomUUID(), countsAsEarned: true };
      assert.equal((await client.call("POST", `/users/${userId}/adjustments`, gift)).statusCode, 200);
      const tea = { points: 20 + (days % 9), reward: { name: "Tea" }, reference: randomUUID() };
      assert.equal((await client.call("POST", `/users/${userId}/redemptions`, tea)).statusCode, 200);
    }
    for (const days of [3, 1]) {
      service.clock.ms = today - days * DAY_MS;
      const fields = formFor(userIds[days]!, { merchantName: "Larkmeadow Market" });
      const id = await acceptedReceipt(service, client, { fields });
      await statusUntil<{ status: string }>(client, id, ({ status }) => status === "Completed" || status === "Failed");
    }
    service.clock.ms = today;
    const { endpoints } = await client.get<{ endpoints: { id: string }[] }>("/webhooks/endpoints");
    endpointId = endpoints[0]!.id;
    // What happened to webhooks in the past: an endpoint that was down for some days.
    for (let days = 59; days > 0; days -= 1) {
      const isDown = days > 9 && days < 13;
      const ends = isDown
        ? { "first.500": 40, "later.600000": 120, failed: 30 }
        : { "first.200": 150 + (days % 7) * 9 };
      const named = Object.entries(ends).map(([end, count]) => [`webhook.${endpointId}.${end}`, count]);
      await service.database.pool.query("INSERT INTO report_deltas VALUES ($1, $2, $3)", [
        client.applicationId,
        new Date(today - days * DAY_MS).toISOString().slice(0, 10),
        JSON.stringify(Object.fromEntries(named)),
      ]);
    }
    desks = await startDesks(service);
  });
  after(async () => {
    await desks.stop();
    await service.close();
  });

  test("the overview by keyboard alone: another timeframe, own days, the numbers behind a chart", async () => {
    const desk = await desks.desk([{ role: "viewer", applicationId: client.applicationId }]);
    await desk.open(`/console/${client.applicationId}/overview`);
    await desk.look("overview");
    await desk.tabTo("link", "90 days");
    await desk.press("Enter");
    await desk.page.locator('[aria-current="true"]', { hasText: "90 days" }).waitFor();
    const summary = desk.page.locator("summary", { hasText: "Show the numbers: Points issued" });
    await summary.focus();
    await desk.press("Enter");
    assert.equal(await desk.page.locator("[aria-labelledby=points] table").isVisible(), true);
    await desk.look("overview-numbers");
    await desk.open(`/console/${client.applicationId}/overview?from=2026-13-01&by=day`);
    await desk.page.getByRole("alert").waitFor();
    await desk.look("overview-wrong-day");
    await desk.end();
  });

  test("the deliveries of webhooks by keyboard alone: chart, numbers and CSV, of all and of one endpoint", async () => {
    const desk = await desks.desk([{ role: "viewer", applicationId: client.applicationId }]);
    const readNumbers = async (name: string) => {
      const chart = desk.page.locator("[aria-labelledby=deliveries]");
      await chart.locator("svg.wide").waitFor();
      const summary = desk.page.locator("summary", { hasText: `Show the numbers: ${name}` });
      await summary.focus();
      await desk.press("Enter");
      assert.equal(await chart.locator("table").isVisible(), true);
      assert.equal(await chart.locator("tbody tr").count(), 30);
      await desk.tabTo("link", new RegExp(`Download as CSV.*${name}`));
      const [download] = await Promise.all([desk.page.waitForEvent("download"), desk.press("Enter")]);
      assert.match(download.suggestedFilename(), /^deliveries-[\d-]{21}\.csv$/);
    };
    await desk.open(`/console/${client.applicationId}/overview`);
    await readNumbers("Webhook deliveries");
    await desk.look("overview-deliveries");
    await desk.open(`/console/${client.applicationId}/developers`);
    await desk.tabTo("link", /\/hook/);
    await desk.press("Enter");
    await desk.page.getByRole("heading", { name: "Its last 30 days" }).waitFor();
    assert.match(await desk.page.locator("main").innerText(), /It works\./);
    await readNumbers("Its last 30 days");
    await desk.look("endpoint");
    await desk.end();
  });

  test("a chart of a phone is that of a phone, and has its colours in forced colours too", async () => {
    const desk = await desks.desk([{ role: "viewer", applicationId: client.applicationId }]);
    await desk.page.emulateMedia({ forcedColors: "active" });
    await desk.open(`/console/${client.applicationId}/overview`);
    const shown = (width: string) => desk.page.locator(`#points + * ~ svg.${width}, svg.${width}`).first().isVisible();
    assert.deepEqual([await shown("wide"), await shown("narrow")], [true, false]);
    await desk.page.setViewportSize({ width: 360, height: 740 });
    assert.deepEqual([await shown("wide"), await shown("narrow")], [false, true]);
    const size = `Math.min(...[...document.querySelectorAll("svg.narrow text")]
      .map((text) => text.getBoundingClientRect().height))`;
    assert.ok((await evaluate<number>(desk, size)) >= 10, "text of charts is legible");
    await desk.end();
  });

  test("the first page leads to the overview of an application, by keyboard alone", async () => {
    const desk = await desks.desk([{ role: "operator" }]);
    await desk.open("/console");
    await desk.look("home-figures");
    await desk.tabTo("link", "Test application");
    await desk.press("Enter");
    await desk.page.getByRole("heading", { name: "Overview" }).waitFor();
    await desk.end();
  });

  test("an application without figures says what to do", async () => {
    const empty = await service.newClient();
    const desk = await desks.desk([{ role: "viewer", applicationId: empty.applicationId }]);
    await desk.open(`/console/${empty.applicationId}/overview`);
    await desk.look("overview-empty");
    await desk.end();
  });
});
