import type { RecordItem } from "../../src/points/record.ts";

/** An item of a record with these points; `changes` are the members that a test is about. */
export function recordItem(id: string, healthPoints: number, changes: Partial<RecordItem> = {}): RecordItem {
  return {
    id,
    externalId: "",
    name: id,
    cleanedName: id,
    imageUrl: "",
    quantity: 1,
    amountMinor: 100,
    matchedName: id,
    healthRating: 1,
    carbonRating: 3,
    co2eMg: 10,
    carbonDataSource: "",
    healthPoints,
    carbonPoints: 0,
    bonusPoints: 0,
    ...changes,
  };
}
