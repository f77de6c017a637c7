// Written by generate.ts from the service's OpenAPI document: change that, not this.

/** How the points of the record were computed. */
export interface Arithmetic {
  /** The sum of all cells. */
  readonly sumOfCells: string;
  /** What it is divided by. */
  readonly divisor: string;
  /** The whole part of that. */
  readonly earned: string;
  /** The most that one record may earn. */
  readonly pointsMax: number;
  /** It would have earned more. */
  readonly capped: boolean;
  readonly dayCut?: DayCut | undefined;
  /** The same in words. */
  readonly text: string;
}

/** What it means for the climate. */
export interface CarbonStep {
  /** Which step it is. */
  readonly step: "carbon";
  /** Kilograms of CO2-equivalent for one kilogram. */
  readonly kgCo2ePerKg: number;
  /** Where the figure is from. */
  readonly source: string;
  /** How it became a rating. */
  readonly method: string;
  /** Of the whole line. Kilograms of CO2-equivalent. */
  readonly totalCO2e: number;
  /** It may be as little as this. Kilograms of CO2-equivalent. */
  readonly co2eLow: number;
  /** It may be as much as this. Kilograms of CO2-equivalent. */
  readonly co2eHigh: number;
  /** Carbon rating. 1 = A, best, to 5 = E, worst. */
  readonly rating: 1 | 2 | 3 | 4 | 5;
  /** The rating as a letter. */
  readonly grade: "A" | "B" | "C" | "D" | "E";
  /** Between the low and the high figure lies another rating. */
  readonly ratingUncertain: boolean;
  /** So many kilograms are made of one (a powder, say): rated as prepared. Else null. */
  readonly reconstitution: number | null;
  /** The same in words. */
  readonly text: string;
}

/** What a limit a day took off the record; only where one did. Limits are off unless set. */
export interface DayCut {
  /** Which of the application's limits a day: all points of a user, meals that earn points, points from foods. */
  readonly limit: "points_a_day" | "meals_a_day" | "food_points_a_day";
  /** What it was set to. */
  readonly max: number;
  /** The day that was full: the UTC day on which the submission was accepted, as in `2026-10-25`. */
  readonly day: string;
  /** What was used of it on that day before this record. */
  readonly used: number;
  /** What the record would have earned. */
  readonly uncutPoints: number;
}

/** Why it earns nothing. */
export interface ExclusionStep {
  /** Which step it is. */
  readonly step: "exclusion";
  /** As `exclusionReason` of the item. */
  readonly reason: string;
  /** The same in words. */
  readonly text: string;
}

/** Why a record is worth what it is. */
export interface Explanation {
  /** The record's id. */
  readonly transactionId: string;
  /** What it was earned with. */
  readonly source: "receipt" | "meal" | "food";
  /** When it was booked. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** The rule of points that held. */
  readonly rule: string;
  /** The version of the catalogue that held. */
  readonly catalogueVersion: string;
  /** All points of the record. */
  readonly totalPoints: number;
  /** Those for health. */
  readonly totalHealthPoints: number;
  /** Those for the climate. */
  readonly totalCarbonPoints: number;
  readonly arithmetic: Arithmetic;
  /** Every item, counted or not. */
  readonly items: readonly (ItemExplanation)[];
  /** The whole in words. */
  readonly text: string;
}

/** One explanation. */
export interface ExplanationAnswer {
  readonly explanation: Explanation;
}

/** What it means for health. */
export interface HealthStep {
  /** Which step it is. */
  readonly step: "health";
  /** The Nutri-Score, as revised in 2023. */
  readonly method: "nutri-score-2023";
  /** The class of foods whose tables hold. */
  readonly class: string;
  /** What the score is made of. */
  readonly components: {
    /** Points that make it worse. */
    readonly negative: Readonly<Record<string, number>>;
    /** Points that make it better. */
    readonly positive: Readonly<Record<string, number>>;
  };
  /** Negative minus positive points: the lower the better. */
  readonly score: number;
  /** Health rating. 1 = A, best, to 5 = E, worst. */
  readonly rating: 1 | 2 | 3 | 4 | 5;
  /** The rating as a letter. */
  readonly grade: "A" | "B" | "C" | "D" | "E";
  /** The same in words. */
  readonly text: string;
}

/** What was sent or read. */
export interface InputStep {
  /** Which step it is. */
  readonly step: "input";
  /** As sent or printed. */
  readonly name: string;
  /** As sent; else empty. */
  readonly foodId: string;
  /** Of one unit; null: not stated. */
  readonly weight: number | null;
  /** Of `weight`; null: not stated. */
  readonly unit: string | null;
  /** How many units. */
  readonly quantity: number;
  /** The members of nutrition that were sent. */
  readonly nutrition: readonly (string)[];
  /** The same in words. */
  readonly text: string;
}

/** One item, step by step. */
export interface ItemExplanation {
  /** The item's id. */
  readonly id: string;
  /** As sent or printed. */
  readonly name: string;
  /** False: it stands in `excludedItems`. */
  readonly counted: boolean;
  /** All its points. */
  readonly totalPoints: number;
  /** From what was sent or read to its points, in order. */
  readonly steps: readonly (InputStep | MatchStep | WeightStep | CarbonStep | NutritionStep | HealthStep | ExclusionStep | PointsStep)[];
}

