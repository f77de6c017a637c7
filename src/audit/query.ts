// The query of the list. Pure: parameters in, a filter or its errors out.
import { firstIdAt } from "../ids.ts";
import { filtersOf } from "../lists/filters.ts";
import type { Errors } from "../problems.ts";

/** What is asked of the list: entries from one id on and below another one; ids ascend with time. */
export interface AuditQuery {
  readonly from: string;
  readonly below: string;
  readonly limit: number;
}

const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Reads the query. Returns an error for each wrong parameter. */
export function readAuditQuery(query: URLSearchParams): AuditQuery | { errors: Errors } {
  const filters = filtersOf(query);
  const [since, until, before] = [filters.time("since"), filters.time("until"), filters.id("before", "an entry")];
  const limit = filters.pageSize();
  if (Object.keys(filters.errors).length > 0) return { errors: filters.errors };
  return { ...rangeOf({ since, until, before }), limit };
}

/** Returns the ids of entries of a time, and before an entry; null: any. */
export function rangeOf({
  since,
  until,
  before,
}: {
  since: Date | null;
  until: Date | null;
  before: string | null;
}): Pick<AuditQuery, "from" | "below"> {
  const end = until === null ? LAST_ID : firstIdAt(until.getTime());
  return {
    from: since === null ? FIRST_ID : firstIdAt(since.getTime()),
    below: before !== null && before < end ? before : end,
  };
}
