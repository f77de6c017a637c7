// What Citus refuses of migrations: docs/operations.md. By their text, since they change the schema that a tree needs.

const CONSTRAINT = /(?:\bCONSTRAINT\s+(\w+)\s+)?\b(PRIMARY KEY|UNIQUE|FOREIGN KEY|CHECK\s*\(|EXCLUDE\b|REFERENCES)/gi;

/** The statements of a migration, without comments; texts and the bodies of functions are empty. */
export function statementsOf(sql: string): string[] {
  const bare = sql
    .replaceAll(/--[^\n]*|\$(\w*)\$.*?\$\1\$|'(?:[^']|'')*'/gs, (found) => (found.startsWith("--") ? "" : "''"))
    .replaceAll(/\s+/g, " ");
  return bare.split(";").flatMap((each) => (each.trim() === "" ? [] : [each.trim()]));
}

/** The commas outside of parentheses. */
function topLevelCommas(text: string): number {
  let depth = 0;
  let commas = 0;
  for (const char of text) {
    if (char === "(") depth++;
    else if (char === ")") depth--;
    else if (char === "," && depth === 0) commas++;
  }
  return commas;
}

function unnamed(text: string): string[] {
  // What a foreign key refers to belongs to it.
  const bare = text.replaceAll(/(FOREIGN KEY \([^)]*\)) REFERENCES/gi, "$1 refers");
  return [...bare.matchAll(CONSTRAINT)].flatMap(([, name, kind]) => (name ? [] : [`${kind!.trim()} without a name`]));
}

/** What is wrong with a migration, for Citus. */
export function refusedOf(sql: string): string[] {
  const commentless = sql.replaceAll(/--[^\n]*/g, "");
  const found = [
    ...(/\bSELECT\s+FROM\b/i.test(commentless) ? ["SELECT of no column"] : []),
    ...(/\bctid\b/i.test(commentless) ? ["ctid"] : []),
    ...(/\bTG_(?:TABLE_NAME|RELNAME|NAME)\s*(?:=|<>|IN\b)/i.test(commentless) ? ["the exact name of a table"] : []),
  ];
  for (const text of statementsOf(sql)) {
    const isAlter = /^ALTER TABLE\b/i.test(text);
    if (isAlter && topLevelCommas(text) > 0) found.push("several subcommands in an ALTER");
    const isAdding = isAlter && /\bADD (?!CONSTRAINT\b|PRIMARY\b|UNIQUE\b|FOREIGN\b|CHECK\b|EXCLUDE\b)/i.test(text);
    if (isAdding && text.search(CONSTRAINT) >= 0) found.push("a column that is added with a constraint");
    else if (isAlter || /^CREATE TABLE\b/i.test(text)) found.push(...unnamed(text));
    if (isAdding && /\bIDENTITY\b|serial\b/i.test(text)) found.push("numbers in a column that is added");
    if (/\b(?:int|integer|smallint)\b[^,]*\bIDENTITY\b|\b(?:small)?serial\b/i.test(text)) {
      found.push("numbers that are no bigint");
    }
    if (/^CREATE (?:TEMP|TEMPORARY) TABLE\b|^CREATE TABLE [^(]* AS\b/i.test(text)) {
      found.push("a temporary table, or one from a SELECT");
    }
  }
  return [...new Set(found)];
}
