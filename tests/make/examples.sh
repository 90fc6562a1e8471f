#!/bin/sh
# examples.sh DIR: the sample traces, by the names that the man pages and the README have for them.
set -eu
from=$(cd "$(dirname "$0")/../fixtures" && pwd)
mkdir -p "$1"
cd "$1"
cp "$from/spc/spec-example.spc" example.spc
gunzip -c "$from/readme/make.strace.gz" > out
cp "$from/readme/access.csv" access.csv
cp "$from/spc/Financial1-head.spc" Financial1.spc
cp "$from/spc/WebSearch2-first10.spc" WebSearch2.spc
cp "$from/laplace/merged-head.ref" refs.bin
cp "$from/laplace/merged-head.kern" refs.kern
cp "$from/laplace/three.ref" "$from/laplace/three.kern" .
cp "$from/laplace/k32-excerpt.kern" kernel.txt
cp "$from/laplace/seed.kern" tags.txt
cp "$from/charisma/cm5.chr" trace.chr
cp -R "$from/runs/." .
