import assert from "node:assert/strict";
import { test } from "node:test";
import {
  enrollmentOf,
  hashToken,
  isSessionToken,
  receiptRequestOf,
  sessionErrors,
  sessionToken,
  sessionUrl,
  tokenIn,
  tokenKey,
} from "./session.ts";

const KEY = tokenKey(Buffer.alloc(32, 1));
const RANDOM = Buffer.alloc(24, 0xfb);
const token = sessionToken(RANDOM, KEY);

test("a token has all 192 random bits and needs no escaping in an address", () => {
  assert.match(token, /^[\w-]{43}$/);
  assert.equal(
    sessionUrl("https://pages.example/x", "receipt", token),
    `https://pages.example/x/receipts?sessionId=${token}`,
  );
});

test("a token shows that it was made with the key, and no other one does", () => {
  assert.ok(isSessionToken(token, KEY));
  assert.deepEqual(Buffer.from(token, "base64url").subarray(0, 24), RANDOM);
  assert.ok(!isSessionToken(token, tokenKey(Buffer.alloc(32, 2))));
  for (let i = 0; i < 32; i++) {
    const changed = Buffer.from(token, "base64url");
    changed[i]! ^= 1;
    assert.ok(!isSessionToken(changed.toString("base64url"), KEY), String(i));
  }
  for (const text of ["", "short", Buffer.alloc(32, 0xfb).toString("base64url")]) assert.ok(!isSessionToken(text, KEY));
});

test("another spelling of the same bytes is another token", () => {
  const twin = `${token.slice(0, -1)}${String.fromCharCode(token.charCodeAt(42) + 1)}`;
  assert.deepEqual(Buffer.from(twin, "base64url"), Buffer.from(token, "base64url"));
  assert.notDeepEqual(hashToken(twin), hashToken(token));
});

test("a token is found under either name, and only when there is one of it", () => {
  assert.equal(tokenIn({ sessionId: token }), token);
  assert.equal(tokenIn({ session_id: token }), token);
  assert.equal(tokenIn({ sessionId: token, session_id: token }), token);
  const none = [{}, { sessionId: "" }, { sessionId: [token, token] }, { sessionId: token, session_id: "x" }];
  for (const query of [...none, { sessionId: `${token}=` }, { sessionId: "__proto__" }, { sessionid: token }]) {
    assert.equal(tokenIn(query), null, JSON.stringify(query));
  }
});

test("the rules name each error, also in a body that is no body", () => {
  const rules = { isSandbox: false, redirectAllowList: [] };
  const errors = sessionErrors({ redirectUri: "javascript:1", locale: "not a tag" }, rules);
  assert.deepEqual(Object.keys(errors), ["redirectUri", "locale"]);
  for (const body of [null, undefined, [], 5, { redirectUri: 5, locale: null }, { locale: "de-CH" }]) {
    assert.deepEqual(sessionErrors(body, rules), {}, JSON.stringify(body));
  }
});

test("only members of the interface are stored", () => {
  const person = { email: "ada@example.com", firstName: "Ada", lastName: "Lovelace", city: "London" };
  const sent = { ...person, points: 5, redirectUri: "myapp://x", locale: "en" };
  assert.deepEqual(enrollmentOf(sent), person);
  const receipt = { userId: "u", points: 5, merchantName: " " };
  assert.deepEqual(receiptRequestOf(receipt), {
    userId: "u",
    reference: null,
    merchantName: null,
    amount: null,
    transactionTimestamp: null,
    cardLastFour: null,
  });
});
