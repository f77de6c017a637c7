import { ALL_MAX, PAGE_SIZE_MAX } from "./page.ts";
import type { Page } from "./page.ts";

/**
 * The header Link (RFC 8288) of a list with `count` entries: `first`, `prev`, `next` and `last` of a page; `next` of All
 * that was cut short, which leads on by pages. Null where there is nothing to lead to. `url` is the request's own path
 * and query, which the links keep; they lead to the configured `publicUrl`, never to where a header Host says.
 */
export function linkHeader(publicUrl: string, url: string, page: Page, count: number): string | null {
  const address = new URL(`${publicUrl}${url}`);
  // `all=true` is read as All: if it stayed, the next link would lead to the same entries for ever.
  const sent = [...address.searchParams];
  address.search = new URLSearchParams(sent.map(([name, value]) => [interfaceName(name), value])).toString();
  const linkTo = (relation: string, number: number): string => {
    address.searchParams.set("page", String(number));
    return `<${address.href}>; rel="${relation}"`;
  };
  if (page.kind === "first") return null;
  if (page.kind === "all") {
    if (count <= ALL_MAX) return null;
    address.searchParams.delete("All");
    address.searchParams.set("pageSize", String(PAGE_SIZE_MAX));
    return linkTo("next", ALL_MAX / PAGE_SIZE_MAX + 1);
  }
  const last = Math.max(1, Math.ceil(count / page.size));
  return [
    linkTo("first", 1),
    ...(page.number > 1 ? [linkTo("prev", Math.min(page.number - 1, last))] : []),
    ...(page.number < last ? [linkTo("next", page.number + 1)] : []),
    linkTo("last", last),
  ].join(", ");
}

/** A parameter's name as the interface spells it; those of lists are read in any letter case. */
function interfaceName(name: string): string {
  return (
    ["page", "pageSize", "First", "All", "timeframe"].find((own) => own.toLowerCase() === name.toLowerCase()) ?? name
  );
}
