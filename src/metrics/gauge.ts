/** A gauge as it is read, with a value for each set of labels. One that cannot be read has no values. */
export interface GaugeReading {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly values: readonly { readonly of: Readonly<Record<string, string>>; readonly value: number }[];
}

/** A gauge without labels. Null: it has no value now. */
export function gauge(name: string, help: string, value: number | null): GaugeReading {
  return { name, help, labels: [], values: value === null ? [] : [{ of: {}, value }] };
}

/** A gauge with values by one label. */
export function gaugeBy(
  name: string,
  help: string,
  label: string,
  values: readonly (readonly [of: string, value: number])[],
): GaugeReading {
  return { name, help, labels: [label], values: values.map(([of, value]) => ({ of: { [label]: of }, value })) };
}
