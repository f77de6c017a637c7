import assert from "node:assert/strict";
import { test } from "node:test";
import { NEW_TERMS, changedTerms, rewardErrors, snapshot, termsErrors, unavailable } from "./reward.ts";

const AT = new Date("2026-02-01T12:00:00Z");
const REWARD = { ...NEW_TERMS, freeCodes: 0 };

test("a reward is redeemable from validFrom until just before validTill, in stock, from its tier on", () => {
  const why = (over: object, tier = 0) => unavailable({ ...REWARD, ...over }, { at: AT, tier });
  assert.equal(why({}), null);
  assert.equal(why({ validFrom: AT, validTill: new Date(AT.getTime() + 1) }), null);
  assert.equal(why({ validFrom: new Date(AT.getTime() + 1) }), "not yet valid");
  assert.equal(why({ validTill: AT }), "expired");
  assert.equal(why({ stock: 0 }), "out of stock");
  assert.equal(why({ codes: "pool" }), "out of stock");
  assert.equal(why({ codes: "pool", freeCodes: 1, stock: 1 }), null);
  assert.equal(why({ tier: 2 }, 1), "tier");
  assert.equal(why({ tier: 2 }, 2), null);
});

test("a change keeps what is not sent, clears what is null, and trims texts", () => {
  const terms = changedTerms(NEW_TERMS, {
    name: " Tea ",
    points: 5,
    currency: "gbp",
    value: 2,
    stock: 7,
    validTill: "2026-03-01T00:00:00Z",
  });
  assert.deepEqual(
    [terms.details.name, terms.details.currency, terms.points, terms.stock, terms.validTill?.toISOString()],
    ["Tea", "GBP", 5, 7, "2026-03-01T00:00:00.000Z"],
  );
  const changed = changedTerms(terms, { stock: null, validTill: null, points: 0, terms: ["One"] });
  assert.deepEqual(changed, {
    ...terms,
    points: 0,
    stock: null,
    validTill: null,
    details: { ...terms.details, terms: ["One"] },
  });
});

test("members that contradict each other are errors", () => {
  assert.deepEqual(rewardErrors({ imageUrl: "javascript:alert(1)", logoUrl: "" }), {
    imageUrl: ["must be an https address"],
  });
  assert.deepEqual(rewardErrors({ value: 5 }), { currency: ["is required with a value"] });
  const late = { validFrom: "2026-03-01T00:00:00Z", validTill: "2026-02-01T00:00:00Z" };
  assert.deepEqual(termsErrors(changedTerms(NEW_TERMS, late)), { validTill: ["must be after validFrom"] });
  for (const body of [null, undefined, {}, 5, "x"]) assert.deepEqual(rewardErrors(body), {});
});

test("a record's reward has every member of the specification, and the currency of its value", () => {
  const terms = changedTerms(NEW_TERMS, { name: "Tea", value: 2, currency: "GBP", points: 5 });
  assert.deepEqual(snapshot(terms, { id: "r", voucherIdentifier: "v", code: "C" }), {
    id: "r",
    name: "Tea",
    voucherIdentifier: "v",
    brand: "",
    category: "",
    code: "C",
    description: "",
    imageUrl: "",
    logoUrl: "",
    location: "",
    offer: "",
    points: 5,
    value: 2,
    currency: "GBP",
    tier: 0,
    terms: [],
    validTill: null,
  });
});
