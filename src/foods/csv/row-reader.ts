/** Takes text in pieces, gives the rows that became whole, each with the line it starts on. */
export interface RowReader {
  push(text: string): Row[];
  /** The row that no line break ended. */
  end(): Row[];
}

/** One row of a table. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The separator of a table by its header: the one of tab, semicolon and comma that stands there most often. */
export function separatorOf(header: string): "\t" | ";" | "," {
  const count = (separator: string) => header.split(separator).length;
  const [best = ","] = (["\t", ";", ","] as const).toSorted((a, b) => count(b) - count(a));
  return best;
}

/**
 * Reads a table that is too large to be held: RFC 4180 with any separator. A table separated by tabs quotes nothing: in
 * the exports that are made so, a quote is a quote.
 */
export function createRowReader(separator: "\t" | ";" | ","): RowReader {
  const isQuoting = separator !== "\t";
  let cells: string[] = [];
  let cell = "";
  let quoted = false;
  /** A quote was the last character: it ends the quoted part, or the next one doubles it. */
  let quoteSeen = false;
  let line = 1;
  let start = 1;

  const push = (text: string): Row[] => {
    const rows: Row[] = [];
    let from = 0;
    const take = (to: number) => {
      if (to > from) cell += text.slice(from, to);
    };
    for (let at = 0; at < text.length; at += 1) {
      if (at === from && cells.length === 0 && cell === "" && !quoted) {
        // A line in which nothing is quoted is split at once: a table is so read in seven tenths of the time.
        const end = text.indexOf("\n", at);
        const whole = text.slice(at, end);
        if (end >= 0 && !(isQuoting && whole.includes('"'))) {
          if (whole !== "" && whole !== "\r")
            rows.push({ line: start, cells: (whole.endsWith("\r") ? whole.slice(0, -1) : whole).split(separator) });
          at = end;
          from = end + 1;
          line += 1;
          start = line;
          continue;
        }
      }
      const char = text[at];
      if (char === "\n") line += 1;
      if (quoteSeen) {
        quoteSeen = false;
        from = at;
        if (char === '"') continue;
        quoted = false;
      }
      if (quoted) {
        if (char !== '"') continue;
        take(at);
        quoteSeen = true;
        from = at + 1;
      } else if (char === separator || char === "\n") {
        take(at);
        cells.push(char === "\n" && cell.endsWith("\r") ? cell.slice(0, -1) : cell);
        cell = "";
        from = at + 1;
        if (char !== "\n") continue;
        if (cells.length > 1 || cells[0] !== "") rows.push({ line: start, cells });
        cells = [];
        start = line;
      } else if (isQuoting && char === '"' && cell === "" && at === from) {
        quoted = true;
        from = at + 1;
      }
    }
    if (!quoteSeen) take(text.length);
    return rows;
  };

  return {
    push,
    end: () => (cells.length > 0 || cell !== "" ? push("\n") : []),
  };
}
