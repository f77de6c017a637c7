/** The little of a JSON Schema that says where null may stand. */
export interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/**
 * A body without its members that are null: many serializers (Java's, C#'s, Go's) write null for what is not there. What
 * takes null by its schema keeps it, and so does what no schema declares, such as what `metadata` holds. An entry of an
 * array is no member: there null stays, and is a error.
 */
export function withoutNulls(value: unknown, shape: Shape): unknown {
  const { items, properties } = shape;
  if (Array.isArray(value)) return items ? value.map((entry) => withoutNulls(entry, items)) : value;
  if (!properties || typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const declared = Object.hasOwn(properties, name) ? properties[name]! : null;
    if (declared === null) return [[name, member]];
    if (member === null && !takesNull(declared)) return [];
    return [[name, withoutNulls(member, declared)]];
  });
  return Object.fromEntries(members);
}

function takesNull({ type, anyOf }: Shape): boolean {
  return type === "null" || (anyOf?.some(takesNull) ?? false);
}
