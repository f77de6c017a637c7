// The state of the webhook endpoints, as a chart from the side. Pure.
import type { Row } from "../../reports/report.ts";
import { number } from "../format.ts";
import type { ConsoleLanguage } from "../language.ts";
import { sum } from "./figures.ts";
import type { Planned } from "./plan.ts";

/** Endpoints drawn; the table has up to as many. */
const ENDPOINTS_MAX = 10;

/** What waits at each endpoint and what failed for good, the worst first. */
export function webhooksChart(language: ConsoleLanguage, rows: readonly Row[]): Planned {
  const { locale, phrases } = language;
  const { webhooks: words } = phrases.overview;
  const [pending, failed] = [sum(rows, "pending"), sum(rows, "failed")];
  const hasNumbers = pending + failed > 0;
  const worst = rows.toSorted((a, b) => sum([b], "failed", "pending") - sum([a], "failed", "pending"));
  const drawn = worst.slice(0, ENDPOINTS_MAX);
  const series = (["pending", "failed"] as const).map((column, i) => ({
    name: words[column],
    kind: "bar" as const,
    look: i === 0 ? (3 as const) : (2 as const),
    values: drawn.map((row) => sum([row], column)),
  }));
  const stateOf = ({ state }: Row) => words.states[state as keyof typeof words.states] ?? String(state);
  const counted = (value: number) => number(language, value);
  return {
    id: "webhooks",
    report: "webhooks",
    title: words.title,
    hint: words.hint,
    sentence:
      rows.length === 0
        ? words.empty
        : hasNumbers
          ? words.sentence(counted(pending), counted(failed))
          : words.allWell(counted(rows.length)),
    spec: hasNumbers
      ? {
          locale,
          unit: "number",
          labels: drawn.map((row) => addressOf(row)),
          series,
          isAcross: true,
        }
      : null,
    table: {
      caption: words.title,
      head: [words.endpoint, words.state, words.pending, words.failed],
      rows: worst
        .slice(0, 100)
        .map((row) => [
          String(row["url"]),
          stateOf(row),
          counted(sum([row], "pending")),
          counted(sum([row], "failed")),
        ]),
    },
  };
}

/** Characters of an address: more have no room beside a chart. */
const ADDRESS_MAX = 17;

/** An endpoint without `https://`, which all have; of a long one its end, which endpoints of one host differ in. */
function addressOf({ url }: Row): string {
  const address = String(url).replace(/^https?:\/\//, "");
  return address.length > ADDRESS_MAX ? `…${address.slice(1 - ADDRESS_MAX)}` : address;
}
