/** A gauge with its value. Null: there is no value, and no line. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly value: number | null;
}

/** The content type of `exposition`. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Gauges as Prometheus reads them: text exposition format 0.0.4. */
export function exposition(gauges: readonly Gauge[]): string {
  return gauges
    .filter(({ value }) => value !== null)
    .map(({ name, help, value }) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`)
    .join("");
}
