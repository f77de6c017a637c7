import * as fc from "fast-check";

/** Raw JSON text, for values that no serializer writes. */
export class Raw {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

/** A member of a body: a valid value (undefined: the valid body is without it), invalid values, and its own members. */
export interface Member {
  readonly value: unknown;
  readonly wrong: readonly unknown[];
  readonly isRequired?: boolean;
  readonly members?: Readonly<Record<string, Member>>;
}

/** The members of a body by their names. */
export type Members = Readonly<Record<string, Member>>;

/** One change that makes a body invalid: the new value at the path; undefined removes the member. */
interface Miss {
  readonly path: readonly (string | number)[];
  readonly wrong: unknown;
}

const NO_TEXT: readonly unknown[] = [null, true, 0, -1.5, [], ["x"], {}, { toString: "x" }, new Raw("1e400")];
const UNSTORABLE = ["\0", "a\0b", "\ud800", "a\udc00b"];
const NO_OBJECT = [null, false, 1, "x", [], [{}]];

export function text(value: string, max = 255): Member {
  return { value, wrong: [...NO_TEXT, ...UNSTORABLE, "x".repeat(max + 1), "水".repeat(max + 1)] };
}

export function word(value: string, max = 255): Member {
  return { value, wrong: [...text(value, max).wrong, "", " ", "\t\r\n", "\u00a0", "\u3000"] };
}

export function number(value: number, min: number, max: number): Member {
  const beyond = [min - 1, min - Math.abs(min) / 2 - 1e-9, max * 1.001, 1e308, -1e308];
  const raws = ["1e400", "-1e400", "1".repeat(400)].map((json) => new Raw(json));
  return { value, wrong: [null, true, "", "1", "1.0", "one", [], [1], {}, ...beyond, ...raws] };
}

export function integer(value: number, min: number, max: number): Member {
  const { wrong } = number(value, min, max);
  return { value, wrong: [...wrong, min + 0.5, max - 0.5, new Raw("1e-7")] };
}

export function flag(value: boolean): Member {
  return { value, wrong: [null, String(value), "", 0, 1, [], {}] };
}

export function instant(value: string): Member {
  const times = "2025-02-29T00:00:00Z 2026-13-01T00:00:00Z 2026-01-32T00:00:00Z 2026-01-31 2026-01-31T12:00:00 12:00Z";
  const more =
    "2026-01-31T24:00:00Z 2026-01-31T12:00:00+24:00 1767225600 yesterday 9999-12-31T23:59:59-23:59 0000-01-01T00:00:00Z";
  return {
    value,
    wrong: [...NO_TEXT, ...UNSTORABLE, "", " ", "２０２６-01-31T12:00:00Z", ...times.split(" "), ...more.split(" ")],
  };
}

export function oneOf(value: string, wrong: readonly string[]): Member {
  return { value, wrong: [...NO_TEXT, ...UNSTORABLE, ...wrong] };
}

export function object(members: Members): Member {
  return { value: valueOf(members), wrong: NO_OBJECT, members };
}

export function list(item: Member, max: number): Member {
  const wrong = [
    null,
    {},
    "x",
    1,
    [null],
    [[]],
    ["x"],
    [1, item.value],
    { 0: item.value },
    Array(max + 1).fill(item.value),
  ];
  return { value: [item.value], wrong, ...(item.members && { members: { 0: item } }) };
}

export function required(member: Member): Member {
  return { ...member, isRequired: true };
}

/** A member that the valid body is without. */
export function absent({ wrong }: Member): Member {
  return { value: undefined, wrong };
}

/** A member that null clears. */
export function clearable(member: Member): Member {
  return { ...member, wrong: member.wrong.filter((value) => value !== null) };
}

export const currency = oneOf("GBP", ["", "EURO", "€", "GB", "G1P", " GBP", "ＧＢＰ"]);

/** Returns the valid values of members. */
export function valueOf(members: Members): Record<string, unknown> {
  const values = Object.entries(members).map(([name, { value }]) => [name, value] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function missesOf(members: Members, isNullAbsent: boolean, at: readonly (string | number)[] = []): Miss[] {
  return Object.entries(members).flatMap(([name, member]) => {
    const path = [...at, name];
    // Null is allowed for an optional member, but not as an entry of a list.
    const isNullRight = isNullAbsent && !member.isRequired && !/^\d+$/.test(name);
    return [
      ...(member.isRequired ? [{ path, wrong: undefined }] : []),
      ...member.wrong.filter((wrong) => wrong !== null || !isNullRight).map((wrong) => ({ path, wrong })),
      ...(member.members ? missesOf(member.members, isNullAbsent, path) : []),
    ];
  });
}

/** Undeclared members that may be in a body without effect. */
const STRAYS = {
  totalPoints: 1e9,
  userID: "x",
  isSandbox: true,
  Zoë: null,
  toString: 1,
  hasOwnProperty: [],
  tenantId: {},
};

/**
 * Generates bodies with one to three errors, sometimes with unknown members. `isNullAbsent`: a null member is treated
 * as missing.
 */
export function wrongBodies(members: Members, isNullAbsent: boolean): fc.Arbitrary<unknown> {
  const misses = missesOf(members, isNullAbsent);
  return fc
    .tuple(
      fc.array(fc.constantFrom(...misses), { minLength: 1, maxLength: 3 }),
      fc.subarray(Object.entries(STRAYS)),
      fc.boolean(),
    )
    .map(([chosen, strays, isReversed]) => {
      const right = Object.entries(structuredClone(valueOf(members)));
      const body = Object.fromEntries([...strays, ...(isReversed ? right.toReversed() : right)]);
      // Deeper errors first: the value that replaces a parent is an error as well.
      for (const { path, wrong } of chosen.toSorted((a, b) => b.path.length - a.path.length)) put(body, path, wrong);
      return body;
    });
}

function put(into: unknown, [name, ...rest]: readonly (string | number)[], value: unknown): void {
  if (typeof into !== "object" || into === null || name === undefined) return;
  const holder = into as Record<string | number, unknown>;
  if (rest.length > 0) put(holder[name], rest, value);
  else if (value === undefined) delete holder[name];
  else holder[name] = value;
}

/** Changes the text of a valid body so that it is no longer an acceptable JSON object. */
export function wrongTexts(right: object): fc.Arbitrary<string | Buffer> {
  const json = JSON.stringify(right);
  const open = json.slice(0, -1);
  const fixed: (string | Buffer)[] = [
    "",
    " ",
    "null",
    "true",
    "5",
    "[]",
    '"x"',
    `[${json}]`,
    JSON.stringify(json),
    `${json}{}`,
    `${json},`,
    `${json}//`,
    `/**/${json}`,
    `${open},}`,
    json.replaceAll('"', "'"),
    `${open},"x":NaN}`,
    `${open},"x":+1}`,
    `${open},"x":01}`,
    `${open},"x":.5}`,
    `${open},"x":undefined}`,
    `${open},"__proto__":{"isSandbox":true}}`,
    `${open},"constructor":{"prototype":{"x":1}}}`,
    `${open},"x":{"__proto__":null}}`,
    `${open},"x":"\u0000"}`,
    `${open},"x":"\\u0000"}`,
    `${open},"\\ud800":1}`,
    `${open},"x":"\\x41"}`,
    `${open},"x":"line\nbreak"}`,
    `${open},"x":${"[".repeat(100_000)}`,
    `${open},"x":${"[".repeat(500)}${"]".repeat(500)}}`,
    `${open},"x":[${"0,".repeat(60_000)}0]}`,
    `${open},"x":"${"x".repeat(1024 * 1024)}"}`,
    Buffer.concat([Buffer.from(`${open},"x":"`), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    Buffer.concat([Buffer.from(`${open},"x":"`), Buffer.from([0xc0, 0x80]), Buffer.from('"}')]),
    Buffer.from(json, "utf16le"),
  ];
  const twice = Object.keys(right).map((name) => `${open},${JSON.stringify(name)}:[null]}`);
  return fc.oneof(
    fc.constantFrom(...fixed),
    fc.constantFrom(...twice),
    fc.nat({ max: json.length - 1 }).map((length) => json.slice(0, length)),
  );
}

/** Content types and codings that are refused for a JSON body. */
export const WRONG_HEADERS: readonly Readonly<Record<string, string>>[] = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=b",
  "application/xml",
  "json",
  "*/*",
  "application/json; charset=utf-16",
  "application/json; charset=latin1",
  "application/jsonp",
  "application/json-patch+json",
].map((type) => ({ "content-type": type }));
export const WRONG_CODINGS = ["gzip", "br", "deflate", "identity, gzip", "x"].map((coding) => ({
  "content-type": "application/json",
  "content-encoding": coding,
}));

/** Serializes a body to JSON; raw parts stay as they are. */
export function write(value: unknown): string {
  if (value instanceof Raw) return value.json;
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`)
    .join(",")}}`;
}

/** Ids in a path that cannot exist. */
export const IDS_OF_NOBODY: readonly string[] = [
  "'%20OR%20'1'='1",
  "%00",
  "..%2f",
  "%ff%fe",
  "%",
  "{{7*7}}",
  "__proto__",
  "toString",
  "x".repeat(3_000),
  "%F0%9F%8D%8E",
  "0",
  "-1",
  "null",
  "00000000-0000-7000-8000-000000000000",
  "%20",
  ";",
  "*",
];
