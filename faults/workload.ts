/** What a step is about: of the user's records of its kind the one after the `skip` newest. All copies have `key`. */
interface OneOfUser {
  readonly key: string;
  readonly skip: number;
  readonly user: number;
  readonly copies: number;
}

/** A step of an integrator, with the result that it must have in spite of all faults. */
export type Step =
  /** `copies` submissions of one reference, all at once: one earns, the others are duplicates. */
  | {
      readonly kind: "intake";
      readonly source: "meal" | "food";
      readonly reference: string;
      readonly recipe: number;
      readonly user: number;
      readonly copies: number;
    }
  /** Refused at once, each time. */
  | { readonly kind: "poison"; readonly body: object }
  /** `copies` adjustments with one reference and one Idempotency-Key, all at once: one is booked, if any. */
  | {
      readonly kind: "adjustment";
      readonly reference: string;
      readonly points: number;
      readonly user: number;
      readonly copies: number;
    }
  /** `copies` reversals of an award or adjustment: one is booked, if any. */
  | (OneOfUser & { readonly kind: "reversal" })
  /** `copies` redemptions with one reference and key, at once or reserved: one is booked, if any. */
  | {
      readonly kind: "redemption";
      readonly reference: string;
      readonly ware: Ware;
      readonly isReserved: boolean;
      readonly user: number;
      readonly copies: number;
    }
  /** `copies` refunds of a redemption. */
  | (OneOfUser & { readonly kind: "refund" })
  /** `copies` confirmations or releases of a reservation. */
  | (OneOfUser & { readonly kind: "end"; readonly way: "confirm" | "release" })
  /** `copies` tills use one voucher, each with a key of its own: one of them does, if any. */
  | (OneOfUser & { readonly kind: "use" })
  /** `copies` corrections of a receipt, of any user: one is booked, if any. */
  | (OneOfUser & { readonly kind: "correction"; readonly change: "add" | "remove" | "quantity" })
  /** A new user of a sandbox, whose points expire by a test clock that `copies` requests with one key move. */
  | { readonly kind: "expiry"; readonly key: string; readonly copies: number }
  /** The picture of one purchase: it earns once, however often it is uploaded. */
  | { readonly kind: "receipt"; readonly picture: number; readonly user: number };

/** A reward with loaded codes, one with a small stock, and one that is in no catalogue. */
export type Ware = "pool" | "stocked" | "own";

/** Weighed foods of the catalogue whose points differ. */
export const RECIPES = [
  { name: "Apple", weight: 150 },
  { name: "Red lentils", weight: 100 },
  { name: "Beef mince", weight: 200 },
  { name: "Whole wheat bread", weight: 80 },
  { name: "Cheddar", weight: 30 },
] as const;

/** Points of adjustments: some take more than a user has. */
const POINTS = [-100_000, -60, -20, -5, 5, 30] as const;

const POISON: readonly object[] = [
  {},
  { userId: "nobody", name: "Apple", weight: -1, unit: "g" },
  { userId: "00000000-0000-0000-0000-000000000000", transactionId: "\u0000", name: "", weight: 1e300, unit: "stone" },
];

/** Plans endless steps, the same for the same random numbers. `prefix` keeps the references of two plans distinct. */
export function* planSteps(
  random: () => number,
  { users, pictures, prefix }: { users: number; pictures: number; prefix: string },
): Generator<Step, never> {
  const below = (count: number) => Math.floor(random() * count);
  const copies = () => (random() < 0.3 ? 3 : 1);
  const earlier: Extract<Step, { kind: "intake" }>[] = [];
  let picture = 0;
  for (let number = 0; ; number++) {
    const lot = random();
    if (picture < pictures && number % 20 === 10) {
      yield { kind: "receipt", picture: picture++, user: below(users) };
    } else if (lot < 0.02 && picture > 0) {
      yield { kind: "receipt", picture: below(picture), user: below(users) };
    } else if (lot < 0.07) {
      yield { kind: "poison", body: POISON[below(POISON.length)]! };
    } else if (lot < 0.15) {
      const points = POINTS[below(POINTS.length)]!;
      yield {
        kind: "adjustment",
        reference: `${prefix}-moved-${number}`,
        points,
        user: below(users),
        copies: copies(),
      };
    } else if (lot < 0.2) {
      yield {
        kind: "reversal",
        key: `${prefix}-taken-${number}`,
        skip: below(5),
        user: below(users),
        copies: copies(),
      };
    } else if (lot < 0.36) {
      yield spending(random, { key: `${prefix}-${number}`, user: below(users), copies: copies() });
    } else if (lot < 0.47 && earlier.length > 0) {
      const again = earlier[below(earlier.length)]!;
      yield { ...again, user: below(users), copies: 1 };
    } else {
      const step: Step = {
        kind: "intake",
        source: random() < 0.3 ? "meal" : "food",
        reference: `${prefix}-${number}`,
        recipe: below(RECIPES.length),
        user: below(users),
        copies: random() < 0.05 ? 4 : 1,
      };
      earlier.push(step);
      yield step;
    }
  }
}

/** A step of the other half of the ledger: what is spent, given back, used, corrected, or expires. */
function spending(random: () => number, about: { key: string; user: number; copies: number }): Step {
  const below = (count: number) => Math.floor(random() * count);
  const [lot, skip] = [random(), below(4)];
  const { key, ...of } = about;
  if (lot < 0.45) {
    const ware = (["pool", "pool", "stocked", "own"] as const)[below(4)]!;
    return { kind: "redemption", reference: `${key}-spent`, ware, isReserved: random() < 0.4, ...of };
  }
  if (lot < 0.6) return { kind: "end", way: random() < 0.6 ? "confirm" : "release", key: `${key}-ended`, skip, ...of };
  if (lot < 0.7) return { kind: "refund", key: `${key}-refunded`, skip, ...of };
  if (lot < 0.8) return { kind: "use", key: `${key}-used`, skip, ...of, copies: of.copies + 1 };
  if (lot < 0.9) return { kind: "expiry", key: `${key}-expired`, copies: of.copies };
  const change = (["add", "remove", "quantity"] as const)[below(3)]!;
  return { kind: "correction", key: `${key}-corrected`, change, skip, ...of };
}
