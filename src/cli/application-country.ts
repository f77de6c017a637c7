import { countryOfApplication, setCountry } from "../applications/country.store.ts";
import { countryCodeOf } from "../receipts/parsing/languages/country-code.ts";
import { CLIENT_ID, applicationOf } from "./client-id.ts";
import { Refusal, command, optional } from "./command.ts";

/** `app country` */
export const COUNTRY_COMMAND = command({
  name: "app country",
  summary: "set the country that most of its receipts are from; without --is it shows it",
  details:
    "What a receipt leaves open is read as there: the currency of a lone $, kr or R, and whether 03/04 is in March or April. " +
    "What is printed on the paper wins, and the country of its user before that of the application.",
  options: {
    clientId: CLIENT_ID,
    is: optional("CODE|off", "ISO 3166-1 code, such as CA"),
  },
  examples: ["app country --client-id app_… --is CA", "app country --client-id app_… --is off"],
  run: async ({ database, now, options: { clientId, is }, print }) => {
    await applicationOf(database, clientId);
    if (is !== undefined) await setCountry(database, clientId, is === "off" ? null : codeOf(is), now);
    const country = await countryOfApplication(database, clientId);
    const text = country === null ? "no country is set" : `its receipts are likely from ${country}`;
    print({ clientId, country }, [text]);
  },
});

function codeOf(given: string): string {
  const code = countryCodeOf(given);
  if (code === null) throw new Refusal("--is must be an ISO 3166-1 code, such as CA, or off");
  return code;
}
