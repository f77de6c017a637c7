import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { runCommand } from "./support/commands.ts";
import { freePort } from "./support/processes.ts";
import { startService } from "./support/service.ts";
import type { TestService } from "./support/service.ts";

const ROOT = join(import.meta.dirname, "..");
/** Below the repository, where the package is found as a consumer finds it. */
const OUT = join(import.meta.dirname, "out/sdk");
const PROGRAM_LINES_MAX = 36;

let service: TestService;
let url: string;
before(async () => {
  service = await startService();
  url = await service.app.server.listen({ port: 0, host: "127.0.0.1" });
});
after(() => service.close());

/** The Node of the path, where it is one that the SDK is for; else the one of the tests. */
function consumersNode(): string {
  try {
    const [major, minor] = execFileSync("node", ["--version"], { encoding: "utf8" }).slice(1).split(".").map(Number);
    if (major! > 20 || (major === 20 && minor! >= 16)) return "node";
  } catch {
    // There is none.
  }
  return process.execPath;
}

test("the README's program is a whole integration: it enrols, tracks, uploads, lists, and receives events", async () => {
  const readme = readFileSync(join(ROOT, "sdk/README.md"), "utf8");
  const [, program = ""] = /## A whole integration[\s\S]*?```js\n([\s\S]*?)```/.exec(readme)!;
  assert.ok(program.trim().split("\n").length <= PROGRAM_LINES_MAX);
  mkdirSync(OUT, { recursive: true });
  const file = join(OUT, "integration.mjs");
  writeFileSync(file, program);

  const client = await service.newClient({ isSandbox: true });
  const port = String(await freePort());
  const hook = ["webhook", "add", `--client-id=${client.clientId}`, `--url=http://127.0.0.1:${port}/`];
  const env = { WEBHOOK_ALLOW_NETS: "127.0.0.0/8" };
  const [endpoint] = await runCommand<{ secret: string }>(service.database, hook, { env });
  const { stdout } = await promisify(execFile)(consumersNode(), [file], {
    env: {
      PATH: process.env["PATH"],
      REWARDS_URL: url,
      REWARDS_CLIENT_ID: client.clientId,
      REWARDS_CLIENT_SECRET: client.clientSecret,
      REWARDS_WEBHOOK_SECRET: endpoint!.secret,
      HOOKS_PORT: port,
    },
    timeout: 120_000,
  });
  assert.match(stdout, /^food \d+ points$/m);
  assert.match(stdout, /^event intake\.completed$/m);
  assert.match(stdout, /^event \d+ points in all$/m);
  assert.match(stdout, /^receipt Completed$/m);
  assert.match(stdout, /^Larkmeadow Market \d+$/m);
});

test("the package holds its modules, types, README and licence, and nothing else", () => {
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: join(ROOT, "sdk"), encoding: "utf8" }),
  ) as { files: { path: string }[] }[];
  const paths = packed!.files.map(({ path }) => path);
  const types = ["src/api.d.ts", "src/schemas/events.d.ts", "src/sdk.d.ts"];
  for (const path of ["LICENSE", "README.md", "package.json", "src/index.js", ...types]) {
    assert.ok(paths.includes(path), path);
  }
  assert.deepEqual(
    paths.filter(
      (path) => !/^(?:LICENSE|README\.md|package\.json|src\/(?:schemas\/)?[\w.-]+\.(?:js|d\.ts))$/.test(path),
    ),
    [],
  );
  const manifest = JSON.parse(readFileSync(join(ROOT, "sdk/package.json"), "utf8")) as Record<string, unknown>;
  assert.deepEqual([manifest["dependencies"], manifest["private"]], [undefined, undefined]);
  const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
  assert.equal(read("sdk/LICENSE"), read("LICENSE"));
});

test("a consumer's program is checked against the types, without the compiler's indulgence", () => {
  mkdirSync(OUT, { recursive: true });
  const file = join(OUT, "consumer.ts");
  writeFileSync(
    file,
    `import { ProblemError, createRewards, verifyWebhook } from "rewards-service-sdk";
     const rewards = createRewards({ baseUrl: "https://rewards.example.org", clientId: "app", clientSecret: "sec" });
     const { user } = await rewards.enrollUser({ email: "a@example.org", firstName: "A", lastName: "B" });
     const points: number = user.lifetimePoints;
     // @ts-expect-error: a food wants more
     await rewards.trackFood({ userId: user.userID });
     const delivery = await verifyWebhook(new Headers(), "", ["whsec_a", "whsec_b"]);
     if (delivery.type === "intake.failed") delivery.event.errorType satisfies "OLD_MEAL_LOG" | string;
     // @ts-expect-error: only a failure has an error type
     delivery.event.errorType;
     try { await rewards.getTransaction("u", "t"); } catch (error) {
       if (error instanceof ProblemError && error.code === "NotFound") console.log(points, error.errors["a"]?.[0]);
     }
     export {};`,
  );
  const flags = [
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--lib",
    "es2022,dom,dom.iterable",
  ];
  const tsc = [join(ROOT, "node_modules/typescript/bin/tsc"), "--ignoreConfig", ...flags, "--types", "", file];
  assert.equal(spawnSync(process.execPath, tsc, { encoding: "utf8" }).stdout, "");
});

test("the package that the README's lines pack is installed from its file, without a registry, and imported", () => {
  const readme = readFileSync(join(ROOT, "sdk/README.md"), "utf8");
  const { version } = JSON.parse(readFileSync(join(ROOT, "sdk/package.json"), "utf8")) as { version: string };
  const file = `rewards-service-sdk-${version}.tgz`;
  assert.ok(readme.includes("npm pack ") && readme.includes(`npm install …/sdk/${file}`));
  const project = mkdtempSync(join(tmpdir(), "rewards-sdk-"));
  try {
    execFileSync("npm", ["pack", "--pack-destination", project], { cwd: join(ROOT, "sdk"), stdio: "pipe" });
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
    const offline = ["--offline", "--no-audit", "--no-fund"];
    execFileSync("npm", ["install", ...offline, join(project, file)], { cwd: project, stdio: "pipe" });
    const program =
      'import { createRewards } from "rewards-service-sdk"; console.log(typeof createRewards({ baseUrl: "http://x" }).listEvents)';
    const printed = execFileSync(consumersNode(), ["--input-type=module", "-e", program], {
      cwd: project,
      encoding: "utf8",
    });
    assert.equal(printed.trim(), "function");
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
});
