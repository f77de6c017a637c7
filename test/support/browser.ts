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

/**
 * A real Chromium from its package, with its own system libraries. It unpacks into a folder of this run (3 s): one that
 * is shared would be found half-filled by a second process, or after a run that was killed.
 */
export async function startBrowser(): Promise<{ browser: Browser; stop: () => Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), "rewards-chromium-"));
  const temporaryDir = process.env["TMPDIR"];
  process.env["TMPDIR"] = dir;
  // Read on import: without it the package takes the libraries (NSS …) from the system, where they may be missing.
  process.env["AWS_EXECUTION_ENV"] = "AWS_Lambda_nodejs22.x";
  const { default: packaged } = await import("@sparticuz/chromium");
  const executablePath = await packaged.executablePath();
  // The package's own fonts have Latin letters only; where the machine has more, pictures of the pages show Arabic too.
  if (existsSync("/etc/fonts/fonts.conf")) process.env["FONTCONFIG_PATH"] = "/etc/fonts";
  const browser = await chromium.launch({
    executablePath,
    // The package's own flags would switch web security off.
    args: ["--no-sandbox", "--no-zygote", "--disable-gpu", "--font-render-hinting=none"],
  });
  if (temporaryDir === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = temporaryDir;
  return {
    browser,
    stop: async () => {
      await browser.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
