import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { BrowserContext, BrowserContextOptions, CDPSession, Page } from "playwright-core";
import { sampleImage } from "../../src/receipts/samples/sample-image.task.ts";
import { startBrowser } from "./browser.ts";
import { ADA, startPages } from "./pages-under-test.ts";
import type { SubmittedReceipt, PagesUnderTest } from "./pages-under-test.ts";

/** Where pictures of the pages are kept with KEEP_PICTURES=1; git ignores it. */
export const SHOTS = join(import.meta.dirname, "../out/pages");
/** Of a machine that is busy with ten other things. */
export const PATIENCE_MS = 60_000;
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#1f6b4a"/><path d="M9 16h22l-3 14H12ZM14 16l4-7M26 16l-4-7" fill="none" stroke="#fff" stroke-width="2.5" stroke-linejoin="round"/></svg>`;
/** The script of axe. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** WCAG 2.2, 1.4.12: what a person may set without anything being cut off. */
const TEXT_SPACING =
  "*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}p{margin-bottom:2em!important}";
const WIDE_TEXT = `{ const style = new CSSStyleSheet(); style.replaceSync("${TEXT_SPACING}");
  document.adoptedStyleSheets = [style]; } undefined`;

/** A phone on one of the pages. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Chromium's own door: past the page's policy, and to a slow network. */
  readonly devtools: CDPSession;
  readonly hasScript: boolean;
  /** Closes it; what the browser blocked, or a script threw, fails the test here. */
  end(): Promise<void>;
}

/** The hosted pages, a browser, and the integrator's own page that visits redirect to. */
export interface Visits {
  readonly pages: PagesUnderTest;
  readonly origin: string;
  /** A receipt as a phone takes it. */
  readonly photo: Buffer;
  readonly backUrl: string;
  enrolment(body?: object, options?: BrowserContextOptions): Promise<Visit>;
  receipt(body?: object, options?: BrowserContextOptions): Promise<Visit>;
  /** Opens an address of the service. */
  open(path: string, options?: BrowserContextOptions): Promise<Visit>;
  /** The receipt that was uploaded last. */
  last(): SubmittedReceipt;
  stop(): Promise<void>;
}

export async function startVisits(options: { areSamplesAllowed?: boolean } = {}): Promise<Visits> {
  mkdirSync(SHOTS, { recursive: true });
  const pages = await startPages(options);
  const origin = await pages.server.listen({ host: "127.0.0.1", port: 0 });
  const integrator = createServer((_request, response) => response.end("back at the app"));
  await new Promise<void>((resolve) => {
    integrator.listen(0, "127.0.0.1", resolve);
  });
  const address = integrator.address();
  assert.ok(address !== null && typeof address === "object");
  const backUrl = `http://localhost:${address.port}/back?state=1`;
  const [chromium, photo] = await Promise.all([startBrowser(), sampleImage("completed", 1)]);

  const open: Visits["open"] = async (path, contextOptions = {}) => {
    const context = await chromium.browser.newContext({ viewport: { width: 375, height: 740 }, ...contextOptions });
    context.setDefaultTimeout(PATIENCE_MS);
    await context.route("https://logo.example/**", (route) =>
      route.fulfill({ contentType: "image/svg+xml", body: LOGO }),
    );
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    const devtools = await context.newCDPSession(page);
    await page.goto(origin + path);
    const end = async () => {
      await context.close();
      // Some tests are about broken connections and responses with 4xx.
      assert.deepEqual(
        complaints.filter((text) => !text.startsWith("Failed to load resource")),
        [],
      );
    };
    return { page, context, devtools, hasScript: contextOptions.javaScriptEnabled ?? true, end };
  };
  const session = async (path: string, body: object, contextOptions?: BrowserContextOptions) => {
    const response = await pages.call(path, { redirectUri: backUrl, ...body });
    const url = new URL(response.json<{ redirectUrl: string }>().redirectUrl);
    return open(url.pathname + url.search, contextOptions);
  };

  return {
    pages,
    origin,
    photo,
    backUrl,
    open,
    enrolment: (body, contextOptions) => session("/users/enroll/session", { ...ADA, ...body }, contextOptions),
    receipt: (body, contextOptions) =>
      session("/track/receipts/session", { userId: pages.userId, ...body }, contextOptions),
    last: () => {
      const receipt = pages.receipts.at(-1);
      assert.ok(receipt);
      return receipt;
    },
    stop: async () => {
      await chromium.stop();
      integrator.close();
      integrator.closeAllConnections();
      await pages.stop();
    },
  };
}

