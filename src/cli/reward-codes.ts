import { createRowReader, separatorOf } from "../csv/row-reader.ts";
import { isUuid } from "../ids.ts";
import {
  CODES_A_REQUEST_MAX,
  CODES_OF_APPLICATION_MAX,
  CODES_OF_REWARD_MAX,
  CODE_LENGTH_MAX,
  isCode,
} from "../rewards/codes/code.ts";
import { loadCodes } from "../rewards/store.ts";
import type { LoadedCodes } from "../rewards/store.ts";
import { CLIENT_ID, applicationOf } from "./client-id.ts";
import { Refusal, command, required } from "./command.ts";
import type { Command } from "./command.ts";
import { openText } from "./text-file.ts";

const PROGRESS_MS = 2_000;
const LINES_SHOWN = 3;
/** A code has at most 64 characters: a row of this length is no table of codes. */
const ROW_CHARS_MAX = 10_000;

/** The rows that were left out for one reason, with the first lines. */
interface LeftOut {
  count: number;
  readonly lines: number[];
}

/** The command that loads the codes of a pool. */
export const REWARD_CODES: Command = command({
  name: "reward codes",
  summary: "load voucher codes into the pool of a reward from a CSV with a column code",
  details:
    "Reads a table of any length in constant memory, gzipped or not, 1,000 codes at a time, each batch in a tx of its own. " +
    "The command can be repeated: codes that the application has already are left out and reported.",
  options: {
    clientId: CLIENT_ID,
    rewardId: required("ID", 'the reward, as "reward list" shows it'),
    file: required("FILE", "the table"),
  },
  examples: ["reward codes --client-id app_… --reward-id 01a1… --file codes.csv"],
  run: async ({ database, options: { clientId, rewardId, file }, print, report }) => {
    const { id: applicationId } = await applicationOf(database, clientId);
    if (!isUuid(rewardId)) throw refusalOf("unknown");
    const duplicates: LeftOut = { count: 0, lines: [] };
    const wrong: LeftOut = { count: 0, lines: [] };
    let rows = 0;
    let added = 0;
    let freeCodes = 0;
    let reportedAt = performance.now();
    for await (const { batch, share } of readCodes(file)) {
      rows += batch.length;
      const lines = new Map<string, number>();
      for (const { code, line } of batch) {
        if (!isCode(code)) note(wrong, line);
        else if (lines.has(code)) note(duplicates, line);
        else lines.set(code, line);
      }
      const loaded = await database.tx((tx) => loadCodes(tx, applicationId, rewardId, [...lines.keys()]));
      if (loaded.kind !== "loaded") throw refusalOf(loaded.kind);
      for (const [code, line] of lines) if (!loaded.added.has(code)) note(duplicates, line);
      added += loaded.added.size;
      freeCodes = loaded.freeCodes;
      if (performance.now() - reportedAt < PROGRESS_MS) continue;
      reportedAt = performance.now();
      report(`${rows} rows read, ${added} codes added, ${Math.round(100 * share)} % of the file`);
    }
    print({ rewardId, rows, added, duplicates, refused: wrong, freeCodes }, [
      `${rows} rows: ${added} codes added, ${freeCodes} are left in the pool`,
      ...shown(duplicates, "the application has already"),
      ...shown(wrong, `are no codes: letters, digits, -, _ and ., at most ${CODE_LENGTH_MAX}`),
    ]);
  },
});

function note(leftOut: LeftOut, line: number): void {
  leftOut.count += 1;
  if (leftOut.lines.length < LINES_SHOWN) leftOut.lines.push(line);
}

function shown({ count, lines }: LeftOut, reason: string): string[] {
  return count === 0 ? [] : [`  ${count} ${reason} (line ${lines.join(", ")}${count > lines.length ? ", …" : ""})`];
}

function refusalOf(kind: Exclude<LoadedCodes["kind"], "loaded">): Refusal {
  const reasons = {
    unknown: "the application has no reward of this id",
    "no pool": "this reward has no pool: its codes are not loaded",
    "too many of reward": `a reward has at most ${CODES_OF_REWARD_MAX} codes`,
    "too many of application": `an application has at most ${CODES_OF_APPLICATION_MAX} codes`,
  };
  return new Refusal(reasons[kind]);
}

/** Reads the column `code` of a table in batches. */
async function* readCodes(file: string): AsyncGenerator<{ batch: { code: string; line: number }[]; share: number }> {
  const text = await openText(file);
  const share = () => text.share();
  let reader: ReturnType<typeof createRowReader> | undefined;
  let column: number | undefined;
  let batch: { code: string; line: number }[] = [];
  let sinceRow = 0;
  const take = (rows: readonly { line: number; cells: readonly string[] }[]) => {
    for (const { line, cells } of rows) {
      if (column === undefined) {
        column = cells.findIndex((name) => name.replace("\uFEFF", "").trim().toLowerCase() === "code");
        if (column >= 0) continue;
        throw new Refusal("the table has no column code in its first line");
      }
      batch.push({ code: (cells[column] ?? "").trim(), line });
    }
  };
  for await (const piece of text.pieces) {
    reader ??= createRowReader(separatorOf(piece.slice(0, piece.indexOf("\n") + 1 || undefined)));
    const rows = reader.push(piece);
    sinceRow = rows.length > 0 ? 0 : sinceRow + piece.length;
    if (sinceRow > ROW_CHARS_MAX + piece.length) throw new Refusal("a row of the table is too long");
    take(rows);
    while (batch.length >= CODES_A_REQUEST_MAX) {
      yield { batch: batch.slice(0, CODES_A_REQUEST_MAX), share: share() };
      batch = batch.slice(CODES_A_REQUEST_MAX);
    }
  }
  take(reader?.end() ?? []);
  if (column === undefined) throw new Refusal("the file is empty");
  if (batch.length > 0) yield { batch, share: 1 };
}
