import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { BrowserContextOptions, CDPSession, Page } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { signIn } from "./console.ts";
import type { Person } from "./console.ts";
import { AXE, OVERFLOW_PX, PATIENCE_MS, SETTLED, arePicturesKept, evaluate } from "./pages-visit.ts";
import type { TestService } from "./service.ts";

/** Where pictures of the console are kept with KEEP_PICTURES=1; git ignores it. */
export const CONSOLE_SHOTS = join(import.meta.dirname, "../out/console");

/** The looks that each page is held to: a phone and a wide screen, light and dark. */
export const LOOKS = {
  "360-light": { width: 360, height: 740, colorScheme: "light" },
  "360-dark": { width: 360, height: 740, colorScheme: "dark" },
  "1440-light": { width: 1440, height: 900, colorScheme: "light" },
  "1440-dark": { width: 1440, height: 900, colorScheme: "dark" },
} as const;

/** A browser in which somebody is signed in to the console. */
export interface Desk {
  readonly page: Page;
  readonly devtools: CDPSession;
  readonly person: Person;
  open(path: string): Promise<void>;
  /** Presses keys one after the other: `Tab`, `Enter`, `Shift+Tab`. */
  press(...keys: string[]): Promise<void>;
  /** Moves the focus by Tab until the element with this role and name has it; fails after 200 steps. */
  tabTo(role: Parameters<Page["getByRole"]>[0], name: string | RegExp): Promise<void>;
  /**
   * Takes pictures of the page in each look, and holds it to what every page must be: axe finds nothing, nothing is
   * wider than the window, what can be pressed is at least 24 px (WCAG 2.2, 2.5.8).
   */
  look(name: string): Promise<void>;
  /** Closes it; what the browser blocked, or a script threw, fails the test here. */
  end(): Promise<void>;
}

/** Returns an address of this machine for a service: a host by name, since passkeys need one, and a free port. */
export async function freeAddress(): Promise<string> {
  const probe = createServer();
  await new Promise<void>((resolve) => {
    probe.listen(0, "127.0.0.1", resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  return `http://localhost:${port}`;
}

/** Starts a browser beside a service that has the console; the service listens on loopback, at its public address. */
export async function startDesks(
  service: TestService,
  publicUrl = "http://localhost:0",
): Promise<{
  readonly origin: string;
  desk(roles: Parameters<typeof signIn>[1], options?: BrowserContextOptions): Promise<Desk>;
  stop(): Promise<void>;
}> {
  mkdirSync(CONSOLE_SHOTS, { recursive: true });
  const address = await service.app.server.listen({ host: "127.0.0.1", port: Number(new URL(publicUrl).port) });
  const origin = address.replace("127.0.0.1", "localhost");
  const chromium = await startBrowser();
  return {
    origin,
    desk: async (roles, options = {}) => {
      const person = await signIn(service, roles);
      const context = await chromium.browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
      context.setDefaultTimeout(PATIENCE_MS);
      const [name = "", value = ""] = person.cookie.split("=");
      await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: "Lax" }]);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      const devtools = await context.newCDPSession(page);
      return {
        page,
        devtools,
        person,
        open: async (path) => {
          await page.goto(origin + path);
        },
        press: async (...keys) => {
          for (const key of keys) await page.keyboard.press(key);
        },
        tabTo: async (role, name) => {
          const target = page.getByRole(role, { name }).first();
          for (let steps = 0; steps < 200; steps += 1) {
            if (await target.evaluate((element) => element === document.activeElement)) return;
            await page.keyboard.press("Tab");
          }
          assert.fail(`the keyboard does not reach ${role} ${String(name)}`);
        },
        look: (name) => look(page, devtools, name),
        end: async () => {
          await context.close();
          // Some tests are about responses with 4xx.
          assert.deepEqual(
            complaints.filter((text) => !text.startsWith("Failed to load resource")),
            [],
          );
        },
      };
    },
    stop: () => chromium.stop(),
  };
}

async function look(page: Page, devtools: CDPSession, name: string): Promise<void> {
  const size = page.viewportSize();
  await evaluate({ devtools }, `${AXE}; undefined`);
  for (const [each, { colorScheme, ...viewport }] of Object.entries(LOOKS)) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize(viewport);
    if (arePicturesKept()) await page.screenshot({ path: join(CONSOLE_SHOTS, `${name}-${each}.png`), fullPage: true });
    await evaluate({ devtools }, SETTLED);
    const violations = "violations.map(({ id, nodes }) => [id, nodes[0].html, nodes[0].failureSummary])";
    const found = await evaluate({ devtools }, `axe.run().then(({ violations }) => ${violations})`);
    assert.deepEqual(found, [], `${name} ${each}: axe`);
    assert.equal(await evaluate({ devtools }, OVERFLOW_PX), 0, `${name} ${each}: wider than the window`);
    assert.deepEqual(await evaluate({ devtools }, SMALL_TARGETS), [], `${name} ${each}: too small to press`);
  }
  if (size) await page.setViewportSize(size);
}

const SMALL_TARGETS = `[...document.querySelectorAll("button, summary, input:not([type=hidden]), select")]
  .filter((target) => target.checkVisibility() && !target.closest("svg"))
  .map((target) => [target.outerHTML.slice(0, 80), target.getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 1 && (width < 20 || height < 20)).map(([text]) => text)`;
