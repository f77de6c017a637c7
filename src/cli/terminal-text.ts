/**
 * Characters that a terminal obeys instead of showing them (C0, DEL, C1), line breaks included, and those that reorder
 * the text around them. Names and notes come from applications and their users; one with an escape sequence could
 * hide, forge or retype lines on the screen of the operator.
 */
// eslint-disable-next-line no-control-regex -- it finds control characters
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Returns one line for a terminal: each such character as its escape sequence in JSON. */
export function terminalLine(text: string): string {
  return text.replaceAll(OBEYED, escaped);
}

/** Returns JSON of the same value without such characters. `JSON.stringify` itself escapes only the first 32. */
export function terminalJson(json: string): string {
  return json.replaceAll(OBEYED, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
