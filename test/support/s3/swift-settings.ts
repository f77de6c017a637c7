// The settings of a Swift with one device, as Debian's packages read them. Pure.
import { userInfo } from "node:os";

export type Part = "account" | "container" | "object" | "proxy";

export const PARTS: readonly Part[] = ["account", "container", "object", "proxy"];
export const ACCOUNT = "AUTH_test";
/** The same of each: a process has one pair for all of its buckets. */
export const ACCESS_KEY = "test:tester";
export const SECRET_KEY = "known-to-every-test";
export const HASH_SUFFIX = "tests";
/** Objects of a response to a list, so that lists have several. Usually 1,000. */
export const LISTED_MAX = 100;

/** Returns the files of settings by their names. */
export function swiftSettings(folder: string, ports: Readonly<Record<Part, number>>): Record<string, string> {
  const files: Record<string, string> = {
    "swift.conf": section("swift-hash", { swift_hash_path_suffix: HASH_SUFFIX }),
  };
  for (const part of PARTS) {
    files[`${part}.conf`] = [
      section("DEFAULT", { ...defaults(folder), bind_port: ports[part] }),
      ...(part === "proxy" ? proxy() : server(part)),
    ].join("\n");
  }
  return files;
}

function defaults(folder: string): Record<string, string | number> {
  return {
    bind_ip: "127.0.0.1",
    swift_dir: folder,
    devices: `${folder}/devices`,
    mount_check: "false",
    user: userInfo().username,
    // One process, which can be killed.
    workers: 0,
    log_level: "WARNING",
  };
}

function server(part: Part): string[] {
  const name = `${part}-server`;
  return [
    section("pipeline:main", { pipeline: `healthcheck ${name}` }),
    section(`app:${name}`, { use: `egg:swift#${part}` }),
    section("filter:healthcheck", { use: "egg:swift#healthcheck" }),
  ];
}

function proxy(): string[] {
  const filters = ["catch_errors", "healthcheck", "cache", "s3api", "tempauth"];
  return [
    section("pipeline:main", { pipeline: [...filters, "proxy-server"].join(" ") }),
    section("app:proxy-server", {
      use: "egg:swift#proxy",
      account_autocreate: "true",
      // A server that is back is used again after a second, instead of a minute.
      error_suppression_interval: 1,
    }),
    section("filter:catch_errors", { use: "egg:swift#catch_errors" }),
    section("filter:healthcheck", { use: "egg:swift#healthcheck" }),
    // tempauth wants a cache. Nothing listens on that port, so that every request is decided anew.
    section("filter:cache", {
      use: "egg:swift#memcache",
      memcache_servers: "127.0.0.1:1",
      error_suppression_limit: 1,
      error_suppression_interval: 1_000_000,
    }),
    section("filter:s3api", { use: "egg:swift#s3api", max_bucket_listing: LISTED_MAX }),
    section("filter:tempauth", {
      use: "egg:swift#tempauth",
      [`user_${ACCESS_KEY.replace(":", "_")}`]: `${SECRET_KEY} .admin`,
    }),
  ];
}

function section(name: string, settings: Record<string, string | number>): string {
  return [`[${name}]`, ...Object.entries(settings).map(([key, value]) => `${key} = ${value}`), ""].join("\n");
}
