// Takes pictures of every page of the console on the demo's month of life, on a phone and a wide screen, in light and
// dark, into test/out/console-pages, with a contact sheet for each section: npm run pages:shots -- console [SECTION…]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { startBrowser } from "../test/support/browser.ts";

const ROOT = join(import.meta.dirname, "..");
const SHOTS = join(ROOT, "test/out/console-pages");
const PASSWORD = "a long enough password";
const LOOKS = {
  "360-light": { width: 360, height: 740, colorScheme: "light" },
  "360-dark": { width: 360, height: 740, colorScheme: "dark" },
  "1440-light": { width: 1440, height: 900, colorScheme: "light" },
  "1440-dark": { width: 1440, height: 900, colorScheme: "dark" },
} as const;
const TILE = { width: 700, height: 900 };
const GAP_PX = 12;

/** A page: its path below the application, or the page that has a link to it, and the part of that link's path. */
interface Shot {
  readonly name: string;
  readonly at: string;
  readonly link?: string;
}

/** By section. Paths that begin with `/` belong to no application. */
const SECTIONS: Readonly<Record<string, readonly Shot[]>> = {
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
  const chromium = await startBrowser();
  try {
    const link = await linkOf(demo.stdout);
    const page = await chromium.browser.newPage();
    const origin = new URL(link).origin;
    await page.goto(link);
    await page.locator("[name=password]").fill(PASSWORD);
    await page.locator("[name=repeated]").fill(PASSWORD);
    await page.locator("form:has([name=repeated]) button").first().click();
    await page.waitForURL(`${origin}/console`);
    const base = new URL((await page.locator(".cards a").first().getAttribute("href"))!, origin).pathname;
    for (const [section, shots] of Object.entries(SECTIONS)) {
      if (wanted.length > 0 && !wanted.includes(section)) continue;
      const files: string[] = [];
      for (const shot of shots) files.push(...(await take(page, origin, base.replace(/[^/]+$/, ""), section, shot)));
      await contactSheet(section, files);
      console.log(`${section}: ${files.length} pictures, ${join(SHOTS, `${section}.png`)}`);
    }
  } finally {
    await chromium.stop();
    demo.kill("SIGINT");
    await once(demo, "exit");
  }
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
    if ((await target.count()) === 0) return [];
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

/** All pictures of a section, the four looks of a page in a row. */
async function contactSheet(section: string, files: readonly string[]): Promise<void> {
  const columns = Object.keys(LOOKS).length;
  const tiles = await Promise.all(
    files.map((file) =>
      sharp(file)
        .resize({ ...TILE, fit: "contain", position: "top", background: "#9a9a9a" })
        .toBuffer(),
    ),
  );
  const rows = Math.max(1, Math.ceil(tiles.length / columns));
  const [width, height] = [columns * (TILE.width + GAP_PX) + GAP_PX, rows * (TILE.height + GAP_PX) + GAP_PX];
  await sharp({ create: { width, height, channels: 3, background: "#777" } })
    .composite(
      tiles.map((input, i) => ({
        input,
        left: GAP_PX + (i % columns) * (TILE.width + GAP_PX),
        top: GAP_PX + Math.floor(i / columns) * (TILE.height + GAP_PX),
      })),
    )
    .png()
    .toFile(join(SHOTS, `${section}.png`));
}
