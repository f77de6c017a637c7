// Statements that say what rows they give. The declaration is the row's TypeScript type and, in the tests, what the
// migrated database is held to: test/statements.test.ts. Nothing of it is looked at while the service runs.

/** A column of a result: its type in PostgreSQL and what is known of its values beyond it. */
export interface Column<Value> {
  /** As pg_type names it; of an array with a leading underscore. */
  readonly type: string;
  /** "never-by-query": null may stand in the table, but never in this result. */
  readonly nulls: "never" | "possible" | "never-by-query";
  /** The only texts there may be; absent: any. */
  readonly values?: readonly string[];
  /** Carries the type that the driver makes of it; never there. */
  readonly value?: Value;
}

/** The columns of a result by their names; empty for a statement that gives no rows. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

/** The row that columns describe. */
export type RowOf<C extends Columns> = { -readonly [K in keyof C]: C[K] extends Column<infer Value> ? Value : never };

/** A statement of ours: `name` is unique in the service, so that PostgreSQL parses and plans it once a connection. */
export interface Statement<Row extends object = object> {
  readonly name: string;
  readonly text: string;
  readonly columns?: Columns;
  /** Carries the type of a row; never there. */
  readonly row?: Row;
}

const declared = new Map<string, Statement & { readonly columns: Columns }>();

/** Declares a statement with the columns of its rows, in any order. Throws where another has its name. */
export function statement<C extends Columns>(name: string, columns: C, text: string): Statement<RowOf<C>> {
  if (declared.has(name)) throw new Error(`two statements are named ${name}`);
  declared.set(name, { name, text, columns });
  return { name, text, columns };
}

/** Every statement declared so far, in order. */
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
/** The driver gives bigints as text, since not all of them are a number of JavaScript. */
export const int8 = column<string>("int8");
export const timestamptz = column<Date>("timestamptz");
export const bytea = column<Buffer>("bytea");
export const textArray = column<string[]>("_text");
/** What a function gives that gives nothing. */
export const nothing = column<string>("void");

/** A jsonb whose shape is that of who wrote it: the database cannot tell. */
export function json<Value>(): Column<Value> {
  return column<Value>("jsonb");
}

/** A text that is one of a closed list. */
export function oneOf<const Value extends string>(values: readonly Value[]): Column<Value> {
  return { ...column<Value>("text"), values };
}

/** An array of texts of a closed list. */
export function someOf<const Value extends string>(values: readonly Value[]): Column<Value[]> {
  return { ...column<Value[]>("_text"), values };
}

/** The same column where there may be none. */
export function orNull<Value>(of: Column<Value>): Column<Value | null> {
  return { ...of, nulls: "possible" };
}

/** A column that the table allows to be null and this statement does not, by its WHERE. */
export function neverNull<Value>(of: Column<Value>): Column<Value> {
  return { ...of, nulls: "never-by-query" };
}
