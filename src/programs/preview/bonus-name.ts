/** A bonus that was given, or would be. */
export interface GivenBonus {
  readonly userId: string;
  /** As `welcome`, or `streak` with its id. */
  readonly name: string;
  readonly points: number;
  readonly atMs: number;
}

/** The name of a bonus in a preview. */
export function bonusName(kind: string, id?: string): string {
  return id === undefined ? kind : `${kind} ${id}`;
}
