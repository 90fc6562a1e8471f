#!/bin/sh
# install.sh: npm installs readers of Parquet and Arrow into build/tables, for the tests that ask them.
set -eu
cd "$(dirname "$0")/../.."
[ ! -d build/tables/node_modules/hyparquet ] || exit 0
mkdir -p build/tables
cp tests/tables/package.json build/tables
cd build/tables
npm install --ignore-scripts || { rm -rf node_modules; exit 1; }
