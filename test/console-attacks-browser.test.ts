import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, suite, test } from "node:test";
import type { Page } from "playwright-core";
import { addAuditEntry, addAuditOutcome } from "../src/console/audit.store.ts";
import { browserMissing } from "./support/browser.ts";
import { WITH_CONSOLE } from "./support/console.ts";
import { freeAddress, startDesks } from "./support/console-browser.ts";
import { collectRoutes, pathOf } from "./support/console-routes.ts";
import type { ConsoleRoute } from "./support/console-routes.ts";
import { furnish, readerOf } from "./support/console-things.ts";
import type { Things } from "./support/console-things.ts";
import { startService } from "./support/service.ts";
import type { TestService } from "./support/service.ts";
import { startWebhookReceiver } from "./support/webhook-receiver.ts";

/** The end of an attribute, elements that run or load something, an entity, and characters that turn a line around. */
const HOSTILE = `"><img src=x onerror=alert(1)><script>'&lt;\u{202E}\u{2067}\u{1D54F}\u{1F600}`;
const EMAIL = `o'x&lt;\u{202E}\u{1F600}x@example.org`;

/** Pages that show what was stored. */
const SHOWS = [
  "/console",
  "/console/team",
  "/console/audit",
  "receipts",
  "receipts/:id",
  "review/:id",
  "names",
  "names/:id",
  "people/:id",
  "people/:id/records/:record",
  "people/:id/erase",
  "programme",
  "programme/:version",
  "programme/previews/:id",
  "rewards",
  "rewards/:id",
  "rewards/:id/edit",
  "rewards/:id/remove",
  "developers",
  "developers/endpoints/:endpoint",
  "developers/deliveries/:delivery",
  "developers/events",
].map((path) => (path.startsWith("/") ? path : `/console/:application/${path}`));

suite("stored text that would be HTML, in a real browser", { skip: browserMissing }, () => {
  let service: TestService;
  let things: Things;
  let routes: ConsoleRoute[];
  let publicUrl: string;
  let stops: (() => Promise<void>)[] = [];

  before(async () => {
    const collected = collectRoutes();
    publicUrl = await freeAddress();
    service = await startService({ env: WITH_CONSOLE, ocr: readerOf(HOSTILE), publicUrl });
    collected.stop();
    routes = collected.of(service.app.server);
    const receiver = await startWebhookReceiver((_, response) => response.end(HOSTILE));
    things = await furnish(service, { text: HOSTILE, email: EMAIL, webhookUrl: receiver.url });
    stops = [() => receiver.close()];
    const id = randomUUID();
    await addAuditEntry(service.database, {
      id,
      at: service.now(),
      consoleUserId: null,
      applicationId: things.client.applicationId,
      action: HOSTILE,
      subject: HOSTILE,
    });
    await addAuditOutcome(service.database, id, 200);
  });
  after(async () => {
    for (const stop of stops) await stop();
    await service.close();
  });

  test("no page makes an element of it, runs it, or loads what it names; where it is shown, it is text", async () => {
    const desks = await startDesks(service, publicUrl);
    stops.unshift(() => desks.stop());
    const desk = await desks.desk([{ role: "operator" }]);
    const named = { name: "test.named", text: "UPDATE console_users SET name = $1" };
    await service.database.query(named, [HOSTILE]);
    const { page } = desk;
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(request.url()));
    page.on("dialog", (dialog) => {
      loaded.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    const missing: string[] = [];
    const isPage = ({ method, url }: ConsoleRoute) =>
      method === "GET" && !/\/(?:stream|picture|foods|link|csv|csv\/:report)$|\/assets\/|sign-in/.test(url);
    for (const { url } of routes.filter(isPage)) {
      const path = pathOf(url, things) + (url.endsWith("/names/:id/preview") ? "?means=not-food" : "");
      const response = await page.goto(desks.origin + path);
      assert.equal(response?.status(), 200, path);
      assert.deepEqual(await foreignParts(page), [], url);
      const text = String(await page.evaluate(TEXT));
      if (SHOWS.includes(url) && !text.includes(HOSTILE)) missing.push(url);
    }
    assert.deepEqual(missing, []);
    // What arrives while the page is open, and what is typed into a search.
    await page.goto(`${desks.origin}${things.base}/developers/events`);
    await page.locator("#live").waitFor({ state: "visible" });
    const food = { userId: things.userId, foodId: "1", logId: `${HOSTILE}2`, name: HOSTILE, weight: 1, unit: "g" };
    const more = { imageUrl: "https://x.example/2", merchant: { name: HOSTILE }, nutrition: {} };
    assert.equal((await things.client.call("POST", "/track/food", { ...food, ...more })).statusCode, 202);
    await page.waitForFunction(
      `document.querySelector("#events").textContent.includes(${JSON.stringify(`${HOSTILE}2`)})`,
    );
    assert.deepEqual(await foreignParts(page), []);
    assert.deepEqual(
      loaded.filter((url) => !url.startsWith(`${desks.origin}/`) || url.endsWith("/x")),
      [],
    );
    await desk.end();
  });
});

/** What stored text could have made: elements and attributes that no page that we make has. */
function foreignParts(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll("*")]
    .filter((element) =>
      element.matches("img[src=x], script:not([src]), iframe, object, embed, base, meta[http-equiv]") ||
      element.getAttributeNames().some((name) => name.startsWith("on") || name.includes("<") || name.includes('"')) ||
      /^\\s*(?:javascript|data|vbscript):/i.test(element.getAttribute("href") ?? element.getAttribute("action") ?? ""))
    .map((element) => element.outerHTML.slice(0, 200))`);
}

/** The text of a page, with that of its fields. JSON on it has the quotes of the text escaped. */
const TEXT = `document.documentElement.textContent.replaceAll('\\\\"', '"') + [...document.querySelectorAll("input, textarea")].map(({ value }) => value).join(" ")`;
