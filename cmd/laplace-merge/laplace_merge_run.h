/* laplace_merge_run.h - merges the references and the kernel's events of one run by the processor's cycle
 * counter, and returns them in order, with pages, processes and address spaces. */
#ifndef SPOOR_LAPLACE_MERGE_H
#define SPOOR_LAPLACE_MERGE_H

#include "base/atomic_file.h"
#include "input/sniff.h"
#include "laplace-merge/laplace_merge_state.h"

/* The options of fmt_laplace_merge, which a program sets. */
struct laplace_merge_options {
	const struct format *refs; /* format of the references; NULL: detected */
	bool kernel_first;	   /* at equal times the kernel's events come first */
	uint64_t kernel_base;	   /* lowest address of the kernel */
	bool pages;		   /* compute canonical page numbers */
	struct out *table;	   /* the table of pages is written to it; or NULL */
};

/* Up to BATCH consecutive references, or one event of the kernel. */
struct laplace_step {
	const uint8_t *refs; /* records, little-endian; NULL: the step is an event */
	uint32_t n;
	/* The number and the region of the page of each reference, if opt->pages is set. */
	uint32_t page[BATCH], region[BATCH];

	struct kernel_event event;
	const struct rec *rec; /* record of merge->kernel; NULL for the end */
	struct span raw;       /* its line, with a newline */
};

#define PAGES_RECENT 65536 /* entries of the cache of pages */

struct laplace_merge {
	const struct laplace_merge_options *opt;
	struct source *of; /* the source of the merge */
	struct source refs, kernel;
	bool refs_open, kernel_open;
	size_t kernel_at; /* number of the kernel trace that is opened next */
	struct read_options refs_options, kernel_options;
	const struct sniffer *sniffers[SNIFFERS_MOST + 2]; /* sniffers for refs_options */
	struct laplace_state state;

	/* References that were read, but not returned yet. */
	uint8_t *own; /* BATCH records converted from text, or from big-endian */
	const uint8_t *block;
	size_t n, at;
	uint64_t place; /* place of the first one: an offset, or a line */
	size_t raw;	/* bytes of the block in the buffer of the input */
	uint64_t last;	/* time of the last one */
	bool back_said;
	/* Events of the kernel that were read, and how many of them were returned. */
	struct batch *events;
	uint32_t event;
	uint64_t last_event;
	/* Line that ends the trace. It waits until all inputs have ended, because a later kernel trace may
	 * continue. */
	struct buf end;
	bool end_waits;
	uint64_t strays; /* references in the kernel's trace */

	struct cached {
		uint64_t key;
		uint32_t page, region;
	} * cache;
	bool found; /* found_space is the space of the last page that was found */
	uint32_t found_space;
	uint32_t generation; /* in valid keys of the cache: 1 to 4095 */
	uint64_t mismatches, outside;
};

/* Opens s->paths: references, then kernel traces, one after the other; without paths, standard input. Overwrites all
 * of *m; m->opt comes from s->opt. Reports an input that cannot be opened, sets s->trouble, and merges the others; with
 * --strict it sets s->stop. */
void laplace_merge_open(struct laplace_merge *m, struct source *s);
/* Reads the next references, at most `most`, or the next event, into *step, whose pointers are valid until the next
 * call. Returns false at the end of all inputs, or if an input sets `stop`. The reader of an input reports its read
 * errors, and the input then ends. */
bool laplace_merge_next(struct laplace_merge *m, struct laplace_step *step, uint32_t most);
/* Returns true if a region, given by its number, is in the kernel's part of a space. */
static inline bool
laplace_is_kernel(const struct laplace_merge *m, uint32_t region)
{
	return region == REGION_KERNEL ||
	       (region >= REGION_FILE && m->state.canon.region[region].frame);
}

/* Ends the merge: reports errors and counts, and writes the table. laplace_merge_close closes the inputs and frees what
 * m holds, but not m. */
void laplace_merge_end(struct laplace_merge *m);
void laplace_merge_close(struct laplace_merge *m);

/* The merge as one source of events: the first path has references, the others are kernel traces. Its `loc` is
 * pid/space. */
extern const struct format fmt_laplace_merge;
/* Returns the merge of a source of fmt_laplace_merge. */
struct laplace_merge *laplace_merge_of(const struct source *s);

/* Writes all references and events to o as native text: canonical lines of references, and unchanged lines of
 * the kernel. With `pages`, writes a line for each reference instead: `R 5647abcd`, its type in upper case and
 * its page. */
void laplace_write(struct laplace_merge *m, struct out *o, bool pages);

/* Writes a file for each task, SPACE/PID in hexadecimal, below the directory `dir`. It
 * holds references as `r 123456789abcdef0 4 9a8b7 8888ffff3e456a21`, with the number of the
 * page in the space and the canonical number, and the kernel's lines. Also writes the file
 * `kernel`, with the lines that belong to no task, and `processes`, a table of the tasks.
 * `path` is for messages. Dies if a file cannot be written. */
void laplace_write_processes(struct laplace_merge *m, struct atomic_file *dir,
			     const char *path);

#endif
