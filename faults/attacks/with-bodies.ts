import { randomUUID } from "node:crypto";
import type { Attack } from "./attack.ts";
import { repeat } from "./attack.ts";
import type { Target } from "./target.ts";

/** 600 kB of subtags, the form in which a locale took 43 s. */
const LOCALE = Array.from({ length: 75_000 }, (_, index) => `x${index.toString(36).padStart(6, "a")}`).join("-");
const NAMES = Array.from({ length: 40_000 }, (_, index) => `name${index}`);
const LANG = LOCALE.slice(0, 15_000);

/** Attacks by the text of requests. */
export const BODY_ATTACKS: readonly Attack[] = [
  {
    name: "locale",
    about: "a session request whose `locale` has 600 kB, four at a time",
    prepare: async (target) => (signal, note) =>
      repeat(4, signal, note, () =>
        target.post("/users/enroll/session", {
          email: "ada@example.org",
          firstName: "Ada",
          lastName: "Lovelace",
          locale: `en-${LOCALE}`,
        }),
      ),
  },
  {
    name: "lang",
    about: "pages with 15 kB of `?lang=` or Accept-Language, eight at a time, without credentials",
    prepare:
      async ({ url }) =>
      (signal, note) =>
        repeat(8, signal, note, (lane) =>
          lane % 2 === 0
            ? fetch(`${url}/receipts?lang=en-${LANG}`, { signal })
            : fetch(`${url}/enroll`, { headers: { "accept-language": `en-${LANG}`.replaceAll("-a", ",a") }, signal }),
        ),
  },
  {
    name: "deep-json",
    about: "bodies of 1 MB: a million brackets, 49,000 errors, long names, 40,000 members; eight at a time",
    prepare: async (target) => {
      const userId = await target.attacker.enrol();
      const bodies = [
        "[".repeat(1_000_000),
        JSON.stringify({ ...mealOf(userId), ingredients: Array.from({ length: 24_000 }, () => ({})) }),
        JSON.stringify({ ...mealOf(userId), mealName: "ä\u0301".repeat(200_000) }),
        JSON.stringify({ ...mealOf(userId), metadata: { text: "x".repeat(900_000) } }),
        JSON.stringify({ ...mealOf(userId), metadata: Object.fromEntries(NAMES.map((name) => [name, 1])) }),
      ];
      return (signal, note) =>
        repeat(8, signal, note, (lane) => target.post("/track/meals", bodies[lane % bodies.length]));
    },
  },
  {
    name: "overflow",
    about: "meals of 100 ingredients with the largest values that the checks let pass, 16 at a time",
    prepare: async (target) => {
      const userId = await target.attacker.enrol();
      // 10,000 kg each, and as many pieces as pass: their mass is only known with the food.
      const weights = [
        { weight: 1e6, unit: "g", quantity: 10 },
        { weight: 1, unit: "kg", quantity: 1e4 },
        { weight: 1e5, unit: "piece", quantity: 1e4 },
      ];
      const ingredients = Array.from({ length: 100 }, (_, index) => ({
        foodId: "beef",
        name: "Beef mince",
        ...weights[index % weights.length],
        amount: 1e9,
        currency: "GBP",
      }));
      return (signal, note) =>
        repeat(16, signal, note, () => target.post("/track/meals", { ...mealOf(userId), ingredients }));
    },
  },
  {
    name: "odd-names",
    about: "meals whose 100 ingredients have long, odd names, and lookups of such names; eight at a time",
    prepare: async (target) => {
      const userId = await target.attacker.enrol();
      let number = 0;
      const nameOf = () => `${(number++).toString(36)} ${ODD[number % ODD.length]!}`.slice(0, 255);
      return (signal, note) =>
        repeat(8, signal, note, (lane) => {
          if (lane < 2) return target.get(`/catalogue/match?name=${encodeURIComponent(nameOf())}`);
          const ingredients = Array.from({ length: 100 }, () => ({ foodId: `odd-${number}`, name: nameOf() }));
          return target.post("/track/meals", { ...mealOf(userId), ingredients });
        });
    },
  },
  {
    name: "keys",
    about: "meals with a new Idempotency-Key each, 32 at a time",
    prepare: async (target) => {
      const userId = await target.attacker.enrol();
      return (signal, note) =>
        repeat(32, signal, note, () =>
          target.post("/track/meals", mealOf(userId), { "idempotency-key": randomUUID() + "k".repeat(180) }),
        );
    },
  },
];

/** Names that cost a matcher much: near misses of many words, marks to decompose, no spaces, spaces only between. */
const ODD: readonly string[] = [
  "chikcen brest fillt wholmeal bred tomatto sauc ".repeat(6),
  "e\u0301\u0323\u0302".repeat(80),
  "\ufdfa".repeat(250),
  "abcdefghij".repeat(26),
  "a b c d e f g h i j k l m n o p q r s t u v w x y z ".repeat(5),
  "1kg 2x500g 3 pk 250ml 10% ".repeat(10),
  "미역국 한우 된장찌개 ".repeat(25),
];

export function mealOf(userId: string): Record<string, unknown> {
  return {
    userId,
    transactionId: randomUUID(),
    mealName: "Lunch",
    mealType: "lunch",
    loggedAt: new Date().toISOString(),
    imageUrl: "https://example.org/meal.jpg",
  };
}

/** Stores `count` meals of a user. */
export function largeMealOf(userId: string): Record<string, unknown> {
  const ingredients = Array.from({ length: 100 }, (_, index) => ({
    foodId: `own-${index}-${"x".repeat(200)}`,
    name: `Apple ${index} ${"crisp ".repeat(38)}`.slice(0, 255),
    imageUrl: `https://example.org/${"p".repeat(2_000)}`,
    weight: 100,
    unit: "g",
  }));
  return { ...mealOf(userId), ingredients };
}

/** Waits until the attacker's meals are stored and booked: a list of its user has `count` records. */
export async function sendMeals(target: Target, count: number, body: () => unknown): Promise<void> {
  let sent = 0;
  await Promise.all(
    Array.from({ length: 24 }, async () => {
      while (sent < count) {
        sent++;
        await (await target.post("/track/meals", body())).arrayBuffer();
      }
    }),
  );
}
