/* partial_names.h - names that the writer and the reader of partials share. */
#ifndef SPOOR_PARTIAL_NAMES_H
#define SPOOR_PARTIAL_NAMES_H

#include "stats/answer.h"

#define PARTIAL_MAGIC "spoor-stats 4"

extern const char *const partial_class[CLASSES];
extern const char *const partial_file[FILE_BYTES + 1];
/* Appends the question as it stands in the header. */
void partial_question(struct buf *b, const struct question *q);

#endif
