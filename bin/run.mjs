// Runs a program of this project on the Node it needs (26), whatever Node there is (18 or later).
// The binary comes as an optional dependency with its checksum in the lock file; see docs/decisions/0001.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const NODE_MAJOR_MIN = 26;
const require = createRequire(import.meta.url);

function findNode() {
  if (Number(process.versions.node.split(".")[0]) >= NODE_MAJOR_MIN) return process.execPath;
  const { platform, arch } = process;
  if (platform === "linux" && !process.report.getReport().header.glibcVersionRuntime) {
    fail(
      `Node ${NODE_MAJOR_MIN} is needed: this Linux has no glibc (Alpine?), and the packaged Node wants it. Install Node ${NODE_MAJOR_MIN} yourself, or use a Debian-based system.`,
    );
  }
  for (const name of [`node-${platform}-${arch}`, `node-bin-${platform}-${arch}`]) {
    try {
      return require.resolve(`${name}/bin/node`);
    } catch {
      // not this one: the two names cover the platforms of package.json
    }
  }
  return fail(
    `No Node ${NODE_MAJOR_MIN} for ${platform} ${arch}. Run "npm ci" (with optional dependencies), or install Node ${NODE_MAJOR_MIN} yourself.`,
  );
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

// Keeps stripped and compiled code: a command takes 0.35 s of CPU instead of 0.63. Node works without the folder if it
// is read-only.
const compiled = fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url));
const env = { NODE_COMPILE_CACHE: compiled, ...process.env };
const child = spawn(findNode(), process.argv.slice(2), { stdio: "inherit", env });
// A terminal sends its Ctrl-C to the child as well; a supervisor signals only us. The child takes both alike.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => fail(`Could not start Node: ${error.message}`));
child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)));
