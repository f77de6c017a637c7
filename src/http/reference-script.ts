import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { StaticAsset } from "./static-asset.ts";

const THREAD = new URL("./reference-script-thread.ts", import.meta.url);

/**
 * Loads the script of Scalar's API reference from its package, compressed, in a thread of its own: importing the
 * package and compressing 4.3 MB take about a second of CPU and 110 MB of memory, which the thread frees at its end.
 */
export async function loadReferenceScript(): Promise<StaticAsset> {
  const thread = new Worker(THREAD, { execArgv: [] });
  const [asset] = (await once(thread, "message")) as [StaticAsset];
  return asset;
}
