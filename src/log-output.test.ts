import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

/** What a program wrote that logs with `log` and then does `more`. */
function written(more: string): string {
  const module = JSON.stringify(join(import.meta.dirname, "log-output.ts"));
  const program = `import { logOutput } from ${module}; const output = logOutput(); ${more}`;
  return spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }).stdout;
}

test("lines of the log are written in their order, and none is lost at an exit or an error", () => {
  const lines = 'for (const line of ["a", "b", "c"]) output.write(`${line}\\n`);';
  assert.equal(written(lines), "a\nb\nc\n");
  assert.equal(written(`${lines} process.exit(1);`), "a\nb\nc\n");
  assert.equal(written(`${lines} throw new Error("not caught");`), "a\nb\nc\n");
  assert.equal(written(`${lines} setImmediate(() => { output.write("d\\n"); process.exit(0); });`), "a\nb\nc\nd\n");
});

test("much text of one turn is written before its end", () => {
  const text = written('const line = `${"x".repeat(999)}\\n`; for (let n = 0; n < 200; n++) output.write(line);');
  assert.equal(text.length, 200_000);
});
