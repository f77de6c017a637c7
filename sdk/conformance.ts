// Read by the compiler alone: what is declared to consumers is what the modules give, and the other way round.
import type * as declared from "./src/sdk.d.ts";
import * as given from "./src/index.js";

given satisfies typeof declared;

type Given = typeof given;
type Declared = typeof declared;
const values: { readonly [Name in keyof Declared]: Given[Name & keyof Given] } = given;
export const isComplete: keyof Given extends keyof typeof values ? true : never = true;
