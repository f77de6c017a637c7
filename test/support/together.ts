import { test } from "node:test";

/**
 * Runs test files of `test/` one after the other in this process, each as one test with its own hooks. Loading the
 * service, the catalogue and the checks of responses takes 1.5 s of CPU, once for all of them.
 */
export async function together(files: readonly string[]): Promise<void> {
  for (const file of files) {
    await test(`${file}.test.ts`, async (t) => {
      await import(`../${file}.test.ts`);
      // The file's tests are queued by now, and a test ends its children when its own function has ended.
      await t.test("no test is left", () => {});
    });
  }
}
