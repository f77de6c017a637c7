import assert from "node:assert/strict";
import { test } from "node:test";
import { editorsIn } from "./traces.ts";

test("image editors are found by the names in the metadata, cameras are not among them", () => {
  assert.deepEqual(editorsIn('xmp:CreatorTool="Adobe Photoshop 25.0 (Macintosh)"'), ["Photoshop"]);
  assert.deepEqual(editorsIn("Software\0GIMP 2.10.36\0 Snapseed 2.0"), ["GIMP", "Snapseed"]);
  assert.deepEqual(editorsIn("Apple iPhone 15 iOS 17.4 HDR+ Pixel 8 Google IJ Scan Utility"), []);
});
