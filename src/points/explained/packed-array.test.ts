import assert from "node:assert/strict";
import { test } from "node:test";
import { packArray, unpackText } from "./packed-array.ts";

const FOOD =
  '[1,"points/1","400",0,[[[0,150000,0.778,2,4],["800","200",2,0],1,0,[[null,null,null,150,"g","3625410"],null,null,0,' +
  '[150,0,272515,3150270,null,0,null,[["cheese","B",1,2,"input+reference"],"78",[53.33333333333333,2.2666666666666666,' +
  "12,0.7999999999999999,4,2,0.06666666666666667,0.46153846153846156,0],[0,1,0,0],[0,0,0]]]]]]]";

test("what explains an award is the same text after it was stored, in two thirds of its bytes or less", () => {
  const packed = packArray(JSON.parse(FOOD) as unknown[])!;
  assert.ok(packed.length < (FOOD.length * 2) / 3, String(packed.length));
  assert.equal(unpackText(packed), FOOD);
});

test("an object has no packed form: it is stored as text", () => {
  assert.equal(packArray([1, "points/1", "400", 0, [], { limit: 5 }]), null);
});

test("what was stored by this form is read for good", () => {
  const stored =
    "AQAOBTFJQjAOAQ4FDgUwCPCTCQoDigYyNA4EREEyMDEwDgUOBgAAAAiWAUpeAAAwDggIlgEwCIPREAi+o8ABADAADgUOBVVQMTJaXQ4JD0BKqqqqqqqqD0ACIiIiIiIiPA8/6ZmZmZmZmTQyDz+xERERERERDz/didididieMA4EMDEwMA4DMDAw";
  assert.equal(unpackText(Buffer.from(stored, "base64")), FOOD);
});
