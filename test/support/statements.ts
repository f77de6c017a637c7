import { Client } from "pg";
import type { Connection, Submittable } from "pg";
import type { Database, Tx } from "../../src/postgres/postgres.ts";
import type { Column, Columns, Statement } from "../../src/postgres/statement.ts";

/** A column of a result as PostgreSQL describes it; `origin` where it is a table's column and nothing else. */
export interface Described {
  readonly name: string;
  readonly type: string;
  readonly origin: {
    readonly nulls: "never" | "possible" | "unknown";
    readonly values: readonly string[] | null;
  } | null;
}

interface Field {
  readonly name: string;
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeID: number;
}

/** Lets the server parse a statement and describe its result, without running it. */
class Description implements Submittable {
  readonly fields: Promise<Field[]>;
  readonly #text: string;
  #found: Field[] = [];
  #resolve!: (fields: Field[]) => void;
  #reject!: (error: Error) => void;
  constructor(text: string) {
    this.#text = text;
    this.fields = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }
  submit(connection: Connection): void {
    connection.parse({ name: "", text: this.#text, types: [] }, true);
    connection.describe({ type: "S", name: "" }, true);
    connection.sync();
  }
  handleRowDescription(message: { fields: Field[] }): void {
    this.#found = message.fields;
  }
  handleError(error: Error): void {
    this.#reject(error);
  }
  handleReadyForQuery(): void {
    this.#resolve(this.#found);
  }
}

/** Describes the results of statements by the schema of a database. */
export async function openDescriber(
  connectionString: string,
): Promise<{ describe(text: string): Promise<Described[]>; close(): Promise<void> }> {
  const client = new Client({ connectionString });
  await client.connect();
  const types = await lookUp<{ key: string; type: string }>(
    client,
    "SELECT oid::text AS key, typname AS type FROM pg_type",
  );
  const origins = await lookUp<{ key: string; isNotNull: boolean; check: string | null }>(
    client,
    `SELECT attrelid || '.' || attnum AS key, attnotnull AS "isNotNull",
            (SELECT pg_get_constraintdef(c.oid) FROM pg_constraint c
             WHERE c.contype = 'c' AND c.conrelid = attrelid AND c.conkey = ARRAY[attnum]
               AND pg_get_constraintdef(c.oid) LIKE '%= ANY (ARRAY[%' LIMIT 1) AS check
     FROM pg_attribute WHERE attnum > 0`,
  );
  const fieldsOf = (text: string) => client.query(new Description(text)).fields;
  return {
    describe: async (text) => {
      const fields = await fieldsOf(text);
      // A cast to another type of number contains the column itself.
      const bare = await fieldsOf(text.replaceAll(/(?<=[\w"])::(?:float8|int)\b(?! *\[)/g, "")).catch(() => fields);
      // Beyond an outer join a column may be null whatever its table says.
      const hasOuterJoin = /\b(?:LEFT|RIGHT|FULL)(?: OUTER)? JOIN\b/i.test(text);
      return fields.map(({ name, dataTypeID }, i) => {
        const { tableID = 0, columnID = 0 } = bare[i] ?? {};
        const found = origins.get(`${tableID}.${columnID}`);
        const values = found?.check ? [...found.check.matchAll(/'([^']*)'/g)].map(([, value]) => value!) : null;
        const nulls = !found?.isNotNull ? "possible" : hasOuterJoin ? "unknown" : "never";
        const origin = found ? ({ nulls, values } as const) : null;
        return { name, type: types.get(String(dataTypeID))?.type ?? `type ${dataTypeID}`, origin };
      });
    },
    close: () => client.end(),
  };
}

async function lookUp<Row extends { key: string }>(client: Client, text: string): Promise<Map<string, Row>> {
  return new Map((await client.query<Row>(text)).rows.map((row) => [row.key, row]));
}

/** What a declaration says of a result that its description does not. */
export function differences(declared: Columns, described: readonly Described[]): string[] {
  const names = described.map(({ name }) => name);
  return [
    ...names.filter((name, i) => names.indexOf(name) !== i).map((name) => `${name} twice`),
    ...Object.keys(declared)
      .filter((name) => !names.includes(name))
      .map((name) => `${name} is not there`),
    ...described.flatMap(({ name, type, origin }) => {
      const column = declared[name];
      if (!column) return [`${name} (${type}) is not declared`];
      if (column.type !== type) return [`${name} is ${type}, not ${column.type}`];
      const isNullable = column.nulls !== "never";
      const ofNulls =
        origin?.nulls === (isNullable ? "never" : "possible")
          ? [`${name} ${isNullable ? "is never" : "may be"} null`]
          : [];
      const list = origin?.values?.toSorted().join(", ");
      const isOther = list !== undefined && column.values && list !== column.values.toSorted().join(", ");
      return isOther ? [...ofNulls, `${name} is one of ${list}`] : ofNulls;
    }),
  ];
}

const IS: Record<string, (value: unknown) => boolean> = {
  uuid: (value) => typeof value === "string",
  text: (value) => typeof value === "string",
  void: (value) => value === "",
  int8: (value) => typeof value === "string",
  bool: (value) => typeof value === "boolean",
  int2: Number.isInteger,
  int4: Number.isInteger,
  float8: Number.isFinite,
  timestamptz: (value) => value instanceof Date,
  bytea: Buffer.isBuffer,
  jsonb: () => true,
  _text: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
};

function isOf(column: Column<unknown>, value: unknown): boolean {
  if (value === null) return column.nulls === "possible";
  if (!IS[column.type]?.(value)) return false;
  return !column.values || [value].flat().every((one) => column.values!.includes(one as string));
}

/** What is wrong with rows by the declaration of their statement. */
export function errorsOf(statement: Statement, rows: readonly object[]): string[] {
  const { columns } = statement;
  if (!columns) return [];
  return rows.flatMap((row) =>
    Object.entries(row)
      .filter(([name, value]) => !columns[name] || !isOf(columns[name], value))
      .map(([name, value]) => `${statement.name}: ${name} is ${value === null ? "null" : typeof value}`),
  );
}

/** The same database, holding each row that it gives to the declaration of its statement. */
export function holdingRows(database: Database): Database {
  const held = <T extends Tx>(tx: T): T => ({
    ...tx,
    query: async <Row extends object>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]> => {
      const rows = await tx.query<Row>(statement, values);
      const [error] = errorsOf(statement, rows);
      if (error !== undefined) throw new Error(`a row is not as declared: ${error}`);
      return rows;
    },
  });
  return {
    ...held(database),
    tx: (work) => database.tx((tx) => work(held(tx))),
    snapshot: (work) => database.snapshot((tx) => work(held(tx))),
  };
}
