import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { inForceAt, ruleIdOf, versionOfRule } from "./versions.ts";

const at = (ms: number) => new Date(ms);

test("in force is what started last; of two with one start the later version", () => {
  const versions = [
    { version: 1, startsAt: at(100) },
    { version: 4, startsAt: at(400) },
    { version: 3, startsAt: at(400) },
  ];
  const inForce = [99, 100, 399, 400, 1_000].map((ms) => inForceAt(versions, at(ms))?.version ?? null);
  assert.deepEqual(inForce, [null, 1, 1, 4, 4]);
});

test("every moment has one version, whatever the order in which they are read", () => {
  const version = fc.record({ version: fc.nat(50), startsAt: fc.nat(100).map(at) });
  fc.assert(
    fc.property(fc.uniqueArray(version, { selector: (each) => each.version }), fc.nat(120), (versions, ms) => {
      assert.equal(inForceAt(versions, at(ms))?.version, inForceAt(versions.toReversed(), at(ms))?.version);
    }),
  );
});

test("the id of a rule names its version, and other rules have none", () => {
  assert.equal(versionOfRule(ruleIdOf(12)), 12);
  for (const id of ["points/1", "program/", "program/1x", "program/1234567890"]) assert.equal(versionOfRule(id), null);
});
