import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { normaliseRedirectUri, redirectUriError, redirectWith } from "./redirect.ts";

const live = { isSandbox: false, redirectAllowList: [] };
const sandbox = { isSandbox: true, redirectAllowList: [] };

test("https and an app's own scheme redirect", () => {
  for (const address of [
    "https://app.example/back",
    "https://app.example:8443/back?state=1#done",
    "HTTPS://APP.EXAMPLE",
    "myapp://done",
    "myapp://",
    "com.example.app://receipts/done?x=1",
  ]) {
    assert.equal(redirectUriError(address, live), null, address);
  }
});

test("nothing that runs script, shows local content, is relative, or hides something redirects", () => {
  for (const address of [
    "",
    "/back",
    "back",
    "?x",
    "//evil.example/back",
    "\\\\evil.example",
    "https:evil.example",
    "https://",
    "https:// evil.example",
    "javascript:alert(1)",
    "JavaScript://x/%0aalert(1)",
    "java\nscript://x",
    " javascript://x",
    "data:text/html,x",
    "data://text/html,x",
    "file:///etc/passwd",
    "vbscript://x",
    "blob:https://app.example/1",
    "blob://x",
    "about:blank",
    "about://blank",
    "view-source://x",
    "intent://x",
    "ftp://x",
    "https://app.example/\r\nset-cookie: a=b",
    "https://app.example/\u0000",
    "https://app.example/\u0085",
    "https://user@app.example/",
    "https://:secret@app.example/",
    "myapp://user:secret@done",
    "http://app.example/back",
  ]) {
    for (const rules of [live, sandbox]) assert.ok(redirectUriError(address, rules), JSON.stringify(address));
  }
});

test("http://localhost redirects from a sandbox only, and no other name passes for it", () => {
  assert.equal(redirectUriError("http://localhost:3000/back", sandbox), null);
  assert.ok(redirectUriError("http://localhost:3000/back", live));
  assert.ok(redirectUriError("http://localhost.evil.example/", sandbox));
  assert.ok(redirectUriError("http://localhost@evil.example/", sandbox));
});

test("with an allow-list only its addresses redirect, whatever their query", () => {
  const rules = { isSandbox: false, redirectAllowList: ["https://app.example/back", "myapp://done"] };
  assert.equal(redirectUriError("https://app.example/back", rules), null);
  assert.equal(redirectUriError("https://app.example/back?state=1#x", rules), null);
  assert.equal(redirectUriError("myapp://done", rules), null);
  for (const address of [
    "https://app.example/back/more",
    "https://app.example/",
    "https://app.example:444/back",
    "https://evil.example/back",
    "https://app.example.evil.example/back",
    "https://app.example/x/../back/..",
    "myapp://other",
    "otherapp://done",
  ]) {
    assert.ok(redirectUriError(address, rules), address);
  }
});

test("an address that is allowed has no character in it that could end a header or an attribute", () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string({ unit: "binary" })), (text) => {
      for (const address of [text, `https://app.example/${text}`, `myapp://${text}`]) {
        if (redirectUriError(address, sandbox) !== null) continue;
        assert.match(normaliseRedirectUri(address), /^[\x21-\x7e]+$/);
      }
    }),
  );
});

test("the outcome is added to the query; what the address held before stays as it was", () => {
  const outcome = { status: "completed", sessionId: "s", receiptId: "r" } as const;
  const added = "status=completed&sessionId=s&receiptId=r";
  assert.equal(redirectWith("https://app.example/back", outcome), `https://app.example/back?${added}`);
  assert.equal(redirectWith("https://a.example/?a=%20+b", outcome), `https://a.example/?a=%20+b&${added}`);
  assert.equal(redirectWith("https://a.example/?", outcome), `https://a.example/?${added}`);
  assert.equal(redirectWith("https://a.example/#/done?x=1", outcome), `https://a.example/?${added}#/done?x=1`);
  assert.equal(redirectWith("myapp://", outcome), `myapp://?${added}`);
});
