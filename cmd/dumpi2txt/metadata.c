/* metadata.c - prints everything in the files of a trace except calls. */
#include <stdio.h>
#include <string.h>

#include "dumpi/dumpi_trace.h"

/* Writes the sections of all ranks. In a pipe, or without an index, they come after the body, which is read
 * first. */
void
dumpi_metadata(struct source *s, dumpi_pair *put, void *arg)
{
	const struct dumpi_jobs *jobs = dumpi_jobs(s);
	static struct batch b;
	bool missing = false;
	char number[DUMPI_RANK_TEXT];

	for (size_t i = 0; i < dumpi_nranks(s); i++)
		missing |= !dumpi_rank(s, i)->sec.raw[SEC_HEADER].n ||
			   !dumpi_rank(s, i)->sec.raw[SEC_FOOTER].n;
	while (missing && source_next(s, &b))
		;
	for (size_t i = 0; i < jobs->n; i++) {
		const struct dumpi_job *j = &jobs->v[i];

		if (jobs->n > 1)
			put(arg, "job", number,
			    (size_t)snprintf(number, sizeof number, "%zu", i), j->name,
			    strlen(j->name));
		for (size_t m = 0; m < j->meta.n; m++)
			put(arg, "meta", j->meta.pair[m].key, strlen(j->meta.pair[m].key),
			    j->meta.pair[m].value, strlen(j->meta.pair[m].value));
	}
	for (size_t i = 0; i < dumpi_nranks(s); i++) {
		const struct dumpi_rank *r = dumpi_rank(s, i);

		if (dumpi_nranks(s) > 1)
			put(arg, "rank", number, dumpi_rank_text(number, jobs, r), r->name,
			    strlen(r->name));
		dumpi_sections_each(&r->sec, put, arg);
	}
	buf_free(&b.own);
}
