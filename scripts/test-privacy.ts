// Runs the tests with all logs, metrics and traces kept, and looks for personal data in them: npm run test:privacy
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startOtlpReceiver } from "../test/support/otlp-receiver.ts";
import { COLLECTOR_VARIABLE, FOLDER_VARIABLE } from "../test/support/privacy-run.ts";
import { createSearch } from "../test/support/privacy-search.ts";

const USAGE = `Usage: npm run test:privacy -- [FILE ...]

Runs all tests, or those of the files, with services that log everything, measure and trace, and keeps it in a temporary
folder. Then it searches it for what the tests sent and got: names, e-mail addresses, goods, references, secrets, texts.
A test that fails only because a service logs more than usual is no finding, and is listed by the tests themselves.
`;
/** Findings of one member that are shown. */
const SHOWN_MAX = 5;
const SHOWN_BEFORE = 200;
const SHOWN_AFTER = 100;

const files = process.argv.slice(2);
if (files.some((file) => file.startsWith("-"))) {
  process.stdout.write(USAGE);
  process.exit(1);
}
const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "rewards-privacy-"));
const collector = await startOtlpReceiver();
try {
  const program = files.length > 0 ? ["scripts/test-one.ts", ...files] : ["scripts/test-all.ts", "all"];
  const env = { ...process.env, [FOLDER_VARIABLE]: folder, [COLLECTOR_VARIABLE]: collector.url };
  const run = spawn(process.execPath, ["bin/run.mjs", ...program], { cwd: root, stdio: "inherit", env });
  await once(run, "exit");
  writeFileSync(join(folder, "traces.txt"), collector.texts.join("\n"));
  process.exitCode = (await search()) === 0 ? 0 : 1;
} finally {
  await collector.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Searches all that was kept, shows what is found, and returns the number of lines that hold personal data. */
async function search(): Promise<number> {
  const values = new Map<string, string>();
  for (const file of globSync("personal-*.jsonl", { cwd: folder })) {
    for (const line of readFileSync(join(folder, file), "utf8").split("\n").filter(Boolean)) {
      const [name, value] = JSON.parse(line) as [string, string];
      values.set(value, name);
    }
  }
  const sources = globSync("src/**/*.ts", { cwd: root }).map((file) => readFileSync(join(root, file), "utf8"));
  const { count, findingsIn } = createSearch(values, sources.join("\n"));
  const written = globSync("{log,metrics,traces}*.txt", { cwd: folder });
  const bytes = written.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  console.log(`Looking for ${count} values in ${written.length} files of ${Math.round(bytes / 1e6)} MB …`);
  let found = 0;
  const shown = new Map<string, number>();
  for (const file of written) {
    for await (const line of createInterface({ input: createReadStream(join(folder, file)) })) {
      const findings = findingsIn(line);
      if (findings.length > 0) found += 1;
      for (const { name, value } of findings) {
        const times = (shown.get(name) ?? 0) + 1;
        shown.set(name, times);
        const at = line.toLowerCase().indexOf(value);
        if (times <= SHOWN_MAX)
          console.log(
            `${file}: ${name} "${value}" in …${line.slice(Math.max(0, at - SHOWN_BEFORE), at + SHOWN_AFTER)}`,
          );
      }
    }
  }
  for (const [name, times] of shown) console.log(`${name}: ${times} times`);
  if (count === 0 || bytes === 0) throw new Error("The tests kept nothing: did they run?");
  console.log(found === 0 ? "Nothing personal was found." : `${found} lines hold what is personal.`);
  return found;
}
