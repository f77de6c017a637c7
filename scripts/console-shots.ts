// Takes pictures of every page of the console on the demo's month of life, on a phone and a wide screen, in light and
// dark, into test/out/console-pages, with a contact sheet for each section: npm run pages:shots -- console [SECTION…]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Page } from "playwright-core";
import { startBrowser } from "../test/support/browser.ts";
import { LOOKS } from "../test/support/console-browser.ts";
import { contactSheet } from "./contact-sheet.ts";

const ROOT = join(import.meta.dirname, "..");
const SHOTS = join(ROOT, "test/out/console-pages");
const PASSWORD = "a long enough password";
/** The looks of a page in a row. */
const SHEET = { columns: Object.keys(LOOKS).length, tile: { width: 700, height: 900 } };

/** A page: its path below the application, or the page that has a link to it, and the part of that link's path. */
interface Shot {
  readonly name: string;
  readonly at: string;
  readonly link?: string;
}

/** By section. Paths that begin with `/` belong to no application. */
export const SECTIONS: Readonly<Record<string, readonly Shot[]>> = {
  home: [
    { name: "home", at: "/console" },
    { name: "account", at: "/console/account" },
  ],
  overview: [
    { name: "overview", at: "overview" },
    { name: "days-7", at: "overview?last=7d" },
  ],
  receipts: [
    { name: "list", at: "receipts" },
    { name: "none", at: "receipts?merchant=nobody" },
    { name: "held", at: "receipts?state=held", link: "/receipts/" },
    { name: "credited", at: "receipts?state=Completed", link: "/receipts/" },
    { name: "failed", at: "receipts?state=Failed", link: "/receipts/" },
    { name: "resembles", at: "receipts?errorCode=ALREADY_EXISTS", link: "/receipts/" },
  ],
  review: [{ name: "queue", at: "review" }],
  names: [
    { name: "list", at: "names" },
    { name: "name", at: "names", link: "/names/" },
    { name: "what-it-changes", at: "names", link: "/preview" },
  ],
  people: [
    { name: "find", at: "people" },
    { name: "person", at: "receipts", link: "/people/" },
  ],
  programme: [
    { name: "versions", at: "programme" },
    { name: "version", at: "programme/1" },
    { name: "draft", at: "programme/draft?from=1" },
  ],
  rewards: [
    { name: "list", at: "rewards" },
    { name: "reward", at: "rewards", link: "/rewards/0" },
    { name: "new", at: "rewards/new" },
  ],
  developers: [
    { name: "keys", at: "developers" },
    { name: "endpoint", at: "developers", link: "/endpoints/" },
    { name: "deliveries", at: "developers/deliveries" },
    { name: "delivery", at: "developers/deliveries", link: "/deliveries/0" },
    { name: "events", at: "developers/events" },
    { name: "call", at: "developers/call" },
  ],
  service: [
    { name: "team", at: "/console/team" },
    { name: "audit", at: "/console/audit" },
    { name: "not-found", at: "/console/00000000-0000-0000-0000-000000000000/receipts" },
  ],
};

/** Takes the pictures of the sections; of all, if none is named. */
export async function shootConsole(wanted: readonly string[]): Promise<void> {
  rmSync(SHOTS, { recursive: true, force: true });
  const demo = spawn(process.execPath, [join(ROOT, "bin/run.mjs"), "demo/demo.ts", "--console"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  // At once: the end of a demo that has failed already would be waited for without end.
  const ended = once(demo, "exit");
  let chromium: Awaited<ReturnType<typeof startBrowser>> | undefined;
  try {
    chromium = await startBrowser();
    const link = await linkOf(demo.stdout);
    const page = await chromium.browser.newPage();
    const origin = new URL(link).origin;
    const base = await setPassword(page, link);
    for (const [section, shots] of Object.entries(SECTIONS)) {
      if (wanted.length > 0 && !wanted.includes(section)) continue;
      const files: string[] = [];
      for (const shot of shots) files.push(...(await take(page, origin, base, section, shot)));
      const sheet = join(SHOTS, `${section}.png`);
      await contactSheet(files, sheet, SHEET);
      console.log(`${section}: ${files.length} pictures, ${sheet}`);
    }
  } finally {
    await chromium?.stop();
    demo.kill("SIGINT");
    await ended;
  }
}

/** Follows the link, and returns the path of the first application, up to what is below it. */
async function setPassword(page: Page, link: string): Promise<string> {
  const { origin } = new URL(link);
  await page.goto(link);
  await page.locator("[name=password]").fill(PASSWORD);
  await page.locator("[name=repeated]").fill(PASSWORD);
  await page.locator("form:has([name=repeated]) button").first().click();
  await page.waitForURL(`${origin}/console`);
  const overview = await page.locator(".cards a").first().getAttribute("href");
  return new URL(overview!, origin).pathname.replace(/[^/]+$/, "");
}

/** The link into the console, which the demo prints, when all receipts are read. */
async function linkOf(output: NodeJS.ReadableStream): Promise<string> {
  let link = "";
  for await (const line of createInterface({ input: output })) {
    link ||= /https?:\/\/\S+\/console\/link\?token=[\w-]+/.exec(line)?.[0] ?? "";
    if (link !== "" && line.includes("Everything worked")) break;
  }
  if (link === "") throw new Error("The demo printed no link.");
  return link;
}

async function take(page: Page, origin: string, base: string, section: string, shot: Shot): Promise<string[]> {
  const { name, at, link } = shot;
  await page.goto(origin + (at.startsWith("/") ? at : base + at));
  if (link !== undefined) {
    const target = page.locator(`main a[href*="${link}"]`).first();
    if ((await target.count()) === 0) {
      console.error(`${section}: no picture of ${name}, ${at} has no link with ${link}`);
      return [];
    }
    await page.goto(new URL((await target.getAttribute("href"))!, origin).href);
  }
  const files: string[] = [];
  mkdirSync(join(SHOTS, section), { recursive: true });
  for (const [look, { colorScheme, ...viewport }] of Object.entries(LOOKS)) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize(viewport);
    const path = join(SHOTS, section, `${name}-${look}.png`);
    await page.screenshot({ path, fullPage: true });
    files.push(path);
  }
  return files;
}
