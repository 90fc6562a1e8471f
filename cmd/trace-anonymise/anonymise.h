/*
 * anonymise.h - events with other names: copies batches of a source, and replaces the names in arguments, places and
 * metadata.
 *
 *	struct anonymise *a = anonymise_new(&choice, &naming);
 *
 *	made = anonymise_batch(a, s, b, &out);
 *	sink_put(&sink, made, out, NULL, out->n);
 *	...
 *	sink_end(&sink, anonymise_end(a, s));
 *	anonymise_free(a);
 */
#ifndef SPOOR_ANONYMISE_H
#define SPOOR_ANONYMISE_H

#include "names/naming.h"
#include "trace-anonymise/name_rules.h"

struct anonymise;

/* Returns a struct that uses both parameters, which must live as long; anonymise_free frees it, but not them. */
struct anonymise *anonymise_new(struct name_choice *choice, struct naming *naming);
void anonymise_free(struct anonymise *a);
/* Copies a batch of s. *out has the copies, and the result is their source, both until the next call. An event whose
 * parts overlap, in a damaged stream, is lost: an error of s. */
struct source *anonymise_batch(struct anonymise *a, struct source *s, const struct batch *b,
			       const struct batch **out);
/* Returns a copy of s for sink_end, with the head with other names, and no place of an error. It belongs to a, and is
 * valid until the next call with a. */
struct source *anonymise_end(struct anonymise *a, struct source *s);

#endif
