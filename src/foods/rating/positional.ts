// Objects as arrays of their values, by a list of names. An object with other members stays as it is, so that nothing
// is lost that a later version adds.

/** The values in the order of the names, or the object itself. */
export type Packed = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Returns the values of these members. One that is not there becomes null; nulls at the end are left out. */
export function packed(names: readonly string[], value: object): unknown[] {
  const members = value as Readonly<Record<string, unknown>>;
  const values = names.map((name) => members[name] ?? null);
  while (values.length > 0 && values.at(-1) === null) values.pop();
  return values;
}

/** The same for an object whose members are not all known: one with others stays as it is. */
export function packedAll(names: readonly string[], value: object): Packed {
  for (const name in value) if (!names.includes(name)) return value as Packed;
  return packed(names, value);
}

/** Returns the object. A null is the member's value, or with "absent" a member that is not there. */
export function unpacked(names: readonly string[], values: Packed, nulls: "value" | "absent" = "value"): object {
  if (!Array.isArray(values)) return values;
  const members: Record<string, unknown> = {};
  for (const [i, name] of names.entries()) {
    const value: unknown = values[i] ?? null;
    if (value !== null || nulls === "value") members[name] = value;
  }
  return members;
}

/** Names of a list, each by its digit; or the names themselves, if one is not in it. */
export type PackedNames = string | readonly string[];

/** Packs some of at most ten names, in their order. */
export function packedNames(list: readonly string[], names: readonly string[]): PackedNames {
  let digits = "";
  for (const name of names) {
    const place = list.indexOf(name);
    if (place < 0) return names;
    digits += String(place);
  }
  return digits;
}

export function unpackedNames(list: readonly string[], names: PackedNames): string[] {
  return typeof names === "string" ? Array.from(names, (digit) => list[Number(digit)]!) : [...names];
}
