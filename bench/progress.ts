/** Shows the progress on stderr, so that stdout has only the report. */
export type Progress = (text: string) => void;

/** On a terminal, one line that is overwritten; otherwise a line each time. */
export const showProgress: Progress = (text) => {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`);
};
