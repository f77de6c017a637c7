/** A gauge with its current value. A gauge without a value (null) is left out. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly value: number | null;
}

/** Content type of the exposition format. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Formats gauges for Prometheus: text exposition format 0.0.4. */
export function exposition(gauges: readonly Gauge[]): string {
  return gauges
    .filter(({ value }) => value !== null)
    .map(({ name, help, value }) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`)
    .join("");
}
