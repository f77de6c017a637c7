import { ALL_MAX, PAGE_SIZE_MAX } from "./page.ts";
import type { ListPage } from "./page.ts";

/**
 * Creates the header Link (RFC 8288) of a list with `count` entries: `first`, `prev`, `next` and `last` of a page, or
 * `next` of All with more than 5,000 entries, which continues by pages. Null without links. The links keep `url`, the
 * path and query of the request, and start with the configured `publicUrl`, never with the header Host.
 */
export function linkHeader(publicUrl: string, url: string, page: ListPage, count: number): string | null {
  const address = new URL(`${publicUrl}${url}`);
  // `all=true` also means All. If it stayed in the link, the next link would return the same entries again.
  const sent = [...address.searchParams];
  address.search = new URLSearchParams(sent.map(([name, value]) => [documentedName(name), value])).toString();
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

/** Returns the documented spelling of a parameter; the ones of lists are accepted in any letter case. */
function documentedName(name: string): string {
  return (
    ["page", "pageSize", "First", "All", "timeframe"].find((own) => own.toLowerCase() === name.toLowerCase()) ?? name
  );
}
