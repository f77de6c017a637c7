import { chartNumber } from "../charts/chart.ts";
import type { ChartUnit } from "../charts/chart.ts";
import type { ConsoleLanguage } from "../language.ts";
import { percent } from "../format.ts";

/** Less than half a per cent is not worth naming. */
const SAME_SHARE = 0.005;

/** Says how a figure changed from the timeframe before; never a share of nothing. */
export function changeOf(
  language: ConsoleLanguage,
  unit: ChartUnit,
  { now, before }: { readonly now: number | null; readonly before: number | null },
): string {
  const { change } = language.phrases.overview;
  if (now === null) return change.unknown;
  if (before === null || before === 0) return now === 0 ? change.same(written(language, unit, 0)) : change.fromNone;
  const share = (now - before) / Math.abs(before);
  const was = written(language, unit, before);
  if (Math.abs(share) < SAME_SHARE) return change.same(was);
  const size = percent(language, Math.round(Math.abs(share) * 100) / 100);
  return share > 0 ? change.more(size, was) : change.less(size, was);
}

function written({ locale }: ConsoleLanguage, unit: ChartUnit, value: number): string {
  return chartNumber(locale, unit, value);
}
