/** @import { CallOptions, Rewards, RewardsOptions } from "./sdk.d.ts" */
/** @import { Call } from "./transport.js" */
import { OPERATIONS } from "./operations.js";
import { createTransport } from "./transport.js";
import { eachTransaction, untilFinished } from "./follow.js";

/**
 * Creates a client of the service with one method for each operation, named by the operation's id.
 * @param {RewardsOptions} options
 * @returns {Rewards}
 */
export function createRewards(options) {
  const send = createTransport(options);
  /** @type {Record<string, (...args: any[]) => Promise<unknown>>} */
  const methods = {};
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    methods[name] = async (...args) => send(callOf(operation, args));
  }
  const client = /** @type {Rewards} */ (/** @type {unknown} */ (methods));
  return Object.assign(client, {
    transactions: eachTransaction(client),
    waitForReceipt: untilFinished(client.getReceiptStatus, ["Completed", "Failed"]),
    waitForMeal: untilFinished(client.getMealStatus, ["completed", "failed"]),
    waitForFood: untilFinished(client.getFoodStatus, ["completed", "failed"]),
  });
}

/**
 * Creates a call from the arguments of a method: the ids of the path, the body or query, the options.
 * @param {typeof OPERATIONS[keyof typeof OPERATIONS]} operation
 * @param {unknown[]} args
 * @returns {Call}
 */
function callOf({ method, path, query, body, statuses, isOpen }, args) {
  const rest = [...args];
  const filled = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(idOf(rest.shift())));
  const hasInput = body !== null || query.length > 0;
  const input = /** @type {Record<string, unknown>} */ (hasInput ? (rest.shift() ?? {}) : {});
  const options = /** @type {CallOptions} */ (rest.shift() ?? {});
  const names = new Set(/** @type {readonly string[]} */ (query));
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  return {
    method,
    path: filled,
    query: Object.fromEntries(
      entries.filter(([name]) => names.has(name)).map(([name, value]) => [name, String(value)]),
    ),
    body: body && { kind: body, value: Object.fromEntries(entries.filter(([name]) => !names.has(name))) },
    statuses,
    isOpen,
    options,
  };
}

/**
 * Checks an id: an empty one would change the path, and `.` and `..` would be resolved.
 * @param {unknown} id
 * @returns {string}
 */
function idOf(id) {
  if (typeof id !== "string" || /^\.{0,2}$/.test(id))
    throw new TypeError("an id must be a string that the service has returned");
  return id;
}
