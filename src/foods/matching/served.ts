/** Water that a food was cooked or made with: it says how the food is served, and not what it is. */
const WITH_WATER =
  /(?<=\b(?:cooked|boiled|made|prepared|gekocht|gegart|zubereitet|cuit[es]*|bouilli[es]*|préparé[es]*|cocid[ao]s?|hervid[ao]s?|hech[ao]s?|preparad[ao]s?|cott[aeio]|lessat[aeio]|bollit[aeio]|preparat[aeio])) (?:with|in|mit|avec (?:de )?|à |con|en)\s?(?:boiling |salted |plain |hot |kochendem |de )?(?:l['’])?(?:water|wasser|eau|agua|acqua)\b/iu;

/** How a food was cut, behind its name: `in Würfeln`, `en dés`, `a cubetti`, `, in slices`. */
const CUT_UP =
  /,? (?:(?:cut |coupée?s? |geschnitten |cortad[ao]s? |tagliat[aeio] )?(?:in|into|en|a|à) (?:small |kleinen? |petits |piccoli )?(?:cubes|dice|chunks|slices|strips|pieces|rings|wedges|würfeln?|wuerfeln?|scheiben|streifen|stücken?|stuecken?|ringen?|dés|cubes|lamelles|rondelles|lanières|morceaux|tranches|cubos|dados|rodajas|tiras|trozos|láminas|cubetti|dadini|fette|fettine|striscioline|pezzi|rondelle))$/iu;

/** Returns a typed name without how the food was cut or served, where that says nothing about what it is. */
export function withoutServing(name: string): string {
  return name.replace(WITH_WATER, "").replace(CUT_UP, "");
}
