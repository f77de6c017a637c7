import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { normaliseRedirectUri, redirectRulesOf, redirectUriError, redirectUriNow, redirectWith } from "./redirect.ts";

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

test("an address that the application no longer allows is left out, or replaced by the application's own", () => {
  const address = "https://old.example/back";
  const free = { ...live, redirectUri: null };
  const own = { ...live, redirectUri: "https://new.example/", redirectAllowList: ["https://new.example/"] };
  assert.equal(redirectUriNow(address, free), address);
  assert.equal(redirectUriNow(address, own), own.redirectUri);
  assert.equal(redirectUriNow(address, { ...own, redirectUri: null }), null);
  assert.equal(redirectUriNow("https://new.example/?state=1", own), "https://new.example/?state=1");
  assert.equal(redirectUriNow(null, own), null);
  assert.equal(redirectUriNow("my-app://x", free), null, "its scheme was registered by an address that is gone");
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

test("no scheme redirects that a system, a browser or a widespread program handles, not even a registered one", () => {
  const schemes = `ms-msdt search-ms search ms-settings ms-appinstaller ms-word ms-windows-store ms-officecmd smb cifs afp
    nfs ssh sftp telnet rdp vnc ldap itms itms-services itms-apps itms-appss facetime facetime-audio tel sms mms mailto
    callto skype zoommtg msteams slack steam market android-app x-apple.systempreferences com.apple.preferences
    microsoft.windows.camera microsoft-edge chrome-extension safari-web-extension moz-extension view-source web+app
    git+ssh irc magnet bitcoin otpauth webcal feed shortcuts help x-man-page ws wss ftp jar mk mhtml intent fido`;
  for (const scheme of schemes.split(/\s+/)) {
    for (const rules of [live, sandbox, { ...live, schemes: [scheme] }, { ...live, schemes: "any" as const }]) {
      assert.ok(redirectUriError(`${scheme}://x`, rules), scheme);
      assert.ok(redirectUriError(`${scheme.toUpperCase()}://x/y?z=1`, rules), scheme);
    }
  }
});

test("a scheme that is neither one word nor a reverse domain redirects if it is registered for the application", () => {
  const application = { isSandbox: false, redirectAllowList: [], redirectUri: "my-shop+app://done" };
  assert.ok(redirectUriError("my-shop+app://other", live));
  assert.equal(redirectUriError("my-shop+app://other", redirectRulesOf(application)), null);
  assert.equal(redirectUriError("my-shop+app://done", { ...live, schemes: "any" }), null);
  const listed = { ...application, redirectUri: null, redirectAllowList: ["my-shop://done"] };
  assert.equal(redirectUriError("my-shop://done", redirectRulesOf(listed)), null);
  for (const address of ["io.example.app://x", "com.example.my-app://x", "fb123456789://authorize", "de.shop://x"]) {
    assert.equal(redirectUriError(address, live), null, address);
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
