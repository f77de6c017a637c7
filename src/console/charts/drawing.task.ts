import { parentPort } from "node:worker_threads";
import type { DrawingReply, DrawingRequest } from "./charts.task.ts";
import { CHART_SIZES } from "./chart.ts";
import type { ChartSpec } from "./chart.ts";
import { optionOf } from "./option.ts";

// The thread that draws. One file of 3.5 MB is loaded six times faster than the 700 modules behind "echarts/core".
const { init } = await import("echarts/dist/echarts.esm.mjs");

/** What the library writes for its own script in the browser, which we don't have. In texts `<` and `"` are escaped. */
const UNUSED =
  / (?:ecmeta_\w+|class|pointer-events|xml:space|xmlns:xlink|baseProfile)="[^"]*"|<style[^>]*>[^<]*<!\[CDATA\[[^<]*<\/style>/g;

function drawn(spec: ChartSpec, [width, height]: readonly [number, number]): string {
  const chart = init(null, null, { renderer: "svg", ssr: true, width, height });
  try {
    chart.setOption(optionOf(spec, [width, height]));
    return chart.renderToSVGString().replaceAll(UNUSED, "");
  } finally {
    chart.dispose();
  }
}

parentPort!.on("message", ({ id, spec }: DrawingRequest) => {
  let reply: DrawingReply;
  try {
    reply = { id, chart: { wide: drawn(spec, CHART_SIZES.wide), narrow: drawn(spec, CHART_SIZES.narrow) } };
  } catch (error) {
    reply = { id, error: String(error) };
  }
  parentPort!.postMessage(reply);
});
