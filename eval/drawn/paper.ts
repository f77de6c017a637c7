/** One row of print. `scale` heightens and widens the type. */
export type PaperRow =
  | { kind: "text"; text: string; scale: number; isBold: boolean }
  | { kind: "bars" }
  | { kind: "gap" };

interface Style {
  scale?: number;
  isBold?: boolean;
}

/** A strip of paper under the printing head: rows of so many characters. */
export interface Paper {
  columns: number;
  rows: PaperRow[];
  text: (text: string, style?: Style) => void;
  centre: (text: string, style?: Style) => void;
  /** Left and right on one row; what is left gives way. */
  pair: (left: string, right: string, style?: Style) => void;
  rule: (character?: string) => void;
  gap: () => void;
  bars: () => void;
}

/** A new strip. */
export function newPaper(columns: number): Paper {
  const rows: PaperRow[] = [];
  const text = (line: string, { scale = 1, isBold = false }: Style = {}): void => {
    rows.push({ kind: "text", text: line.slice(0, Math.floor(columns / scale)).trimEnd(), scale, isBold });
  };
  const width = ({ scale = 1 }: Style): number => Math.floor(columns / scale);
  return {
    columns,
    rows,
    text,
    centre: (line, style = {}) => text(" ".repeat(Math.max(0, (width(style) - line.length) >> 1)) + line, style),
    pair: (left, right, style = {}) => {
      const room = width(style) - right.length - 1;
      text(`${left.slice(0, room).padEnd(room)} ${right}`, style);
    },
    rule: (character = "-") => text(character.repeat(columns)),
    gap: () => void rows.push({ kind: "gap" }),
    bars: () => void rows.push({ kind: "bars" }),
  };
}
