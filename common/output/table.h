/* table.h - events as rows of a table, in forms for other programs. */
#ifndef SPOOR_TABLE_H
#define SPOOR_TABLE_H

#include "output/sink.h"

/* write_options.fields says which columns; where it is NULL they are those of any event and, of the
 * first two, all arguments that table_learn has seen. */
extern const struct form form_csv, form_tsv, form_jsonl;
/* The arguments of all events, which a first reading shows, are columns. For target.learn. */
void table_learn(struct sink *k, struct source *s, const struct batch *b,
		 const uint32_t *pick, uint32_t n);

#endif
