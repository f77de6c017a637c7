import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { csvLine } from "../csv/csv.ts";

const LINES_SHOWN = 3;

/** What became of a row. Rows with a reason are in the report. */
export interface RowOutcome<Kind extends string> {
  readonly kind: Kind;
  readonly reason?: string;
}

/** Rows of one outcome and reason: their number, and the first lines. */
export interface ReasonCount {
  readonly outcome: string;
  readonly reason: string;
  count: number;
  readonly lines: number[];
}

/** The file that says which rows were refused, and why; it is created with the first of them. */
export interface RowReport {
  readonly reasons: ReadonlyMap<string, ReasonCount>;
  /** Whether the file was created. */
  isWritten(): boolean;
  add(rows: readonly { readonly line: number; readonly outcome: RowOutcome<string> }[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates the report. It has line numbers and our own sentences, but no value of a row: a spreadsheet would carry out a
 * cell that starts with "=", and the file is no second copy of people's data.
 */
export function createRowReport(path: string): RowReport {
  const reasons = new Map<string, ReasonCount>();
  let file: FileHandle | undefined;
  return {
    reasons,
    isWritten: () => file !== undefined,
    add: async (rows) => {
      let text = "";
      for (const { line, outcome } of rows) {
        const { kind, reason } = outcome;
        if (reason === undefined) continue;
        const key = `${kind} ${reason}`;
        const counted = reasons.get(key) ?? { outcome: kind, reason, count: 0, lines: [] };
        counted.count += 1;
        if (counted.lines.length < LINES_SHOWN) counted.lines.push(line);
        reasons.set(key, counted);
        text += `${csvLine([String(line), kind, reason])}\n`;
      }
      if (text === "") return;
      if (!file) {
        file = await open(path, "w", 0o600);
        await file.writeFile("line,outcome,reason\n");
      }
      await file.writeFile(text);
    },
    close: async () => file?.close(),
  };
}
