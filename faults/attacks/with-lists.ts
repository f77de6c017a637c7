import { setTimeout as sleep } from "node:timers/promises";
import type { Attack } from "./attack.ts";
import { aborted, repeat } from "./attack.ts";
import type { Target } from "./target.ts";
import { largeMealOf, mealOf, sendMeals } from "./with-bodies.ts";

/** Meals whose events can be sent again; each has three events. */
const REPLAYED = 4_000;
const LARGE = 100;

/** Attacks by what an application may read, send again, or let the operator do. */
export const LIST_ATTACKS: readonly Attack[] = [
  {
    name: "replays",
    about: `20 replays at once of the events of ${REPLAYED} meals`,
    prepare: async (target) => {
      const endpointId = await addSilentEndpoint(target);
      const userId = await target.attacker.enrol();
      await sendMeals(target, REPLAYED, () => mealOf(userId));
      await sleep(5_000);
      return (signal, note) =>
        repeat(20, signal, note, () =>
          target.post(`/webhooks/endpoints/${endpointId}/replay`, { since: "2020-01-01T00:00:00Z" }),
        );
    },
  },
  {
    name: "hanging-endpoints",
    about: "ten endpoints that accept connections and never respond, while meals and tests come",
    prepare: async (target) => {
      const ids: string[] = [];
      for (let i = 0; i < 10; i++) ids.push(await addSilentEndpoint(target));
      const userId = await target.attacker.enrol();
      return (signal, note) =>
        repeat(16, signal, note, (lane) =>
          lane < 4
            ? target.post(`/webhooks/endpoints/${ids[lane % ids.length]}/test`, {})
            : target.post("/track/meals", mealOf(userId)),
        );
    },
  },
  {
    name: "big-pages",
    about: `pages of ${LARGE} records of 100 ingredients each, eight at a time`,
    prepare: async (target) => {
      const userId = await target.attacker.enrol();
      await sendMeals(target, LARGE, () => largeMealOf(userId));
      await sleep(5_000);
      return (signal, note) =>
        repeat(8, signal, note, (lane) =>
          target.get(`/users/${userId}/transactions?${lane % 2 === 0 ? "pageSize=100" : "All=true"}`),
        );
    },
  },
  {
    name: "heavy-lists",
    about: "lists of everything with filters, timeframes and late pages, 16 at a time",
    prepare: async (target) => {
      const endpointId = await addSilentEndpoint(target);
      const userId = await target.attacker.enrol();
      await sendMeals(target, REPLAYED, () => mealOf(userId));
      const paths = [
        `/users/${userId}/transactions?All=true`,
        `/users/${userId}/transactions?pageSize=100&page=2147483647`,
        `/users/${userId}/transactions?pageSize=100&page=40&timeframe=0001-01-01/9999-12-31`,
        `/users/${userId}/transactions?All=true&timeframe=P9999Y`,
        `/webhooks/deliveries?pageSize=100&endpointId=${endpointId}&state=failed`,
        `/webhooks/deliveries?pageSize=100&before=${endpointId}`,
        "/catalogue/aliases?pageSize=100&page=99999",
      ];
      return (signal, note) => repeat(16, signal, note, (lane) => target.get(paths[lane % paths.length]!));
    },
  },
  {
    name: "erase",
    about: "the operator exports and erases users of 2,000 meals while meals of those users come, 16 at a time",
    prepare: async (target) => {
      const userIds = [await target.attacker.enrol(), await target.attacker.enrol()];
      for (const userId of userIds) await sendMeals(target, 2_000, () => mealOf(userId));
      return async (signal, note) => {
        const operator = (async () => {
          for (const userId of userIds) {
            await target.cli("user", "export", "--user-id", userId, "--to", `${target.dataDir}/../export-${userId}`);
            await target.cli("user", "erase", "--user-id", userId).catch(() => {});
          }
        })();
        await repeat(16, signal, note, (lane) => target.post("/track/meals", mealOf(userIds[lane % 2]!)));
        await Promise.race([operator, sleep(30_000)]);
        await aborted(signal);
      };
    },
  },
];

async function addSilentEndpoint(target: Target): Promise<string> {
  const port = await target.openSilentServer();
  const response = await target.post("/webhooks/endpoints", { url: `http://127.0.0.1:${port}/hook` });
  const { id } = (await response.json()) as { id?: string };
  if (id === undefined) throw new Error(`an endpoint was refused with ${response.status}`);
  return id;
}
