import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { COUNTERS, DURATIONS } from "../meters.ts";
import type { CounterName, DurationName, Meters } from "../meters.ts";
import type { GaugeReading } from "./gauge.ts";

/** The metrics of one process: what is measured as it happens, and what is read when somebody asks. */
export interface Exposition {
  readonly meters: Meters;
  readonly contentType: string;
  /** Returns all metrics for Prometheus, with these gauges. One call at a time. */
  text(gauges: readonly GaugeReading[]): Promise<string>;
}

/** Precision of the delay of the event loop. With the usual 10 ms an idle process wakes up 100 times a second. */
const LOOP_PRECISION_MS = 50;

/** Creates the metrics of a process. Each has a registry of its own: tests run several services in one process. */
export function createExposition(): Exposition {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_PRECISION_MS });
  const counters = new Map<string, Counter>();
  for (const [name, { help, labels, ...rest }] of Object.entries(COUNTERS)) {
    const counter = new Counter({ name, help, labelNames: [...labels], registers });
    counters.set(name, counter);
    if ("from" in rest) for (const start of rest.from) counter.inc(start, 0);
  }
  const durations = new Map<string, Histogram>();
  for (const [name, { help, labels, upTo }] of Object.entries(DURATIONS)) {
    durations.set(name, new Histogram({ name, help, labelNames: [...labels], buckets: [...upTo], registers }));
  }
  const gauges = new Map<string, Gauge>();

  const gaugeOf = ({ name, help, labels }: GaugeReading): Gauge => {
    const known = gauges.get(name) ?? new Gauge({ name, help, labelNames: [...labels], registers });
    gauges.set(name, known);
    return known;
  };
  const set = (readings: readonly GaugeReading[]): void => {
    const given = readings.map((reading) => ({ of: gaugeOf(reading), values: reading.values }));
    for (const known of gauges.values()) {
      known.reset();
      // After a reset a gauge without labels is 0, which nobody has measured.
      known.remove({});
    }
    for (const { of, values } of given) for (const { of: labels, value } of values) of.set({ ...labels }, value);
  };

  return {
    meters: {
      count: (name: CounterName, labels: object, amount = 1) => counters.get(name)!.inc(labels, amount),
      time: (name: DurationName, labels: object, seconds: number) => durations.get(name)!.observe(labels, seconds),
    },
    contentType: registry.contentType,
    text: (readings) => {
      set(readings);
      return registry.metrics();
    },
  };
}