/** Chooses a photo on the receipt's page. */
export async function choose({ page }: Visit, buffer: Buffer, name = "photo.jpg"): Promise<void> {
  await page.setInputFiles("#receiptImage", { name, mimeType: "image/jpeg", buffer });
}

/** Chooses a photo and waits until it is shown. */
export async function take(visit: Visit, buffer: Buffer): Promise<void> {
  await choose(visit, buffer);
  await visit.page.locator("#preview").waitFor();
}

export async function send({ page }: Visit): Promise<void> {
  await page.getByRole("button", { name: "Send receipt" }).click();
}

/** Waits until the browser is on the integrator's page; returns the query. */
export async function arrival({ page }: Visit): Promise<URLSearchParams> {
  await page.waitForURL(/^http:\/\/localhost:\d+\/back/);
  return new URL(page.url()).searchParams;
}

/** Runs in the page, past its policy, which rightly allows no script of this kind. */
export async function evaluate<Value>({ devtools }: Pick<Visit, "devtools">, expression: string): Promise<Value> {
  const { result } = await devtools.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  return result.value as Value;
}

/**
 * Holds the page to what every state of every page must be: axe finds nothing, nothing is wider than the phone (also
 * with the text set wider), and what can be pressed is large enough for a thumb. Keeps a picture if wanted.
 */
export async function look(visit: Visit, name: string): Promise<void> {
  if (arePicturesKept()) await visit.page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
  if (visit.hasScript) return inspect(visit, name);
  // Nothing runs in this page, axe neither: a copy of it is looked at where it does.
  const context = await visit.context.browser()!.newContext({ viewport: visit.page.viewportSize() });
  const page = await context.newPage();
  await page.setContent((await visit.page.content()).replaceAll(/<(\/?)noscript>/g, "<$1div>"));
  await inspect({ devtools: await context.newCDPSession(page) }, name);
  await context.close();
}

/** Whether pictures of all states are wanted, for people to look at. */
export const arePicturesKept = () => process.env["KEEP_PICTURES"] === "1";

async function inspect(visit: Pick<Visit, "devtools">, name: string): Promise<void> {
  await evaluate(visit, SETTLED);
  await evaluate(visit, `${AXE}; undefined`);
  const violations = "violations.map(({ id, nodes }) => [id, nodes[0].html])";
  assert.deepEqual(await evaluate(visit, `axe.run().then(({ violations }) => ${violations})`), [], `${name}: axe`);
  assert.deepEqual(await evaluate(visit, SMALL_TARGETS), [], `${name}: too small to press`);
  assert.equal(await evaluate(visit, OVERFLOW_PX), 0, `${name}: wider than the phone`);
  await evaluate(visit, WIDE_TEXT);
  assert.equal(await evaluate(visit, OVERFLOW_PX), 0, `${name}: wider than the phone with wider text`);
  await evaluate(visit, "document.adoptedStyleSheets = []; undefined");
}

/** Waits for fonts and for what moves only once: axe would find too little contrast in what is half shown. */
export const SETTLED = `document.fonts.ready.then(() => Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime)).map(({ finished }) => finished)))
  .then(() => undefined)`;
/** By how much the page is wider than the window. */
export const OVERFLOW_PX = "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)";
/** Everything that can be pressed and is seen, but for links within a sentence (WCAG 2.2, 2.5.8), below 44 px. */
const SMALL_TARGETS = `[...document.querySelectorAll("a, button, summary, input")]
  .filter((target) => target.checkVisibility() && target.getBoundingClientRect().width > 8)
  .map((target) => [target.outerHTML.slice(0, 80), Math.round(target.getBoundingClientRect().width), Math.round(target.getBoundingClientRect().height)])
  .filter(([, width, height]) => width < 44 || height < 44)`;
