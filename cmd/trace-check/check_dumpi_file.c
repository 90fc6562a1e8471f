/* check_dumpi_file.c - the rules of DUMPI about the sections of files, and about the files of a run. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "trace-check/check_mpi.h"

#define YEAR_1995 788918400u
#define DAY 86400u

/* Checks that the sections follow one another. */
static void
check_sections(struct mpi_check *x, const struct dumpi_rank *r)
{
	uint64_t end = r->end, next, absent;
	unsigned k = 0, n;

	if (!r->whole || !r->sec.words || r->sec.broken)
		return;
	for (; k <= SECTIONS; k = n + 1) {
		/* A section that the index does not name may be there, and empty: four bytes. */
		for (n = k, absent = 0; n < SECTIONS && !r->sec.off[n]; n++)
			absent += 4;
		next = n < SECTIONS ? r->sec.off[n]
				    : r->file.size - 8 * (uint64_t)r->sec.words;
		if (next < end || (next - end) % 4 || next - end > absent)
			find_at(x->c, BAD_DUMPI_SECTIONS, at_offset(r->name, end),
				I64 " bytes lie between two sections",
				(int64_t)(next - end));
		end = next + (n < SECTIONS ? r->sec.raw[n].n : 0);
	}
}

/* Checks that the last counts of the footer are the sums of the others. */
static void
check_totals(struct mpi_check *x, const struct dumpi_rank *r)
{
	const struct buf *raw = &r->sec.raw[SEC_FOOTER];

	for (unsigned part = 0; raw->n && part < 2; part++) {
		const uint8_t *p = raw->p + 8 + 4 * (size_t)part * DUMPI_COUNTED;
		uint32_t sum = 0, total = be32(p + 4 * (DUMPI_COUNTED - 1));

		for (unsigned i = 0; i < DUMPI_COUNTED - 1; i++)
			sum += be32(p + 4 * (size_t)i);
		if (total != sum)
			find_at(x->c, BAD_DUMPI_FOOTER_COUNT,
				at_offset(r->name, r->sec.off[SEC_FOOTER]),
				"the footer's total is %u, its counts have the sum %u",
				total, sum);
	}
}

static bool
is_printable(struct span s)
{
	size_t i = 0;

	while (i < s.n && s.p[i] >= ' ' && s.p[i] < 0x7f)
		i++;
	return i == s.n && i;
}

/* Returns true if two starts are more than a day apart. */
static bool
is_far(uint64_t a, uint64_t b)
{
	return a - b + DAY > 2 * DAY;
}

/* Checks the header of a rank, also against that of the first rank of its job and the start in the .meta file. */
static void
check_header(struct mpi_check *x, const struct dumpi_rank *r,
	     const struct dumpi_rank *first)
{
	const struct dumpi_jobs *jobs = dumpi_jobs(x->s);
	const char *meta =
	    r->job < jobs->n ? dumpi_meta_value(&jobs->v[r->job].meta, "startime") : NULL;
	struct trace_place at = at_offset(r->name, r->sec.off[SEC_HEADER]);
	struct dumpi_cur a = dumpi_cursor(&r->sec.raw[SEC_HEADER]),
			 b = dumpi_cursor(&first->sec.raw[SEC_HEADER]);
	const uint8_t *version = dumpi_take(&a, 3), *other = dumpi_take(&b, 3);
	uint64_t start = dumpi_u64(&a), least = dumpi_u64(&b), told;
	struct span host = dumpi_str16(&a), user = dumpi_str16(&a), same;

	dumpi_str16(&b);
	same = dumpi_str16(&b);
	told = meta ? strtoull(meta, NULL, 10) : 0;
	if (!version || !other)
		return;
	if (told < YEAR_1995)
		told = start;
	if (!is_printable(host) || !is_printable(user))
		find_at(x->c, BAD_DUMPI_STRINGS, at,
			"the name of the %s is empty or not printable",
			is_printable(host) ? "user" : "host");
	if (start < YEAR_1995)
		find_at(x->c, BAD_DUMPI_START, at,
			"the start is " U64 " s after 1970, before 1995", start);
	else if (is_far(start, told) || is_far(start, least))
		find_at(x->c, BAD_DUMPI_START, at,
			"the start is " U64 ", in another file it is " U64, start,
			is_far(start, told) ? told : least);
	if (memcmp(version, other, 3) != 0 || user.n != same.n ||
	    memcmp(user.p, same.p, user.n) != 0)
		find_both(x->c, BAD_DUMPI_VERSION_SET, at, in_file(first->name),
			  "version %u.%u.%u of user %.*s, in the first rank's file "
			  "%u.%u.%u of %.*s",
			  version[0], version[1], version[2], (int)user.n,
			  (const char *)user.p, other[0], other[1], other[2], (int)same.n,
			  (const char *)same.p);
}

/* Returns the part of a path after the last slash. */
static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Checks the number of files of a job, and their names. */
static void
check_job(struct mpi_check *x, size_t number)
{
	const struct dumpi_jobs *jobs = dumpi_jobs(x->s);
	const struct dumpi_job *job = number < jobs->n ? &jobs->v[number] : NULL;
	const char *ranks = job ? dumpi_meta_value(&job->meta, "numprocs") : NULL,
		   *prefix = job ? dumpi_meta_value(&job->meta, "fileprefix") : NULL;
	const struct dumpi_rank *least = NULL;
	uint64_t n = 0;

	for (size_t i = 0; i < dumpi_nranks(x->s); i++) {
		const struct dumpi_rank *r = dumpi_rank(x->s, i);

		n += r->job == number;
		if (r->job == number && (!least || r->number < least->number))
			least = r;
	}
	prefix = prefix ? last_part(prefix) : NULL;
	if (ranks && strtoull(ranks, NULL, 10) != n)
		find_at(x->c, BAD_DUMPI_META, in_file(job->name),
			"numprocs=%s, but the number of files is " U64, ranks, n);
	if (prefix && least && strncmp(last_part(least->name), prefix, strlen(prefix)) != 0)
		find_both(x->c, BAD_DUMPI_META, in_file(job->name), in_file(least->name),
			  "fileprefix=%s, but the files have other names", prefix);
	if (!ranks && least && least->number > 0)
		find_at(x->c, BAD_DUMPI_RANKS, in_file(least->name), "rank 0 is missing");
}

void
dumpi_check_files(struct mpi_check *x)
{
	size_t jobs = dumpi_jobs(x->s)->n;
	const struct dumpi_rank *first = NULL;

	for (size_t i = 0; i < dumpi_nranks(x->s); i++) {
		const struct dumpi_rank *r = dumpi_rank(x->s, i);

		if (!first || r->job != first->job)
			first = r;
		x->c->cut |= !r->whole || !r->sec.words;
		check_sections(x, r);
		check_totals(x, r);
		check_header(x, r, first);
	}
	for (size_t i = 0; i < (jobs ? jobs : 1); i++)
		check_job(x, i);
}
