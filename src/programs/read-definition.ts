// Names everything that is wrong with a programme before it is stored: a typing error in a rule costs points.
import { Errors as schemaErrorsOf } from "typebox/schema";
import { Settings } from "typebox/system";
import { closestWord } from "../did-you-mean.ts";
import { scaled } from "../decimal.ts";
import { errorsOf } from "../http/validation.ts";
import type { Errors } from "../problems.ts";
import { bonusErrors } from "./bonuses.ts";
import { campaignErrors } from "./campaign-errors.ts";
import type { KnownFoods } from "./campaign-errors.ts";
import { ProgramDefinition } from "./definition.ts";
import { tierErrors } from "./tiers.ts";

/** TypeBox names 8 errors by default: too few for a first draft. */
Settings.Set({ maxErrors: 200 });

/** What was meant by a longer name costs too much to find. */
const HINTED_LENGTH_MAX = 50;

/** What a definition refers to. */
export type Known = KnownFoods;

/** Returns the definition, or every error by the path of its member. */
export function readDefinition(value: unknown, known: Known): ProgramDefinition | { readonly errors: Errors } {
  const [, schemaErrors] = schemaErrorsOf(ProgramDefinition, value);
  if (schemaErrors.length > 0) return { errors: namedErrors(schemaErrors) };
  const definition = value as ProgramDefinition;
  const errors = {
    ...zoneErrors(definition),
    ...multiplierErrors(definition),
    ...spendErrors(definition),
    ...choiceErrors(definition, known),
    ...campaignErrors(definition.campaigns ?? [], known),
    ...tierErrors(definition.tiers),
    ...bonusErrors(definition.bonuses ?? {}),
  };
  return Object.keys(errors).length > 0 ? { errors } : definition;
}

type SchemaError = ReturnType<typeof schemaErrorsOf>[1][number];

/** Errors of the schema by path. A member that is not known is named itself, with the known one that it resembles. */
function namedErrors(schemaErrors: readonly SchemaError[]): Errors {
  const unknown: Errors = {};
  const others: SchemaError[] = [];
  for (const error of schemaErrors) {
    if (error.keyword === "additionalProperties") {
      for (const name of error.params.additionalProperties) {
        unknown[pathOf([...error.instancePath.split("/").slice(1), name])] = [unknownMember(name)];
      }
    } else if (error.keyword !== "boolean") others.push(error);
  }
  return { ...unknown, ...errorsOf(others.flatMap(asAjvError), "definition") };
}

function pathOf(steps: readonly string[]): string {
  return steps.reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step), "");
}

function unknownMember(name: string): string {
  // The name itself may be one of another part.
  const others = MEMBERS.filter((member) => member !== name);
  const closest = name.length > HINTED_LENGTH_MAX ? null : closestWord(name, others);
  return closest === null ? "is not known" : `is not known; did you mean ${closest}?`;
}

/** TypeBox names all required members in one error, Ajv each in its own. */
function asAjvError(error: SchemaError): Parameters<typeof errorsOf>[0] {
  const { keyword, instancePath, schemaPath, message } = error;
  const about = { keyword, instancePath, schemaPath, message };
  if (error.keyword !== "required") return [{ ...about, params: { ...error.params } }];
  return error.params.requiredProperties.map((missingProperty) => ({ ...about, params: { missingProperty } }));
}

/** The names of all members of a definition. */
const MEMBERS: readonly string[] = membersOf(ProgramDefinition);

function membersOf(schema: object): string[] {
  const { properties = {}, items = {} } = schema as { properties?: Readonly<Record<string, object>>; items?: object };
  const own = Object.entries(properties).flatMap(([name, member]) => [name, ...membersOf(member)]);
  return [...new Set([...own, ...("type" in items ? membersOf(items) : [])])];
}

function zoneErrors({ timeZone }: ProgramDefinition): Errors {
  if (timeZone === undefined || isZone(timeZone)) return {};
  const closest = closestWord(timeZone, Intl.supportedValuesOf("timeZone"));
  return { timeZone: [`is no IANA time zone${closest === null ? "" : `; did you mean ${closest}?`}`] };
}

/**
 * Fixed offsets such as +01:00 are none: they know no summer time, which is hardly meant. The list of supported values
 * has one name of each zone, and often the old one: Asia/Calcutta without Asia/Kolkata.
 */
function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function multiplierErrors({ points = {} }: ProgramDefinition): Errors {
  const errors: Errors = {};
  for (const source of ["receipt", "meal", "food"] as const) {
    const { multiplier } = points[source] ?? {};
    if (multiplier === undefined || scaled(multiplier, 2, "floor") === scaled(multiplier, 2, "ceil")) continue;
    errors[`points.${source}.multiplier`] = ["must not have more than two decimals"];
  }
  return errors;
}

const CURRENCIES = Intl.supportedValuesOf("currency");

/** The schema checks the amounts of names that look like codes, and lets others pass. */
function spendErrors({ minimumSpend = {} }: ProgramDefinition): Errors {
  const others = Object.keys(minimumSpend).filter((name) => !CURRENCIES.includes(name));
  return Object.fromEntries(
    others.map((name) => {
      const closest = name.length > HINTED_LENGTH_MAX ? null : closestWord(name.toUpperCase(), CURRENCIES);
      return [`minimumSpend.${name}`, [`is no currency${closest === null ? "" : `; did you mean ${closest}?`}`]];
    }),
  );
}

function choiceErrors({ eligible = {} }: ProgramDefinition, { foodGroups }: Known): Errors {
  const errors: Errors = {};
  for (const [member, choice] of Object.entries(eligible)) {
    if ((choice.only === undefined) === (choice.except === undefined)) {
      errors[`eligible.${member}`] = ["must have either only or except"];
    }
  }
  for (const list of ["only", "except"] as const) {
    for (const [i, group] of (eligible.foodGroups?.[list] ?? []).entries()) {
      if (foodGroups.has(group)) continue;
      const closest = closestWord(group, [...foodGroups]);
      const hint = closest === null ? "" : `; did you mean ${closest}?`;
      errors[`eligible.foodGroups.${list}[${i}]`] = [`is no group of the catalogue${hint}`];
    }
  }
  return errors;
}
