import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { OPERATIONS } from "../src/openapi/operations.ts";
import { PROBLEMS } from "../src/problems.ts";
import { EVENT_TYPES } from "../src/webhooks/event.ts";
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

describe("the reference page and the document", () => {
  test("go out compressed, and not again to who has them", async () => {
    for (const path of ["/openapi.json", "/docs"]) {
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
        assert.ok(Number(packed.headers.get("content-length")) < text.length / 6);
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

describe("the reference page", () => {
  test("tells of every operation, event, problem and schema, and every link on it leads somewhere", async () => {
    const { body, headers } = await service.app.server.inject({ url: "/docs" });
    assert.match(String(headers["content-security-policy"]), /default-src 'none'/);
    const ids = new Set([...body.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]!));
    for (const { id } of OPERATIONS) assert.ok(ids.has(id), id);
    for (const type of EVENT_TYPES) assert.ok(body.includes(type), type);
    const links = [...body.matchAll(/ href="([^"]+)"/g)].map((match) => match[1]!);
    const dangling = links.filter((link) => link.startsWith("#") && !ids.has(link.slice(1)));
    assert.deepEqual([...new Set(dangling)], []);
    for (const { slug } of Object.values(PROBLEMS)) assert.ok(links.includes(`problems/${slug}`), slug);
    const pages = [...new Set(links.filter((link) => !link.startsWith("#")))];
    for (const page of pages) {
      const { statusCode } = await service.app.server.inject({ url: `/${page}` });
      assert.equal(statusCode, 200, page);
    }
    assert.doesNotMatch(
      body,
      /<script|https?:\/\/(?!rewards\.test|example\.(?:com|org)|rewards\.example\.com)[\w.]+\//,
    );
  });

  test("is readable for everyone, light and dark, wide and narrow, without JavaScript or another host", async (t) => {
    if (browserMissing !== undefined) return t.skip(browserMissing);
    const { browser, stop } = await startBrowser();
    try {
      for (const [colorScheme, width] of [
        ["light", 1280],
        ["dark", 320],
      ] as const) {
        // Scripts of the page run in it for axe alone; the page has none.
        const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
        const page = await context.newPage();
        const asked: string[] = [];
        page.on("request", (request) => asked.push(request.url()));
        await page.goto(`${address}/docs`);
        assert.deepEqual(
          asked.filter((url) => !url.startsWith(address)),
          [],
        );
        const isTooWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
        assert.equal(isTooWide, false, `${width} px are wide enough`);
        await page.evaluate(
          "for (const each of document.querySelectorAll('[aria-labelledby=trackFood] details')) each.open = true",
        );
        await page.addScriptTag({ content: AXE });
        // One of each kind of section: of the whole page axe needs ten seconds.
        const violations = await page.evaluate(
          `axe.run({ include: ["nav", "#main > h1", "[aria-labelledby=trackFood]", "[aria-labelledby=schema-Meal]"] })
            .then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html]))`,
        );
        assert.deepEqual(violations, [], `${colorScheme}, ${width} px`);
        if (PICTURES !== undefined) {
          await page.screenshot({ path: join(PICTURES, `docs-${colorScheme}-${width}.png`) });
          await page.locator("#trackMeal").scrollIntoViewIfNeeded();
          await page.screenshot({ path: join(PICTURES, `docs-meal-${colorScheme}-${width}.png`) });
        }
        await context.close();
      }
    } finally {
      await stop();
    }
  });
});
