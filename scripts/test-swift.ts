// Runs the tests of images in a bucket against a real OpenStack Swift: npm run test:swift -- [OPTION ...] [FILE ...]
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { NO_SWIFT } from "../test/support/s3/swift.ts";

const FILES = ["swift", "s3-store", "s3-images", "app-move-images"].map((name) => `test/${name}.test.ts`);

if (NO_SWIFT !== false) {
  console.error(NO_SWIFT);
  process.exit(1);
}
const args = process.argv.slice(2);
const files = args.some((arg) => arg.endsWith(".ts")) ? [] : FILES;
// One file after the other: each has Swift's four servers, two of the last one.
const run = spawnSync(process.execPath, ["scripts/test-one.ts", "--test-concurrency=1", ...args, ...files], {
  cwd: join(import.meta.dirname, ".."),
  stdio: "inherit",
  env: { ...process.env, TEST_S3: "swift" },
});
process.exit(run.status ?? 1);
