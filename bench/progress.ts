/** Tells people how far it is, on stderr, so that stdout holds the report alone. */
export type Progress = (text: string) => void;

/** One line that is written over on a terminal, a line each elsewhere. */
export const showProgress: Progress = (text) => {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`);
};
