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
import { atTimes } from "./report-times.ts";
import { readTable } from "./table-file.ts";

const LINES_SHOWN = 3;
/** What else a table has beside its codes is not read. */
const CODES = { columns: { names: ["code"], required: [["code"]] }, ignored: "others" } as const;

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
    const load = async (codes: readonly string[]) => {
      const loaded: LoadedCodes = isUuid(rewardId)
        ? await database.tx((tx) => loadCodes(tx, applicationId, rewardId, codes))
        : { kind: "unknown" };
      if (loaded.kind !== "loaded") throw refusalOf(loaded.kind);
      return loaded;
    };
    // Before the file is read: whether there is such a pool, and what is in it.
    let { freeCodes } = await load([]);
    const duplicates: LeftOut = { count: 0, lines: [] };
    const wrong: LeftOut = { count: 0, lines: [] };
    let rows = 0;
    let added = 0;
    const reportLine = atTimes(report);
    for await (const { rows: batch, share } of readTable({ file, ...CODES, batchRows: CODES_A_REQUEST_MAX })) {
      rows += batch.length;
      const lines = new Map<string, number>();
      for (const { cells, line } of batch) {
        const code = (cells?.code ?? "").trim();
        if (!isCode(code)) note(wrong, line);
        else if (lines.has(code)) note(duplicates, line);
        else lines.set(code, line);
      }
      const loaded = await load([...lines.keys()]);
      for (const [code, line] of lines) if (!loaded.added.has(code)) note(duplicates, line);
      added += loaded.added.size;
      freeCodes = loaded.freeCodes;
      reportLine(`${rows} rows read, ${added} codes added, ${Math.round(100 * share)} % of the file`);
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
