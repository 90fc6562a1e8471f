/* csv.c - csv, tsv, jsonl: for sqlite, pandas, R, jq, spreadsheets. */
#include "trace-export/export.h"
#include "cells/row_writer.h"

const struct target target_csv = {
    .name = "csv",
    .about = "comma-separated values with a line of names: pandas, R, sqlite, spreadsheets",
    .takes = TAKES(FIELDS) | TAKES(NULL) | TAKES(SAFE) | TAKES(ABSOLUTE),
    .carries = NEED_COLUMNS | NEED_ARGS,
    .form = &form_csv,
    .learns = NEED_ARGS,
    .learn = row_writer_learn,
};

const struct target target_tsv = {
    .name = "tsv",
    .about = "TAB-separated values with a line of names: cut, awk, sqlite, R",
    .takes = TAKES(FIELDS) | TAKES(NULL) | TAKES(SAFE) | TAKES(ABSOLUTE),
    .carries = NEED_COLUMNS | NEED_ARGS,
    .form = &form_tsv,
    .learns = NEED_ARGS,
    .learn = row_writer_learn,
};

const struct target target_jsonl = {
    .name = "jsonl",
    .about = "JSON, an object a line: jq, pandas, DuckDB",
    .takes = TAKES(FIELDS) | TAKES(NUMBERS) | TAKES(ABSOLUTE),
    .carries = NEED_COLUMNS | NEED_ARGS,
    .form = &form_jsonl,
};
