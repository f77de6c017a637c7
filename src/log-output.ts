import { pino } from "pino";

/** Text of one turn that is written before its end. */
const CHARACTERS_MAX = 64 * 1024;

/**
 * The standard output for the lines of the log. Those of one turn of the event loop are one write: a batch of accepted
 * foods has dozens, and each write wakes the program that reads them. So only an end by SIGKILL or of the machine can
 * lose lines, those of the turn that it ends; an error that nobody caught and `process.exit` lose none.
 */
export function logOutput(): { write(line: string): void } {
  const output = pino.destination({ dest: 1, sync: true });
  let lines = "";
  const flush = (): void => {
    const text = lines;
    lines = "";
    if (text !== "") output.write(text);
  };
  process.on("exit", flush);
  return {
    write(line) {
      if (lines === "") setImmediate(flush);
      lines += line;
      if (lines.length > CHARACTERS_MAX) flush();
    },
  };
}
