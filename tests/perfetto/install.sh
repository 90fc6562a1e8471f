#!/bin/sh
# install.sh: npm installs Perfetto's engine and user interface into build/perfetto, for the tests that ask them.
set -eu
cd "$(dirname "$0")/../.."
[ ! -d build/perfetto/node_modules/puppeteer-core ] || exit 0
mkdir -p build/perfetto
cp tests/perfetto/package.json build/perfetto
cd build/perfetto
npm install --ignore-scripts || { rm -rf node_modules; exit 1; }
