import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { SURFACES, accentError, accentIn, contrast } from "./colour.ts";

const anyColour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);

test("whatever accent is wished for, what is written with it and on it can be read, in light and dark", () => {
  fc.assert(
    fc.property(anyColour, (wanted) => {
      for (const scheme of ["light", "dark"] as const) {
        const { fill, onFill, text } = accentIn(scheme, wanted);
        assert.ok(contrast(fill, onFill) >= 4.5, `${wanted} on ${fill}`);
        for (const surface of Object.values(SURFACES[scheme])) {
          assert.ok(contrast(text, surface) >= 4.5, `${text} on ${surface}`);
          assert.ok(contrast(fill, surface) >= 3, `${fill} beside ${surface}`);
        }
      }
    }),
  );
});

test("an accent with enough contrast is used unchanged", () => {
  assert.deepEqual(accentIn("light", "#1f6b4a"), { fill: "#1f6b4a", onFill: "#ffffff", text: "#1f6b4a" });
  assert.equal(accentIn("dark", "#7fd0a6").fill, "#7fd0a6");
});

test("contrast is that of WCAG", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#777777", "#ffffff").toFixed(2), "4.48");
});

test("an accent is six hexadecimal digits", () => {
  for (const right of ["#1f6b4a", "#FFAA00"]) assert.equal(accentError(right), null);
  for (const wrong of ["", "#fff", "1f6b4a", "red", "#1f6b4a;}", "#1f6b4ag"]) assert.ok(accentError(wrong), wrong);
});
