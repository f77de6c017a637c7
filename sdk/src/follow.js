/** @import { CallOptions, Rewards, TransactionQuery, TransactionRecord, WaitOptions } from "./sdk.d.ts" */
import { TimeoutError } from "./errors.js";
import { sleep } from "./retry.js";

const PAGE_SIZE = 100;
const FIRST_POLL_MS = 150;
const POLL_MS_MAX = 2_000;
const WAIT_MS_MAX = 120_000;

/**
 * Creates an iterator over all transactions of a user, the newest first, fetched page by page.
 * @param {Pick<Rewards, "listTransactions">} client
 * @returns {Rewards["transactions"]}
 */
export function eachTransaction(client) {
  return async function* transactions(userId, query = {}, options = {}) {
    // New records move older ones to later pages; the repeated ones are skipped.
    /** @type {Set<string>} */
    const seen = new Set();
    for (let page = 1; ; page++) {
      const pageQuery = { ...query, page, pageSize: PAGE_SIZE };
      const { transactions: records, count } = await client.listTransactions(userId, pageQuery, options);
      for (const record of records) {
        if (!seen.has(record.id)) yield record;
        seen.add(record.id);
      }
      if (records.length === 0 || page * PAGE_SIZE >= count) return;
    }
  };
}

/**
 * Polls a status until it is one of `finished`. Webhooks report the same without polling.
 * @template {{ readonly status: string }} Status
 * @param {(id: string, options?: CallOptions) => Promise<Status>} getStatus
 * @param {readonly Status["status"][]} finished
 * @returns {(id: string, options?: WaitOptions) => Promise<Status>}
 */
export function untilFinished(getStatus, finished) {
  return async (id, { waitMs = WAIT_MS_MAX, ...options } = {}) => {
    const endsAt = Date.now() + waitMs;
    for (let pauseMs = FIRST_POLL_MS; ; pauseMs = Math.min(pauseMs * 1.5, POLL_MS_MAX)) {
      const found = await getStatus(id, options);
      if (finished.includes(found.status)) return found;
      if (Date.now() + pauseMs > endsAt) throw new TimeoutError(`not finished after ${waitMs} ms: ${found.status}`);
      await sleep(pauseMs, options.signal);
    }
  };
}
