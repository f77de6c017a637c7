// A process for embedded.test.ts to kill: owns the folder it is given, says so, and stays.
import { startEmbedded } from "../../src/postgres/embedded/embedded.ts";
import { silent } from "./database.ts";

process.on("SIGINT", () => process.send?.("interrupted"));
process.on("message", () => {}); // keeps it alive until the test has gone
const { connection } = await startEmbedded({ dataDir: process.argv[2] ?? "", log: silent });
process.send?.(connection);
