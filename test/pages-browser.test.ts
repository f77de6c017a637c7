import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import sharp from "sharp";
import { browserMissing, startBrowser } from "./browser.ts";
import { ADA, startPages } from "./pages-under-test.ts";
import type { PagesUnderTest } from "./pages-under-test.ts";

const SHOTS = join(import.meta.dirname, "out/pages");
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="18" fill="#2a7"/></svg>`;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Waits until the browser stands on the integrator's page; gives the query it came with. */
async function arrival(page: Page): Promise<URLSearchParams> {
  await page.waitForURL(/^http:\/\/localhost:\d+\/back/);
  return new URL(page.url()).searchParams;
}

/** Keeps a picture of the page, and checks that axe finds nothing and that nothing is wider than the phone. */
async function look(page: Page, context: BrowserContext, name: string): Promise<void> {
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
  const session = await context.newCDPSession(page);
  const evaluate = async (expression: string) =>
    (await session.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true })).result.value;
  // Past the page's policy, which rightly allows no script of this kind.
  await evaluate(`${AXE}; undefined`);
  const violations = "violations.map(({ id, nodes }) => [id, nodes[0].html])";
  assert.deepEqual(await evaluate(`axe.run().then(({ violations }) => ${violations})`), [], `${name}: axe`);
  const widths = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]";
  const [contentPx, screenPx] = (await evaluate(widths)) as [number, number];
  assert.ok(contentPx <= screenPx, `${name}: wider than the phone`);
}

suite("the hosted pages in a browser", { skip: browserMissing ?? false }, () => {
  let pages: PagesUnderTest;
  let chromium: Awaited<ReturnType<typeof startBrowser>>;
  let origin: string;
  let photo: Buffer;
  /** The integrator's own page, to which visits lead back. */
  const integrator = createServer((_request, response) => response.end("back at the app"));
  let backUrl: string;

  before(async () => {
    mkdirSync(SHOTS, { recursive: true });
    pages = await startPages();
    origin = await pages.server.listen({ host: "127.0.0.1", port: 0 });
    await new Promise<void>((resolve) => {
      integrator.listen(0, "127.0.0.1", resolve);
    });
    const address = integrator.address();
    assert.ok(address !== null && typeof address === "object");
    backUrl = `http://localhost:${address.port}/back?state=1`;
    photo = await sharp({ create: { width: 300, height: 600, channels: 3, background: "#eee" } })
      .jpeg()
      .toBuffer();
    chromium = await startBrowser();
  });
  after(async () => {
    await chromium.stop();
    integrator.close();
    integrator.closeAllConnections();
    await pages.stop();
  });

  /** A phone on the page of a new session. What the browser blocks, or a script throws, fails the test at its end. */
  async function visit(path: string, body: object, options: BrowserContextOptions = {}) {
    const answer = await pages.call(path, body);
    const url = new URL(answer.json<{ redirectUrl: string }>().redirectUrl);
    const context = await chromium.browser.newContext({ viewport: { width: 375, height: 740 }, ...options });
    await context.route("https://logo.example/**", (route) =>
      route.fulfill({ contentType: "image/svg+xml", body: LOGO }),
    );
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    await page.goto(origin + url.pathname + url.search);
    const end = async () => {
      await context.close();
      assert.deepEqual(complaints, []);
    };
    return { page, context, end };
  }

  const visitEnrolment = (body: object = {}, options?: BrowserContextOptions) =>
    visit("/users/enroll/session", { ...ADA, redirectUri: backUrl, ...body }, options);
  const visitReceipt = (body: object = {}, options?: BrowserContextOptions) =>
    visit("/track/receipts/session", { userId: pages.userId, redirectUri: backUrl, ...body }, options);

  const choosePhoto = (page: Page) =>
    page.setInputFiles("#receiptImage", { name: "photo.jpg", mimeType: "image/jpeg", buffer: photo });

  test("someone accepts, and is back at the app as an enrolled user", async () => {
    const { page, context, end } = await visitEnrolment({ email: "accepts@example.com", city: "London" });
    await look(page, context, "enrolment");
    assert.ok(await page.locator(".brand img").evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
    await page.getByRole("button", { name: "Accept" }).click();
    const query = await arrival(page);
    assert.equal(query.get("state"), "1");
    assert.equal(query.get("status"), "completed");
    const summary = await pages.call(`/users/${query.get("userId")}/summary`);
    assert.equal(summary.statusCode, 200);
    await end();
  });

  test("accept and decline are equally easy", async () => {
    const { page, end } = await visitEnrolment();
    const [accept, decline] = await Promise.all(
      ["Accept", "Decline"].map((name) => page.getByRole("button", { name }).boundingBox()),
    );
    assert.deepEqual([accept!.width, accept!.height], [decline!.width, decline!.height]);
    assert.ok(accept!.height >= 44);
    await end();
  });

  test("someone declines without JavaScript, and is back at the app", async () => {
    const { page, end } = await visitEnrolment({ email: "declines@example.com" }, { javaScriptEnabled: false });
    await page.getByRole("button", { name: "Decline" }).click();
    assert.equal((await arrival(page)).get("status"), "declined");
    await end();
  });

  test("an app's own scheme is followed after a form, which the page's policy would otherwise forbid", async () => {
    const { credentials } = await pages.addApplication({ name: "An app" });
    const answer = await pages.call("/users/enroll/session", { ...ADA, redirectUri: "myapp://done" }, credentials);
    const url = new URL(answer.json<{ redirectUrl: string }>().redirectUrl);
    // A page without intercepted requests: of those, Chromium doesn't tell where they were redirected to.
    const page = await chromium.browser.newPage();
    await page.goto(origin + url.pathname + url.search);
    const [followed] = await Promise.all([
      page.waitForRequest((request) => request.url().startsWith("myapp:"), { timeout: 10_000 }),
      page.getByRole("button", { name: "Accept" }).click({ noWaitAfter: true }),
    ]);
    assert.match(followed.url(), /^myapp:\/\/done\?status=completed&/);
    await page.close();
  });

  test("without a redirect the consent ends on a closing page", async () => {
    const { page, context, end } = await visitEnrolment({ email: "closing@example.com", redirectUri: undefined });
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByText("You have joined").waitFor();
    await look(page, context, "enrolment-closing");
    await end();
  });

  test("someone sends a photo and watches it become points, also over a reload, then is led back", async () => {
    const { page, context, end } = await visitReceipt();
    await page.clock.install();
    await look(page, context, "receipt");
    await choosePhoto(page);
    await page.locator("#preview").waitFor({ state: "visible" });
    await look(page, context, "receipt-preview");
    await page.getByRole("button", { name: "Send receipt" }).click();
    await page.getByText("We are reading your receipt").waitFor();
    assert.deepEqual(pages.receipts.at(-1)!.bytes, photo);
    assert.match(page.url(), /\/receipts\/progress\?sessionId=/);
    await look(page, context, "progress-uploaded");
    const { receiptId } = pages.receipts.at(-1)!;

    pages.move(receiptId, "Validated");
    await page.clock.runFor(1000);
    await page.getByText("BANANAS LOOSE").waitFor();
    await look(page, context, "progress-validated");
    await page.reload();
    await page.getByText("BANANAS LOOSE").waitFor();

    pages.move(receiptId, "Completed");
    await page.clock.runFor(1000);
    await page.getByText("14 points").waitFor();
    await look(page, context, "progress-completed");
    await page.clock.runFor(10_000);
    const query = await arrival(page);
    assert.equal(query.get("status"), "completed");
    assert.equal(query.get("receiptId"), receiptId);
    await end();
  });

  test("someone sends a photo without JavaScript, sees its progress, and finds the way back", async () => {
    const { page, end } = await visitReceipt({}, { javaScriptEnabled: false });
    await choosePhoto(page);
    await page.getByRole("button", { name: "Send receipt" }).click();
    await page.getByText("We are reading your receipt").waitFor();
    const { receiptId } = pages.receipts.at(-1)!;
    pages.move(receiptId, "Failed", "MERCHANT_NAME_NOT_FOUND");
    // The page looks again by itself.
    await page.getByText("which shop").waitFor();
    await page.screenshot({ path: join(SHOTS, "progress-failed.png"), fullPage: true });
    await page.getByRole("link", { name: "Back to Green Basket" }).click();
    const query = await arrival(page);
    assert.equal(query.get("status"), "failed");
    assert.equal(query.get("receiptId"), receiptId);
    await end();
  });

  test("a file that is no photo is told beside the field, and the next try succeeds", async () => {
    const { page, context } = await visitReceipt();
    await page.setInputFiles("#receiptImage", { name: "x.jpg", mimeType: "image/jpeg", buffer: Buffer.from("GIF89a") });
    await page.getByRole("button", { name: "Send receipt" }).click();
    await page.getByText("not a photo we can read").waitFor();
    await look(page, context, "receipt-fault");
    await choosePhoto(page);
    await page.getByRole("button", { name: "Send receipt" }).click();
    await page.getByText("We are reading your receipt").waitFor();
    await context.close();
  });

  test("when the connection is lost the photo stays, and is sent again; one that had arrived is not sent twice", async () => {
    const { page, context } = await visitReceipt();
    await choosePhoto(page);
    await page.route("**/receipts?*", (route) => route.abort());
    await page.getByRole("button", { name: "Send receipt" }).click();
    await page.getByText("The connection was lost").waitFor();
    await page.unroute("**/receipts?*");
    const before = pages.receipts.length;
    // This time it arrives, and only the answer is lost.
    await page.route("**/receipts?*", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Send receipt" }).click();
    await page.getByText("We are reading your receipt").waitFor();
    assert.equal(pages.receipts.length, before + 1);
    await context.close();
  });

  test("the landing page and a problem's page read well on a phone, in the dark too", async () => {
    const context = await chromium.browser.newContext({ viewport: { width: 375, height: 740 }, colorScheme: "dark" });
    const page = await context.newPage();
    await page.goto(`${origin}/`);
    await look(page, context, "landing");
    await page.goto(`${origin}/problems/session-not-found`);
    await look(page, context, "problem");
    await context.close();
  });

  test("without a redirect the receipt page says that it can be closed, and closes itself where it may", async () => {
    const { page, context, end } = await visitReceipt({ redirectUri: undefined });
    await choosePhoto(page);
    await page.getByRole("button", { name: "Send receipt" }).click();
    await page.getByText("We are reading your receipt").waitFor();
    pages.move(pages.receipts.at(-1)!.receiptId, "Completed");
    await page.getByText("You can close this page.").waitFor();
    await look(page, context, "progress-closing");
    // A page may close itself when an app's own page opened it.
    await context.clock.install();
    const [opened] = await Promise.all([
      context.waitForEvent("page"),
      page.evaluate((address) => void window.open(address), page.url()),
    ]);
    await opened.getByText("You can close this page.").waitFor();
    let isClosed = false;
    const closed = opened.waitForEvent("close", { timeout: 60_000 }).then(() => (isClosed = true));
    // Its script may still be loading when its text is there, and sets its timer only then. The clock also runs in the
    // page that closes, and is cut off there.
    while (!isClosed) await Promise.race([closed, page.clock.runFor(10_000).catch(() => {})]);
    await end();
  });
});
