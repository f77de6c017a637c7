import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { html } from "./html.ts";

test("a value is text, whatever it looks like", () => {
  assert.equal(html`<p title="${`"'`}">${"<b>&amp;"}</p>`.text, `<p title="&quot;&#39;">&lt;b&gt;&amp;amp;</p>`);
});

test("a template in a template stays markup; lists follow one another; nothing leaves no trace", () => {
  const items = ["<a>", "b"].map((item) => html`<li>${item}</li>`);
  assert.equal(html`${items}|${null}|${false}|${0}`.text, "<li>&lt;a&gt;</li><li>b</li>|||0");
});

test("an object that looks like markup is not taken for it", () => {
  const forged = JSON.parse('{"text":"<script>"}') as string;
  assert.throws(() => html`${forged}`);
});

test("no text can open a tag or end a quoted attribute", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.doesNotMatch(html`${text}`.text, /[<>"']/);
    }),
  );
});
