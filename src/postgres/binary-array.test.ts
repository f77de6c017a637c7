import assert from "node:assert/strict";
import { test } from "node:test";
import { ElementError, binaryArray } from "./binary-array.ts";
import type { ElementType } from "./binary-array.ts";

/** The bytes of the elements with their lengths, after the head of an array of one dimension. */
function elementsOf(type: ElementType, values: readonly unknown[]): string {
  return binaryArray(type, values).subarray(20).toString("hex");
}

const unspaced = (hex: string): string => hex.replaceAll(" ", "");

test("the head has dimensions, nulls, type, length and lower bound", () => {
  assert.equal(binaryArray("int", []).toString("hex"), unspaced("00000000 00000000 00000017"));
  const two = binaryArray("int", [5, null]).toString("hex");
  assert.equal(two, unspaced("00000001 00000001 00000017 00000002 00000001 00000004 00000005 ffffffff"));
});

test("elements are written by their type", () => {
  const written: [type: ElementType, value: unknown, hex: string][] = [
    ["uuid", "01a204ac-72af-7154-94f4-f77E2178B00F", "0000001001a204ac72af715494f4f77e2178b00f"],
    ["text", 'a"é\\', "00000005 6122c3a95c"],
    ["text", "", "00000000"],
    ["jsonb", "{}", "00000003 017b7d"],
    ["smallint", -2, "00000002 fffe"],
    ["int", -2_147_483_647, "00000004 80000001"],
    ["bigint", -1, "00000008 ffffffffffffffff"],
    ["bigint", 4_294_967_296, "00000008 0000000100000000"],
    ["boolean", true, "00000001 01"],
    ["bytea", Uint8Array.of(0, 255), "00000002 00ff"],
    ["timestamptz", new Date("2000-01-01T00:00:00.001Z"), "00000008 00000000000003e8"],
    ["timestamptz", new Date("1999-12-31T23:59:59.999Z"), "00000008 fffffffffffffc18"],
    ["text", undefined, "ffffffff"],
  ];
  for (const [type, value, hex] of written)
    assert.equal(elementsOf(type, [value]), unspaced(hex), `${type} ${String(value)}`);
});

test("a value that its type does not have is an error of its row", () => {
  const refused: [type: ElementType, value: unknown][] = [
    ["uuid", "01a204ac-72af-7154-94f4-f77e2178b00"],
    ["uuid", "01a204ac-72af-7154-94f4-f77e2178b00g"],
    ["uuid", "01a204ac-72af-7154-94f4-f77e2178b0é0"],
    ["text", 5],
    ["smallint", 32_768],
    ["int", 1.5],
    ["int", 2_147_483_648],
    ["bigint", 2 ** 53],
    ["timestamptz", new Date(Number.NaN)],
  ];
  for (const [type, value] of refused) assert.throws(() => binaryArray(type, [value]), ElementError, type);
});
