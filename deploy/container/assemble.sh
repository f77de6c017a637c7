#!/bin/sh
# Assembles what runs in a container in the folder $1: the program, its data, its packages without development tools.
set -eu
out=$1
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)

mkdir -p "$out/sdk"
cd "$root"
cp -R package.json package-lock.json .npmrc LICENSE NOTICE src migrations reference "$out/"
# Commands use the client.
cp -R sdk/package.json sdk/src "$out/sdk/"
cp "$here/health.mjs" "$out/"
# Tests are no part of it.
find "$out/src" -name '*.test.ts' -delete

cd "$out"
npm ci --omit=dev --no-audit --no-fund
# The Node that the lock file names, as the entry point: no wrapper stands between a signal and the service.
ln -s "$(ls -d node_modules/node-linux-*/bin/node node_modules/node-bin-linux-*/bin/node 2>/dev/null | head -n 1)" node
./node "$here/prune.mjs" node_modules
rm -f package-lock.json .npmrc