/** What it was taken for. Only `text` where no word of the name is known. */
export interface MatchStep {
  /** Which step it is. */
  readonly step: "match";
  /** How it was found: by your own foodId, the catalogue's id, a bar code, what you taught, its name, or a product's name. */
  readonly by?: "own_food_id" | "catalogue_id" | "gtin" | "alias" | "name" | "product_name" | undefined;
  /** The food that figures were taken from; null where nothing was accepted. */
  readonly food?: {
    /** Its id. */
    readonly id: string;
    /** Its name. */
    readonly name: string;
  } | {
    /** Its id. */
    readonly id: string;
    /** Its name. */
    readonly name: string;
  } | undefined;
  /** The name that fitted; null unless it was found by name. */
  readonly matchedName?: string | null | undefined;
  /** How sure that is. */
  readonly confidence?: number | undefined;
  /** The product that it is; null where it is none that is known. */
  readonly product?: {
    /** Whose data it is. */
    readonly source: string;
    /** The product's id there. */
    readonly code: string;
    /** Its name. */
    readonly name: string;
    /** The import that last changed it. */
    readonly revision: number;
  } | {
    /** Whose data it is. */
    readonly source: string;
    /** The product's id there. */
    readonly code: string;
    /** Its name. */
    readonly name: string;
    /** The import that last changed it. */
    readonly revision: number;
  } | undefined;
  /** The food from which comes what the product does not say. */
  readonly reference?: {
    /** Its id. */
    readonly id: string;
    /** Its name. */
    readonly name: string;
    /** What told it. */
    readonly by: string;
  } | {
    /** Its id. */
    readonly id: string;
    /** Its name. */
    readonly name: string;
    /** What told it. */
    readonly by: string;
  } | undefined;
  /** What was taught of the name; null where nothing was. */
  readonly alias?: {
    /** Its id. */
    readonly id: string;
    /** The name as taught. */
    readonly name: string;
    /** At which merchant; null: at any. */
    readonly merchantName: string | null;
    /** api: your application; operator: the operator for it. */
    readonly author: string;
    /** When it was taught. RFC 3339, UTC, milliseconds. */
    readonly createdAt: string;
  } | {
    /** Its id. */
    readonly id: string;
    /** The name as taught. */
    readonly name: string;
    /** At which merchant; null: at any. */
    readonly merchantName: string | null;
    /** api: your application; operator: the operator for it. */
    readonly author: string;
    /** When it was taught. RFC 3339, UTC, milliseconds. */
    readonly createdAt: string;
  } | undefined;
  /** Words of your own that were read in place of others. */
  readonly words?: readonly ({
    /** The word's id. */
    readonly id?: string | undefined;
    /** The word. */
    readonly word: string;
    /** What was read in its place; empty: it was left out. */
    readonly means: string;
    /** api: your application; operator: the operator for it. */
    readonly author: string;
    /** When it was taught. RFC 3339, UTC, milliseconds. */
    readonly createdAt: string;
  })[] | undefined;
  /** The same in words. */
  readonly text: string;
}

/** Its nutrition. */
export interface NutritionStep {
  /** Which step it is. */
  readonly step: "nutrition";
  /** What was sent, that and the catalogue's, or the catalogue's. */
  readonly basis: "input" | "input+reference" | "reference";
  /** Where what was not sent is from. */
  readonly source: string;
  /** Energy and nutrients in 100 g; `fvlPct` is the percentage of fruit, vegetables and legumes. */
  readonly per100: Readonly<Record<string, number>>;
  /** Members taken from the catalogue. */
  readonly imputed: readonly (string)[];
  /** What was odd about the values sent. */
  readonly flags: readonly (string)[];
  /** The same in words. */
  readonly text: string;
}

/** What it earned. */
export interface PointsStep {
  /** Which step it is. */
  readonly step: "points";
  /** By which rule. */
  readonly rule: string;
  /** What its health rating is worth. */
  readonly healthBase: number;
  /** What its carbon rating is worth. */
  readonly carbonBase: number;
  /** 2 where the match is sure, 1 where it is not: half the points. */
  readonly confidenceHalves: number;
  /** What a base is multiplied with, as a whole number of any size. */
  readonly weight: string;
  /** Health base times weight. */
  readonly healthCell: string;
  /** Carbon base times weight. */
  readonly carbonCell: string;
  /** What cells are divided by. */
  readonly divisor: string;
  /** Its points for health. */
  readonly healthPoints: number;
  /** Its points for the climate. */
  readonly carbonPoints: number;
  /** The same in words. */
  readonly text: string;
}

/** What it weighs. */
export interface WeightStep {
  /** Which step it is. */
  readonly step: "weight";
  /** All units together; null: not known. */
  readonly totalGrams: number | null;
  /** One unit; null: not known. */
  readonly gramsPerUnit: number | null;
  /** Neither sent nor printed: the usual portion or pack. */
  readonly assumed: boolean;
  /** The same in words. */
  readonly text: string;
}
