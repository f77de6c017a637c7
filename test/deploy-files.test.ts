import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseYaml } from "@redocly/openapi-core";
import { SETTINGS } from "../src/settings.ts";

// The files of the container and of systemd name what there is. `npm run test:container` runs what they describe.

const ROOT = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(ROOT, "deploy", file), "utf8");
const ROLES = ["serve", "work", "start", "migrate"];
const isSetting = (name: string) => name in SETTINGS;

test("the Dockerfile builds by the script, runs as a number that is not root, and has a health check", () => {
  const lines = read("container/Dockerfile").split("\n");
  const last = (word: string) => lines.findLast((line) => line.startsWith(`${word} `))!.slice(word.length + 1);
  assert.match(lines.join("\n"), /^RUN sh deploy\/container\/assemble\.sh \/app$/m);
  assert.match(last("USER"), /^[1-9]\d{3,}:[1-9]\d{3,}$/);
  assert.match(last("HEALTHCHECK"), /"\/app\/node", "\/app\/health\.mjs"/);
  assert.deepEqual(JSON.parse(last("ENTRYPOINT")), ["/app/node", "src/main.ts"]);
  assert.ok(ROLES.includes((JSON.parse(last("CMD")) as string[])[0]!));
  const settings = last("ENV")
    .split(" ")
    .map((pair) => pair.split("=")[0]!);
  assert.deepEqual(
    settings.filter((name) => !isSetting(name)),
    [],
  );
  assert.equal(lines.filter((line) => line.startsWith("FROM ")).length, 2, "tools stay in the first stage");
});

interface Service {
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly stop_grace_period?: string;
  readonly user?: string;
}

test("the compose file starts both roles with settings that exist, one folder of images, and time to stop", () => {
  const { services, volumes } = parseYaml(read("container/compose.yaml")) as {
    services: Record<string, Service>;
    volumes: Record<string, null>;
  };
  assert.deepEqual(Object.keys(services), ["postgres", "serve", "work"]);
  for (const role of ["serve", "work"]) {
    const { command, environment, volumes: mounted, stop_grace_period: grace, user } = services[role]!;
    assert.deepEqual(command, [role]);
    assert.deepEqual(
      Object.keys(environment).filter((name) => !isSetting(name)),
      [],
    );
    assert.deepEqual(mounted, ["files:/data"]);
    assert.ok(Number.parseInt(grace!, 10) > 15, "a stop takes 15 seconds at most");
    assert.equal(user, undefined, "the image's own");
  }
  assert.deepEqual(Object.keys(volumes).toSorted(), ["database", "files"]);
});

test("the compose file of S3 gives both roles the bucket that it makes, by credentials that may use no other", () => {
  const { services, configs } = parseYaml(read("container/compose.s3.yaml")) as {
    services: Record<string, Service & { readonly entrypoint?: readonly string[]; readonly ports?: readonly string[] }>;
    configs: Record<string, { content: string }>;
  };
  const [identity, ...others] = (JSON.parse(configs["s3"]!.content) as { identities: Identity[] }).identities;
  assert.deepEqual(others, []);
  for (const role of ["serve", "work"]) {
    const { AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secretKey, ...settings } = services[role]!.environment;
    assert.deepEqual(identity!.credentials, [{ accessKey, secretKey }]);
    assert.deepEqual(
      Object.keys(settings).filter((name) => !isSetting(name)),
      [],
    );
    const bucket = settings["IMAGES_S3_BUCKET"]!;
    assert.ok(services["bucket"]!.entrypoint!.at(-1)!.includes(`s3.bucket.create -name ${bucket} `));
    assert.deepEqual(
      identity!.actions.map((action) => action.split(":")[1]),
      Array<string>(3).fill(bucket),
    );
  }
  assert.deepEqual(services["s3"]!.ports, ["127.0.0.1:8333:8333"], "the port that wants credentials, for a proxy");
});

interface Identity {
  readonly credentials: readonly object[];
  readonly actions: readonly string[];
}

test("the units of systemd start roles with settings that exist, not as root, and with time to stop", () => {
  const units = readdirSync(join(ROOT, "deploy/systemd"));
  assert.deepEqual(units.toSorted(), ["rewards-serve.service", "rewards-work.service"]);
  for (const unit of units) {
    const text = read(`systemd/${unit}`);
    const role = /^ExecStart=\/opt\/rewards\/node src\/main\.ts (\w+)$/m.exec(text)?.[1];
    assert.equal(unit, `rewards-${role}.service`);
    const settings = [...text.matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name!);
    assert.deepEqual(
      settings.filter((name) => !isSetting(name)),
      [],
    );
    assert.match(text, /^User=rewards$/m);
    assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]) > 15);
  }
});

test("what the script assembles is there", () => {
  const copied = /^cp -R (.*) "\$out\/"$/m.exec(read("container/assemble.sh"))![1]!.split(" ");
  assert.ok(copied.length >= 6);
  assert.deepEqual(
    copied.filter((path) => !existsSync(join(ROOT, path))),
    [],
  );
  const ignored = read("container/Dockerfile.dockerignore").split("\n");
  assert.deepEqual(
    copied.filter((path) => ignored.includes(path)),
    [],
  );
});
