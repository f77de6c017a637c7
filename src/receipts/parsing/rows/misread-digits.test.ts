import assert from "node:assert/strict";
import { test } from "node:test";
import { mayBeReadFor } from "./misread-digits.ts";

test("a digit is read as a similar one, or lost before the point", () => {
  for (const [read, printed] of [[1393, 1399], [850, 350], [-114, -174], [50, 550], [114, 1014], [5, 105]]) assert.ok(mayBeReadFor(read!, printed!), `${read} ${printed}`);
}); // prettier-ignore

test("dissimilar digits, two digits, a sign and lost cents are no misread digit", () => {
  for (const [read, printed] of [[1200, 1300], [1393, 1989], [-114, 174], [11, 101], [1399, 139], [500, 500]]) assert.ok(!mayBeReadFor(read!, printed!), `${read} ${printed}`);
}); // prettier-ignore
