/* binary_index.c - skips the blocks of the binary stream without an event of the slice or part. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"
#include "input/slice.h"
#include "stream/binary_read.h"

#define END_BLOCK 32 /* bytes of an END block if the stream has an index */

static struct index_entry
get_entry(const uint8_t *p, uint64_t flip)
{
	return (struct index_entry){
	    .end = le64(p),
	    .tmin = le64(p + 8) ^ flip,
	    .tmax = le64(p + 16) ^ flip,
	    .events = le64(p + 24),
	    .blocks = le32(p + 32),
	    .names = le32(p + 36),
	};
}

/* Returns true if there is no DATA block from `at` up to the index at `to`. Otherwise the index belongs to a later
 * stream of the file, and its offsets count from another HEAD. */
static bool
ends_here(int fd, uint64_t at, uint64_t to)
{
	uint8_t head[8];
	int err;

	for (; at < to; at += le32(head + 4))
		if (in_at(fd, head, sizeof head, at, &err) < sizeof head ||
		    (le32(head) != BLOCK_LOST && le32(head) != BLOCK_HEAD) ||
		    le32(head + 4) < sizeof head)
			return false;
	return at == to;
}

/* Reads the index of a file of `size` bytes. Leaves it empty if there is none, if it is damaged, or if the file
 * has several streams: the heads of the blocks are then used. */
static void
read_index(struct source *s, uint64_t size)
{
	struct binary *x = s->state;
	uint64_t flip = time_flip(s->head.clock), bytes = 0, last = 0,
		 at = size - END_BLOCK;
	uint8_t end[END_BLOCK], *p;
	int fd = s->in.fd, err;
	size_t n;

	if (size >= END_BLOCK && in_at(fd, end, END_BLOCK, at, &err) == END_BLOCK &&
	    le32(end) == BLOCK_END && le32(end + 4) == END_BLOCK)
		bytes = le64(end + 24);
	if (bytes < 8 || bytes > 8 + INDEX_MOST * INDEX_ENTRY || bytes > at)
		bytes = 8;
	at -= bytes;
	n = (size_t)(bytes - 8) / INDEX_ENTRY;
	p = xmalloc((size_t)bytes);
	if (n && (in_at(fd, p, (size_t)bytes, at, &err) < bytes || le32(p) != BLOCK_INDEX))
		n = 0;
	x->index = xcalloc(n + 1, sizeof *x->index);
	for (size_t i = 0; i < n; i++) {
		x->index[i] = get_entry(p + 8 + i * INDEX_ENTRY, flip);
		if (x->index[i].end <= last || x->index[i].end > at)
			n = 0;
		last = x->index[i].end;
	}
	x->nindex = n && ends_here(fd, last, at) ? n : 0;
	free(p);
}

/* Returns true if no event with a time from tmin to tmax is in the slice. Returns false if there is no slice. */
static bool
outside(struct source *s, uint64_t tmin, uint64_t tmax)
{
	if (!s->opt->slice || s->scale.on || s->slice.head_serial != s->head_serial ||
	    (tmin <= s->slice.most && tmax >= s->slice.least))
		return false;
	s->slice.last = tmax > s->slice.last ? tmax : s->slice.last;
	return true;
}

/* Blocks to skip: the offset of their end, and the numbers of blocks and events. */
struct gap {
	uint64_t to, blocks, events;
};

/* Adds to *g the index entry that begins at g->to, if it has no event of the slice and no block that is needed in
 * any case. Returns false otherwise. */
static bool
skip_entry(struct source *s, struct gap *g)
{
	struct binary *x = s->state;
	const struct index_entry *e;

	while (x->entry < x->nindex && x->index[x->entry].end <= g->to)
		x->entry++;
	e = &x->index[x->entry];
	if (x->entry == x->nindex || (x->entry ? e[-1].end : 0) != g->to || e->names ||
	    !(e->end <= s->part.begin || outside(s, e->tmin, e->tmax)))
		return false;
	*g = (struct gap){e->end, g->blocks + e->blocks, g->events + e->events};
	return true;
}

/* Adds to *g the DATA block at g->to, if its own head shows that it has no event of the slice. Returns false
 * otherwise. */
static bool
skip_block(struct source *s, struct gap *g, uint64_t size)
{
	uint64_t flip = time_flip(s->head.clock), bytes;
	uint8_t head[DATA_HEAD];
	int err;

	if (in_at(s->in.fd, head, DATA_HEAD, g->to, &err) < DATA_HEAD ||
	    le32(head) != BLOCK_DATA)
		return false;
	bytes = le32(head + 4);
	if (bytes < DATA_HEAD || bytes & 7 || bytes > IN_LONGEST || bytes > size - g->to ||
	    !(g->to < s->part.begin ||
	      outside(s, le64(head + 16) ^ flip, le64(head + 24) ^ flip)))
		return false;
	*g = (struct gap){g->to + bytes, g->blocks + 1, g->events + le32(head + 8)};
	return true;
}

void
binary_skip(struct source *s)
{
	struct binary *x = s->state;
	uint64_t at = in_offset(&s->in, s->in.p);
	struct gap g = {.to = at};
	struct stat st;

	/* Standard input may begin at any offset. With --hz, the times of the slice differ from the times of the
	 * blocks. */
	if (s->in.fd <= 0 || s->in.unpack || fstat(s->in.fd, &st) != 0 ||
	    !S_ISREG(st.st_mode) ||
	    (s->opt->slice && !s->scale.on && !slice_ready(s, s->opt->slice)) ||
	    (s->scale.on && at >= s->part.begin))
		return;
	if (!x->index)
		read_index(s, (uint64_t)st.st_size);
	while (skip_entry(s, &g) || skip_block(s, &g, (uint64_t)st.st_size))
		;
	if (g.to == at)
		return;
	in_skip(&s->in, g.to - at);
	x->blocks += g.blocks;
	x->events += g.events;
}
