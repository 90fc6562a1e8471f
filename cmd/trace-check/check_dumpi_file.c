/* check_dumpi_file.c - the rules of DUMPI about the sections of files, and about the files of a run. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "trace-check/check_mpi.h"

#define YEAR_1995 788918400u
#define DAY 86400u
/* Most spare bytes before a header that are searched. */
#define SPARE 64

static const char *const section_names[SECTIONS + 1] = {
    "header",	      "footer",		"keyval section",
    "counter labels", "datatype sizes", "function addresses",
    "index"};

/* What the header of a rank says. */
struct header {
	const uint8_t *version;
	uint64_t start;
	struct span host, user;
};

static struct header
header_of(const struct dumpi_rank *r)
{
	struct dumpi_cur c = dumpi_cursor(&r->sec.raw[SEC_HEADER]);
	struct header h = {.version = dumpi_take(&c, 3)};

	h.start = dumpi_u64(&c);
	h.host = dumpi_str16(&c);
	h.user = dumpi_str16(&c);
	return h;
}

static bool
is_printable(struct span s)
{
	size_t i = 0;

	while (i < s.n && s.p[i] >= ' ' && s.p[i] < 0x7f)
		i++;
	return i == s.n && i;
}

/* Looks for a header that begins some bytes after the place that the index names. */
static void
find_header(struct mpi_check *x, const struct dumpi_rank *r)
{
	uint64_t off = r->sec.off[SEC_HEADER], footer = r->sec.off[SEC_FOOTER];
	struct dumpi_file f = r->file;
	bool found = false;

	if (!off || r->sec.raw[SEC_HEADER].n || f.size == UINT64_MAX)
		return;
	f.fd = open(r->name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	f.base = 0;
	for (uint64_t by = 1; f.fd >= 0 && by <= SPARE && !found; by++) {
		struct dumpi_sections s = {0};

		dumpi_sections_follow(&s, &f, off + by);
		found = s.raw[SEC_HEADER].n && off + by + s.raw[SEC_HEADER].n == footer;
		if (found)
			find(x->c, BAD_DUMPI_SECTIONS, at_offset(r->name, off),
			     "%llu bytes lie before the header", (unsigned long long)by);
		dumpi_sections_free(&s);
	}
	if (f.fd >= 0)
		close(f.fd);
}

/* Checks that the sections follow one another. */
static void
check_sections(struct mpi_check *x, const struct dumpi_rank *r)
{
	uint64_t end = r->end, spare = 0;
	const char *last = "body";
	unsigned k, absent = 0;

	find_header(x, r);
	for (k = 0; k < SECTIONS; k++)
		absent += !r->sec.off[k];
	while (r->whole && r->sec.words && k <= SECTIONS) {
		uint64_t next = r->file.size - 8 * (uint64_t)r->sec.words;

		/* The next section is the one that begins first after the last one began. */
		k = SECTIONS;
		for (unsigned i = 0; i < SECTIONS; i++)
			if (r->sec.raw[i].n && r->sec.off[i] && r->sec.off[i] >= end &&
			    r->sec.off[i] < next) {
				k = i;
				next = r->sec.off[i];
			}
		spare = next - end;
		/* A section that the index does not name may be there, and empty: four bytes. */
		if (next < end || (spare && (spare % 4 || spare / 4 > absent)))
			find(x->c, BAD_DUMPI_SECTIONS, at_offset(r->name, end),
			     "%lld bytes lie between the %s and the %s", (long long)spare,
			     last, section_names[k]);
		if (k == SECTIONS)
			break;
		end = next + r->sec.raw[k].n;
		last = section_names[k];
	}
}

/* Checks that the last counts of the footer are the sums of the others. */
static void
check_totals(struct mpi_check *x, const struct dumpi_rank *r)
{
	const struct buf *raw = &r->sec.raw[SEC_FOOTER];

	for (unsigned part = 0; raw->n && part < 2; part++) {
		const uint8_t *p = raw->p + 8 + 4 * (size_t)part * DUMPI_COUNTED;
		uint32_t sum = 0;

		for (unsigned i = 0; i < DUMPI_COUNTED - 1; i++)
			sum += be32(p + 4 * (size_t)i);
		if (be32(p + 4 * (DUMPI_COUNTED - 1)) != sum)
			find(x->c, BAD_DUMPI_FOOTER_COUNT,
			     at_offset(r->name, r->sec.off[SEC_FOOTER]),
			     "the footer's total is %u, the sum of its counts %u",
			     be32(p + 4 * (DUMPI_COUNTED - 1)), sum);
	}
}

/* Checks the header of a rank, also against that of the first rank of its job, and the .meta file's start. */
static void
check_header(struct mpi_check *x, const struct dumpi_rank *r,
	     const struct dumpi_rank *first)
{
	const struct dumpi_jobs *jobs = dumpi_jobs(x->s);
	const char *meta =
	    r->job < jobs->n ? dumpi_meta_value(&jobs->v[r->job].meta, "startime") : NULL;
	struct trace_place at = at_offset(r->name, r->sec.off[SEC_HEADER]);
	struct header h = header_of(r), f = header_of(first);
	uint64_t start;

	if (!h.version)
		return;
	if (!is_printable(h.host) || !is_printable(h.user))
		find(x->c, BAD_DUMPI_STRINGS, at,
		     "the name of the %s is empty or not printable",
		     is_printable(h.host) ? "user" : "host");
	if (h.start < YEAR_1995)
		find(x->c, BAD_DUMPI_START, at,
		     "the start is %llu s after 1970, before 1995",
		     (unsigned long long)h.start);
	else if (f.version && h.start - f.start + DAY > 2 * DAY)
		find(x->c, BAD_DUMPI_START, at,
		     "the start is %llu, that of the first rank %llu",
		     (unsigned long long)h.start, (unsigned long long)f.start);
	else if (meta && !digits_u64((const uint8_t *)meta, strlen(meta), &start) &&
		 start >= YEAR_1995 && h.start - start + DAY > 2 * DAY)
		find(x->c, BAD_DUMPI_START, at,
		     "the start is %llu, that of the .meta file %s",
		     (unsigned long long)h.start, meta);
	if (f.version && memcmp(h.version, f.version, 3) != 0)
		find_with(x->c, BAD_DUMPI_VERSION_SET, at, in_file(first->name),
			  "the version is %u.%u.%u, that of the first rank %u.%u.%u",
			  h.version[0], h.version[1], h.version[2], f.version[0],
			  f.version[1], f.version[2]);
	else if (f.version &&
		 (h.user.n != f.user.n || memcmp(h.user.p, f.user.p, h.user.n) != 0))
		find_with(x->c, BAD_DUMPI_VERSION_SET, at, in_file(first->name),
			  "the user is another one than that of the first rank");
}

/* Checks the number of files of a job, and their names. */
static void
check_job(struct mpi_check *x, size_t number)
{
	const struct dumpi_jobs *jobs = dumpi_jobs(x->s);
	const struct dumpi_job *job = number < jobs->n ? &jobs->v[number] : NULL;
	const char *ranks = job ? dumpi_meta_value(&job->meta, "numprocs") : NULL,
		   *prefix = job ? dumpi_meta_value(&job->meta, "fileprefix") : NULL,
		   *slash;
	const struct dumpi_rank *least = NULL;
	uint64_t n = 0, want;

	for (size_t i = 0; i < dumpi_nranks(x->s); i++) {
		const struct dumpi_rank *r = dumpi_rank(x->s, i);

		if (r->job != number)
			continue;
		n++;
		least = !least || r->number < least->number ? r : least;
	}
	if (ranks && !digits_u64((const uint8_t *)ranks, strlen(ranks), &want) && want != n)
		find(x->c, BAD_DUMPI_META, in_file(job->name),
		     "numprocs=%s, but there %s %llu file%s", ranks, n == 1 ? "is" : "are",
		     (unsigned long long)n, n == 1 ? "" : "s");
	slash = prefix ? strrchr(prefix, '/') : NULL;
	prefix = slash ? slash + 1 : prefix;
	slash = least ? strrchr(least->name, '/') : NULL;
	slash = slash ? slash + 1 : least ? least->name : NULL;
	if (prefix && slash &&
	    (strncmp(slash, prefix, strlen(prefix)) != 0 || slash[strlen(prefix)] != '-'))
		find_with(x->c, BAD_DUMPI_META, in_file(job->name), in_file(least->name),
			  "fileprefix=%s, but the files have other names", prefix);
	if (!ranks && least && least->number > 0)
		find(x->c, BAD_DUMPI_RANKS, in_file(least->name), "rank 0 is missing");
}

void
dumpi_check_files(struct mpi_check *x)
{
	size_t n = dumpi_nranks(x->s), first = 0, jobs = dumpi_jobs(x->s)->n;

	for (size_t i = 0; i < n; i++) {
		const struct dumpi_rank *r = dumpi_rank(x->s, i);

		x->c->cut |= !r->whole || (r->sec.loaded && !r->sec.words);
	}
	for (size_t i = 0; i < n; i++) {
		const struct dumpi_rank *r = dumpi_rank(x->s, i);

		if (r->job != dumpi_rank(x->s, first)->job)
			first = i;
		check_sections(x, r);
		check_totals(x, r);
		check_header(x, r, dumpi_rank(x->s, first));
	}
	for (size_t i = 0; i < (jobs ? jobs : 1); i++)
		check_job(x, i);
}
