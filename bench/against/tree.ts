import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Progress } from "../progress.ts";

const ROOT = join(import.meta.dirname, "../..");
const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 512 * 1024 * 1024;

/** A commit in a temporary folder, with the packages it needs. */
export interface Tree {
  readonly root: string;
  readonly commit: string;
  remove(): void;
}

/** Checks out `commit`. `signal` ends it, and then nothing is left. */
export async function checkOut(commit: string, progress: Progress, signal: AbortSignal): Promise<Tree> {
  const short = await shortNameOf(commit);
  const folder = mkdtempSync(join(tmpdir(), "rewards-bench-tree-"));
  // With retries: an npm that was ended may still write.
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  try {
    progress(`checking out ${short}`);
    const [archive, root] = [join(folder, "tree.tar"), join(folder, "tree")];
    mkdirSync(root);
    // Not a worktree: of a bench that was killed nothing may be left in the repository.
    await run("git", ["archive", "--output", archive, short], { cwd: ROOT, signal });
    await run("tar", ["-xf", archive, "-C", root], { signal });
    rmSync(archive);
    if (packagesOf(ROOT) === packagesOf(root)) {
      symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"), "dir");
    } else {
      progress(`${short} has other packages: npm ci`);
      const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
      await run("npm", ["ci", ...quiet], { cwd: root, signal, maxBuffer: OUTPUT_BYTES_MAX });
    }
    return { root, commit: short, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function shortNameOf(commit: string): Promise<string> {
  const asked = ["rev-parse", "--verify", "--short", "--end-of-options", `${commit}^{commit}`];
  const { stdout } = await run("git", asked, { cwd: ROOT }).catch((error: unknown) => {
    throw new Error(`there is no commit ${commit} in this repository`, { cause: error });
  });
  return stdout.trim();
}

/** What npm installs for a lock file, as text. The versions of the project itself make no difference. */
function packagesOf(root: string): string {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, object>;
  };
  return JSON.stringify(Object.entries(lock.packages).filter(([path]) => path.startsWith("node_modules/")));
}
