// Statements that declare the columns of their rows. The declaration is the TypeScript type of a row, and
// test/statements.test.ts compares it with the migrated database. Nothing of it is checked while the service runs.

/** A column of a result: its type in PostgreSQL, and constraints of its values. */
export interface Column<Value> {
  /** The name in pg_type; for an array with a leading underscore. */
  readonly type: string;
  /** "never-by-query": the column can be null in the table, but not in this result. */
  readonly nulls: "never" | "possible" | "never-by-query";
  /** The allowed texts; absent: any text. */
  readonly values?: readonly string[];
  /** Only for the type of the driver's value; never present. */
  readonly value?: Value;
}

/** The columns of a result by name; empty for a statement without rows. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

/** The type of a row with these columns. */
export type RowOf<C extends Columns> = { -readonly [K in keyof C]: C[K] extends Column<infer Value> ? Value : never };

/** An SQL statement: `name` is unique in the service, so that PostgreSQL parses and plans it once a connection. */
export interface Statement<Row extends object = object> {
  readonly name: string;
  readonly text: string;
  readonly columns?: Columns;
  /** Only for the type of a row; never present. */
  readonly row?: Row;
}

const declared = new Map<string, Statement & { readonly columns: Columns }>();

/** Declares a statement with the columns of its rows, in any order. Throws if the name is already used. */
export function statement<C extends Columns>(name: string, columns: C, text: string): Statement<RowOf<C>> {
  if (declared.has(name)) throw new Error(`two statements are named ${name}`);
  declared.set(name, { name, text, columns });
  return { name, text, columns };
}

/** Returns the statements declared so far, in order. */
export function declaredStatements(): readonly (Statement & { readonly columns: Columns })[] {
  return [...declared.values()];
}

function column<Value>(type: string): Column<Value> {
  return { type, nulls: "never" };
}

export const uuid = column<string>("uuid");
export const text = column<string>("text");
export const bool = column<boolean>("bool");
export const int2 = column<number>("int2");
export const int4 = column<number>("int4");
export const float8 = column<number>("float8");
/** The driver returns bigints as text, since some of them are no exact numbers in JavaScript. */
export const int8 = column<string>("int8");
export const timestamptz = column<Date>("timestamptz");
export const bytea = column<Buffer>("bytea");
export const textArray = column<string[]>("_text");
/** The result of a function without a result. */
export const nothing = column<string>("void");

/** A jsonb. Its shape is that of the code which writes it: the database cannot check it. */
export function json<Value>(): Column<Value> {
  return column<Value>("jsonb");
}

/** A text from a closed list. */
export function oneOf<const Value extends string>(values: readonly Value[]): Column<Value> {
  return { ...column<Value>("text"), values };
}

/** A smallint from a closed list of numeric codes, which the table checks. */
export function code<Value extends number>(): Column<Value> {
  return column<Value>("int2");
}

/** An array of texts from a closed list. */
export function someOf<const Value extends string>(values: readonly Value[]): Column<Value[]> {
  return { ...column<Value[]>("_text"), values };
}

/** The same column, nullable. */
export function orNull<Value>(of: Column<Value>): Column<Value | null> {
  return { ...of, nulls: "possible" };
}

/** A column that is nullable in the table, but not in this result, because of the WHERE clause. */
export function neverNull<Value>(of: Column<Value>): Column<Value> {
  return { ...of, nulls: "never-by-query" };
}
