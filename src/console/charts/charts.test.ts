import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createCharts } from "./charts.task.ts";
import type { ChartSpec } from "./chart.ts";
import { describe } from "./figure.ts";
import { overview } from "../languages/en/overview.ts";

const logged: unknown[] = [];
const charts = createCharts({ error: (about: unknown) => logged.push(about) });
after(() => charts.stop());

const HOSTILE = `<img src=x onerror="alert(1)">"' class="a" {a|b} {c} \${1} %s &amp;`;

function specOf(more: Partial<ChartSpec> = {}): ChartSpec {
  const labels = ["1 Nov", "2 Nov", "3 Nov", "4 Nov"];
  const series = [
    { name: "Issued", kind: "bar", look: 1, values: [1, 0, 12, 3] },
    { name: "Lost", kind: "bar", look: 2, values: [0, 0, 5, 0] },
    { name: "Before", kind: "line", look: "before", values: [4, null, 2, 1] },
  ] as const;
  return { locale: "en-GB", unit: "number", labels, series, ...more };
}

test("text from outside in a chart stays text: in names, and in labels from the side", async () => {
  const series = [{ name: HOSTILE, kind: "bar", look: 2, values: [3] }] as const;
  for (const isAcross of [false, true]) {
    const drawn = await charts.draw(specOf({ labels: [HOSTILE], series, isAcross }));
    assert.ok(drawn);
    for (const svg of Object.values(drawn)) {
      assert.match(svg, /&lt;img/, "it is there, as far as there is room");
      assert.doesNotMatch(
        svg,
        /<(?!\/?(?:svg|g|path|rect|text|defs|clipPath|pattern|polyline|circle|polygon|tspan)\b)/,
      );
      assert.doesNotMatch(svg, / on\w+="/);
    }
  }
});

test("a chart needs no script, no style element and no colours of its own, and differs without them", async () => {
  const drawn = await charts.draw(specOf());
  assert.ok(drawn);
  for (const svg of Object.values(drawn)) {
    assert.doesNotMatch(
      svg,
      /<style|<script|javascript:|https?:(?!\/\/www\.w3\.org\/2000\/svg)|NaN|undefined|Infinity/,
    );
    assert.match(svg, /var\(--chart-1\)/);
    assert.match(svg, /<pattern/, "the second series has a pattern");
    assert.match(svg, /stroke-dasharray/, "the line of before is dashed");
    for (const { name } of specOf().series) assert.ok(svg.includes(`>${name}</text>`), "labelled directly");
  }
});

test("a name of letters beyond ASCII is not cut where there is room", async () => {
  const series = [{ name: "مستبدلة", kind: "line", look: 1, values: [1, 2, 3, 4] }] as const;
  const drawn = await charts.draw(specOf({ series, locale: "ar" }));
  for (const svg of Object.values(drawn ?? { wide: "", narrow: "" })) assert.match(svg, />مستبدلة<\/text>/);
});

test("unknown numbers leave a gap, and a chart of nothing but them has no NaN", async () => {
  for (const values of [
    [null, null, null, null],
    [Number.NaN, 1, Number.POSITIVE_INFINITY, 2],
    [0, 0, 0, 0],
  ]) {
    const drawn = await charts.draw(specOf({ series: [{ name: "Rate", kind: "line", look: 1, values }] }));
    assert.ok(drawn);
    assert.doesNotMatch(drawn.wide + drawn.narrow, /NaN|Infinity/);
  }
});

test("a chart that was drawn is kept; many at once are drawn, as many as may wait", async () => {
  const first = await charts.draw(specOf({ unit: "kg" }));
  assert.equal(await charts.draw(specOf({ unit: "kg" })), first);
  const many = await Promise.all(
    Array.from({ length: 80 }, (_, i) => charts.draw(specOf({ labels: [`${i}`, "", "", ""] }))),
  );
  assert.equal(many.filter((each) => each !== null).length, 64);
});

test("a thread that fails leaves pages without pictures, and is logged; the next chart starts another", async () => {
  const errors: unknown[] = [];
  const broken = createCharts(
    { error: (about: unknown) => errors.push(about) },
    new URL("missing.ts", import.meta.url),
  );
  assert.deepEqual(await Promise.all([broken.draw(specOf()), broken.draw(specOf({ unit: "kg" }))]), [null, null]);
  assert.equal(await broken.draw(specOf()), null);
  assert.ok(errors.length >= 2);
  await broken.stop();
  await charts.stop();
  assert.ok(await charts.draw(specOf({ unit: "percent" })));
  assert.deepEqual(logged, []);
});

test("a chart is described by its lowest, highest and last number, and where it goes", () => {
  const spec = specOf();
  const rising = { name: "Issued", kind: "line", look: 1, values: [1, 2, null, 30, 40] } as const;
  const labels = ["a", "b", "c", "d", "e"];
  assert.equal(
    describe(overview.chart, { ...spec, labels }, rising),
    "Issued: lowest 1 (a), highest 40 (e), last 40. It rises.",
  );
  assert.equal(describe(overview.chart, spec, { ...rising, values: [null, null] }), "");
});
