/** How deep a JSON text is, an upper bound of its values, and the most members of one of its objects. */
export interface JsonMeasures {
  readonly depth: number;
  readonly values: number;
  readonly members: number;
}

const UNLIMITED: JsonMeasures = { depth: Infinity, values: Infinity, members: Infinity };

/**
 * Measures a JSON text in one pass without recursion. Ends at the first measure over its limit, and at a bracket that
 * closes nothing, which no JSON has: the measures are then of the text so far.
 */
export function measureJson(json: string, max: JsonMeasures = UNLIMITED): JsonMeasures {
  let [depth, deepest, values, members] = [0, 0, 1, 0];
  let isInString = false;
  /** Members of each open object. */
  const open: number[] = [0];
  for (let i = 0; i < json.length; i++) {
    const character = json.charCodeAt(i);
    if (isInString) {
      if (character === BACKSLASH) i++;
      else if (character === QUOTE) isInString = false;
    } else if (character === QUOTE) isInString = true;
    else if (character === BRACE || character === BRACKET) {
      values++;
      deepest = Math.max(deepest, ++depth);
      open[depth] = 0;
      if (deepest > max.depth) break;
    } else if (character === BRACE_END || character === BRACKET_END) {
      if (--depth < 0) break;
    } else if (character === COMMA) {
      if (++values > max.values) break;
    } else if (character === COLON) {
      const count = open[depth]! + 1;
      open[depth] = count;
      members = Math.max(members, count);
      if (members > max.members) break;
    }
  }
  return { depth: deepest, values, members };
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [BRACE, BRACE_END, BRACKET, BRACKET_END] = [0x7b, 0x7d, 0x5b, 0x5d];
