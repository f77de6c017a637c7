// A process for jobs.test.ts to kill. Its sweep never ends.
import { openJobs } from "../../src/queue/jobs.ts";
import { openDatabase } from "../../src/postgres/postgres.ts";
import { silent } from "./database.ts";

const database = openDatabase({
  connection: { connectionString: process.argv[2] ?? "" },
  connectionsMax: 2,
  onError: () => {},
});
openJobs({ database, isWorker: false, log: silent }).everyInProcess(60, "tidy", async () => {
  process.send?.("sweeping");
  await new Promise(() => {});
});
