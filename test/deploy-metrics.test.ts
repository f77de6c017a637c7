import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { parseYaml } from "@redocly/openapi-core";
import { COUNTERS, DURATIONS } from "../src/meters.ts";
import { startService } from "./support/service.ts";
import type { TestService } from "./support/service.ts";

// The dashboard and the alert rules name metrics and labels that a running service has.

const DEPLOY = join(import.meta.dirname, "../deploy");
const read = (file: string) => readFileSync(join(DEPLOY, file), "utf8");
const TOKEN = "deploy-metrics";

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
}

const rules = (parseYaml(read("prometheus/alerts.yml")) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const dashboard = JSON.parse(read("grafana/rewards-service.json")) as { panels: Panel[] };

let service: TestService;
/** The labels of each metric by the names of its series, as a running service declares and shows them. */
const labelsByName = new Map<string, Set<string>>();
before(async () => {
  service = await startService({ env: { METRICS_TOKEN: TOKEN } });
  const client = await service.newClient();
  const userId = await client.enrol();
  await client.call("POST", "/track/foods", { userId });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const { body } = await service.app.server.inject({ method: "GET", url: "/metrics", headers });
  for (const line of body.split("\n")) {
    const [, declared, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (declared !== undefined) {
      for (const end of type === "histogram" ? ["_bucket", "_count", "_sum"] : [""]) {
        labelsByName.set(`${declared}${end}`, new Set(["instance", "job", ...(end === "_bucket" ? ["le"] : [])]));
      }
    }
    const [, name, labels = ""] = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (name !== undefined) for (const [, label] of labels.matchAll(/(\w+)="/g)) labelsByName.get(name)?.add(label!);
  }
  // A series without a value yet shows no labels.
  for (const [name, { labels }] of Object.entries({ ...COUNTERS, ...DURATIONS })) {
    const series = [name, `${name}_bucket`, `${name}_count`, `${name}_sum`];
    for (const each of series) for (const label of labels) labelsByName.get(each)?.add(label);
  }
});
after(() => service.close());

const FUNCTIONS = new Set(
  "sum max min avg topk rate increase delta changes time histogram_quantile by le and or on ignoring".split(" "),
);
/** Prometheus itself knows whether it reached a target. */
const OF_PROMETHEUS = "up";

/** The metrics of an expression with the labels that it selects, and the labels that it groups by. */
function partsOf(expr: string): { metrics: { name: string; labels: string[] }[]; grouped: string[] } {
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/\s*,\s*/));
  const rest = expr.replaceAll(/\bby \([^)]*\)/g, " ");
  const metrics = [...rest.matchAll(/(?<![\w$."])([a-z_][a-z0-9_]*)(\{[^}]*\})?(?!\w|\s*\()/g)]
    .filter(([, name]) => !FUNCTIONS.has(name!) && !/^[smhdw]$/.test(name!))
    .map(([, name, selector = ""]) => ({
      name: name!,
      labels: [...selector.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label]) => label!),
    }));
  return { metrics, grouped };
}

function wrongIn(expr: string): string[] {
  const { metrics, grouped } = partsOf(expr.replaceAll(/"[^"]*"/g, '"x"').replaceAll(/\[\w+\]/g, ""));
  assert.ok(metrics.length > 0, `no metric in ${expr}`);
  return metrics
    .filter(({ name }) => name !== OF_PROMETHEUS)
    .flatMap(({ name, labels }) => {
      const known = labelsByName.get(name);
      if (!known) return [`${name} does not exist`];
      return [...labels, ...grouped].filter((label) => !known.has(label)).map((label) => `${name} has no ${label}`);
    });
}

test("every alert is about metrics and labels that exist, and says what to do", () => {
  assert.ok(rules.length >= 15);
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  for (const rule of rules) {
    assert.deepEqual(wrongIn(rule.expr), [], rule.alert);
    assert.match(rule.for, /^\d+[smh]$/, rule.alert);
    assert.match(rule.labels["severity"]!, /^(?:critical|warning|info)$/, rule.alert);
    assert.match(rule.annotations["action"]!, /^.{40,}\.$/, rule.alert);
    assert.match(rule.annotations["summary"]!, /\.$/, rule.alert);
  }
});

test("every panel of the dashboard is about metrics and labels that exist, and no two are at one place", () => {
  const panels = dashboard.panels.filter(({ targets }) => targets);
  assert.ok(panels.length >= 20);
  for (const { title, targets = [] } of panels) {
    for (const { expr, legendFormat } of targets) {
      assert.deepEqual(wrongIn(expr), [], title);
      const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
      const { metrics, grouped } = partsOf(expr);
      const has = (label: string) =>
        grouped.includes(label) ||
        (grouped.length === 0 && metrics.some(({ name }) => labelsByName.get(name)?.has(label)));
      assert.deepEqual(
        shown.filter((label) => !has(label)),
        [],
        title,
      );
    }
  }
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
  );
  assert.equal(new Set(cells).size, cells.length, "panels overlap");
});

test("the check sees a metric, a label and a group that do not exist", () => {
  assert.deepEqual(wrongIn("max(rewards_no_such_metric) > 0"), ["rewards_no_such_metric does not exist"]);
  assert.deepEqual(wrongIn('rate(rewards_http_requests_total{tenant="x"}[5m])'), [
    "rewards_http_requests_total has no tenant",
  ]);
  assert.deepEqual(wrongIn("sum by (userId) (rewards_queue_waiting)"), ["rewards_queue_waiting has no userId"]);
});
