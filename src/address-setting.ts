/** Reads a setting that is the address of a service. Null: it is not set. Adds to `errors` what is wrong. */
export function readAddress(text: string, name: string, errors: string[]): string | null {
  if (text === "") return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    errors.push(`${name} must be an http or https address without query`);
  }
  return text.replace(/\/+$/, "");
}
