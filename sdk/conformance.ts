// For the compiler only: checks that the declarations of sdk.d.ts match the exports of the modules.
import type * as declared from "./src/sdk.d.ts";
import * as given from "./src/index.js";

given satisfies typeof declared;

type Given = typeof given;
type Declared = typeof declared;
const values: { readonly [Name in keyof Declared]: Given[Name & keyof Given] } = given;
export const isComplete: keyof Given extends keyof typeof values ? true : never = true;
