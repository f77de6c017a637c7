import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Response } from "playwright-core";
import { RECEIPT_SCRIPTS } from "../src/pages/receipt/page.ts";
import { browserMissing } from "./support/browser.ts";
import { evaluate, send, startVisits, take } from "./support/pages-visit.ts";
import type { Visit, Visits } from "./support/pages-visit.ts";

/** HTML and CSS before the first paint: about the ten packets that a server may send at once (RFC 6928). */
const FIRST_PAINT_BYTES_MAX = 15_000;
const SCRIPT_GZIP_BYTES_MAX = 40_000;
/** Most lines of a receipt (`src/receipts/parsing`), and what one takes in the list of what can be reported. */
const ITEMS_MAX = 500;
const DISPUTE_LINE_BYTES_MAX = 500;
/** The page, its scripts, the logo. */
const REQUESTS_MAX = 2 + RECEIPT_SCRIPTS.length;
/** Good is below 0.1 (web.dev, Cumulative Layout Shift); here nothing moves at all. */
const SHIFT_MAX = 0.005;
/** Lighthouse's mobile profile as Chromium's own tools apply it, upstream as slow as it comes. */
const SLOW_NETWORK = { offline: false, latency: 400, downloadThroughput: 180_000, uploadThroughput: 84_000 };

test("the scripts are small", () => {
  const texts = RECEIPT_SCRIPTS.map((name) => readFileSync(join(import.meta.dirname, "../src/pages/assets", name)));
  assert.ok(gzipSync(Buffer.concat(texts)).length < SCRIPT_GZIP_BYTES_MAX / 2);
});

suite("budgets of the hosted pages", { skip: browserMissing ?? false }, () => {
  let visits: Visits;
  before(async () => {
    visits = await startVisits();
  });
  after(() => visits.stop());

  /** All that a page loads, with its sizes. */
  async function load(path: string) {
    const visit = await visits.open("/health/none");
    await visit.page.addInitScript(`globalThis.shift = 0; globalThis.moved = []; new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries()) {
        if (hadRecentInput) continue;
        globalThis.shift += value;
        moved.push(...sources.map(({ node }) => node?.outerHTML?.slice(0, 60)));
      }
    }).observe({ type: "layout-shift", buffered: true });`);
    const responses: Response[] = [];
    visit.page.on("response", (response) => responses.push(response));
    await visit.page.goto(visits.origin + path, { waitUntil: "networkidle" });
    return { visit, responses };
  }
  const sessionPath = async (path: string, body: object) => {
    const response = await visits.pages.call(path, { redirectUri: visits.backUrl, ...body });
    const url = new URL(response.json<{ redirectUrl: string }>().redirectUrl);
    return url.pathname + url.search;
  };
  const assertStill = async (visit: Visit) =>
    assert.ok(
      (await evaluate<number>(visit, "globalThis.shift")) < SHIFT_MAX,
      await evaluate(visit, "JSON.stringify([shift, moved])"),
    );

  for (const [name, locale] of [
    ["consent", "ar"],
    ["receipt", "ar"],
  ] as const) {
    test(`the ${name} page is painted from its first ${FIRST_PAINT_BYTES_MAX} bytes, asks for little more, and nothing moves`, async () => {
      const person = { email: "x@example.com", firstName: "X".repeat(50), lastName: "Y", city: "Z", country: "DE" };
      const address = await (name === "consent"
        ? sessionPath("/users/enroll/session", { ...person, locale })
        : sessionPath("/track/receipts/session", { userId: visits.pages.userId, locale }));
      const { visit, responses } = await load(address);
      const [page, ...others] = responses;
      const { responseBodySize } = await page!.request().sizes();
      assert.ok(responseBodySize < FIRST_PAINT_BYTES_MAX, `${responseBodySize} bytes`);
      assert.deepEqual(
        others.filter((response) => response.request().resourceType() === "stylesheet").map(String),
        [],
        "nothing but the page is loaded before the first paint",
      );
      assert.ok(responses.length <= REQUESTS_MAX, `${responses.length} requests`);
      await assertStill(visit);
      await visit.end();
    });
  }

  test("the list of what can be reported is painted from the page alone, also with 500 lines", async (t) => {
    const address = await sessionPath("/track/receipts/session", { userId: visits.pages.userId, locale: "ar" });
    const { visit } = await load(address);
    await take(visit, visits.photo);
    await visit.page.locator("#send").click();
    await visit.page.locator("#progress").waitFor();
    visits.pages.move(visits.last().receiptId, "Completed");
    const list = address.replace("/receipts", "/receipts/disputes");
    const bytesOf = async (lines: number) => {
      visits.pages.setLines(lines);
      const { visit: own, responses } = await load(list);
      const [page, ...others] = responses;
      assert.deepEqual(
        others.map((response) => response.request().resourceType()).filter((type) => type !== "image"),
        [],
      );
      const { responseBodySize } = await page!.request().sizes();
      await assertStill(own);
      await own.end();
      return responseBodySize;
    };
    const [few, most] = [await bytesOf(3), await bytesOf(ITEMS_MAX)];
    t.diagnostic(`${few} bytes for 3 lines, ${most} for ${ITEMS_MAX}`);
    assert.ok(few < FIRST_PAINT_BYTES_MAX, `${few} bytes`);
    assert.ok((most - few) / ITEMS_MAX < DISPUTE_LINE_BYTES_MAX, `${most} bytes`);
    await visit.end();
  });

  test("on a slow network a receipt is uploaded within 20 seconds, without layout shifts", async (t) => {
    const address = await sessionPath("/track/receipts/session", { userId: visits.pages.userId });
    const { visit } = await load("/health/none");
    const { page, devtools } = visit;
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", SLOW_NETWORK);
    const startedAt = performance.now();
    const seconds = () => Number(((performance.now() - startedAt) / 1000).toFixed(1));
    await page.goto(visits.origin + address, { waitUntil: "commit" });
    await page.getByRole("heading", { name: "Send a receipt" }).waitFor();
    const painted = seconds();
    await page.waitForLoadState("load");
    await take(visit, visits.photo);
    await send(visit);
    await page.locator("#sending").waitFor();
    await page.getByText("Reading your receipt").waitFor();
    const sent = seconds();
    visits.pages.move(visits.last().receiptId, "Completed");
    await page.locator(".points").waitFor();
    t.diagnostic(`first paint after ${painted} s, sent after ${sent} s, points after ${seconds()} s`);
    await assertStill(visit);
    // The machine's share of the 20 seconds: the person's own is some 5, the reading some 3.
    assert.ok(visits.photo.length > 100_000);
    await visit.end();
  });
});
