import { GROUPS } from "../groups.ts";
import { together } from "../support/together.ts";

await together(GROUPS["programme"]!);
