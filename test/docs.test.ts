import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { browserMissing, startBrowser } from "./support/browser.ts";
import { startService } from "./support/service.ts";
import type { TestService } from "./support/service.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PICTURES = process.env["DOCS_PICTURES"];

let service: TestService;
let address: string;
before(async () => {
  service = await startService({ isWorking: false });
  address = await service.app.server.listen({ host: "127.0.0.1", port: 0 });
});
after(() => service.close());

describe("the document, the reference page and its script", () => {
  test("are sent compressed, and only once to each client", async () => {
    for (const [path, ratio] of [
      ["/openapi.json", 6],
      ["/docs", 1],
      ["/docs/start.js", 1],
      ["/docs/scalar.js", 3],
    ] as const) {
      const ask = (headers: Record<string, string>) => fetch(address + path, { headers });
      const plain = await ask({ "accept-encoding": "identity" });
      const text = await plain.text();
      assert.equal(plain.headers.get("content-encoding"), null);
      const tags = new Set([plain.headers.get("etag")]);
      for (const [accepted, coding] of [
        ["gzip, deflate, br, zstd", "br"],
        ["gzip;q=1.0, br;q=0", "gzip"],
      ] as const) {
        const packed = await ask({ "accept-encoding": accepted });
        assert.equal(packed.headers.get("content-encoding"), coding);
        assert.equal(packed.headers.get("vary"), "accept-encoding");
        assert.ok(Number(packed.headers.get("content-length")) < text.length / ratio, path);
        assert.equal(await packed.text(), text, coding);
        const etag = packed.headers.get("etag")!;
        tags.add(etag);
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
          const again = await ask({ "accept-encoding": accepted, "if-none-match": known });
          assert.deepEqual([again.status, await again.text(), again.headers.get("etag")], [304, "", etag]);
        }
        assert.equal((await ask({ "accept-encoding": accepted, "if-none-match": '"other"' })).status, 200);
      }
      assert.equal(tags.size, 3, "each coding has a tag of its own");
    }
  });
});

/** Rules of axe that Scalar's own controls break: the credential fields, copy buttons and response cards. */
const BROKEN_BY_SCALAR = [
  "aria-input-field-name",
  "aria-required-attr",
  "button-name",
  "label-content-name-mismatch",
  "landmark-unique",
];

/** Opens /docs; `problems` collects requests to other hosts, errors of its scripts and what its policy blocks. */
async function openReference(page: Page, problems: string[]): Promise<void> {
  page.on("request", (request) => {
    if (!request.url().startsWith(address)) problems.push(request.url());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  await page.goto(`${address}/docs`);
  await page.getByRole("heading", { name: "Rewards Service" }).waitFor();
}

/** Each broken rule of axe with its first element. */
async function accessibilityErrors(page: Page): Promise<unknown> {
  await page.evaluate(AXE);
  const options = { rules: Object.fromEntries(BROKEN_BY_SCALAR.map((rule) => [rule, { enabled: false }])) };
  return page.evaluate(
    `axe.run(${JSON.stringify(options)})
      .then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html]))`,
  );
}

describe("the reference page", () => {
  test("allows scripts of this host only, and says what to read without JavaScript", async () => {
    const { body, headers } = await service.app.server.inject({ url: "/docs" });
    assert.match(String(headers["content-security-policy"]), /^default-src 'none'; script-src 'self';/);
    assert.doesNotMatch(body, /https?:/);
    assert.match(body, /<noscript>.*openapi\.json/s);
  });

  test("shows and finds operations without another host, light and dark, wide and narrow", async (t) => {
    if (browserMissing !== undefined) return t.skip(browserMissing);
    const { browser, stop } = await startBrowser();
    try {
      for (const [colorScheme, width] of [
        ["light", 1280],
        ["dark", 320],
      ] as const) {
        const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
        const problems: string[] = [];
        await openReference(page, problems);
        const isTooWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
        assert.equal(isTooWide, false, `${width} px are wide enough`);
        if (width > 1_000) {
          await page.getByText("Meals and foods").first().click();
          await page.getByText("/track/meals").first().waitFor();
          await page.keyboard.press("Control+k");
          await page.keyboard.type("rotate");
          await page.getByText("/webhooks/endpoints/{id}/rotate-secret").first().waitFor();
          await page.keyboard.press("Escape");
        }
        assert.deepEqual(await accessibilityErrors(page), [], `${colorScheme}, ${width} px`);
        assert.deepEqual(problems, []);
        if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `docs-${colorScheme}-${width}.png`) });
        await page.close();
      }
    } finally {
      await stop();
    }
  });
});
