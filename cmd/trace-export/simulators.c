/* simulators.c - requests as lines of text for simulators: of disks, MQSim and DiskSim; of memory caches,
 * Dinero. Blocks and sectors have 512 bytes.
 *
 * mqsim: TIME DEVICE SECTOR SECTORS TYPE, in ns; type 0 writes, 1 reads
 * disksim: TIME DEVICE BLOCK BLOCKS FLAGS, in ms with six decimals; flags like type
 * din: LABEL ADDRESS, 0 reads, 1 writes, 2 fetches an instruction; hex */
#include "base/put.h"
#include "trace-export/tally.h"
#include "view/view_request.h"

/* Writes the request of r at p. Returns the position after it, or NULL, after counting r, if r is not written. */
typedef uint8_t *put_request(struct tally *t, struct source *s, const struct rec *r,
			     uint8_t *p);

static void
simulators_begin(struct sink *k, struct read_options *opt)
{
	tally_open(k, opt, sizeof(struct tally));
}

static INLINE void
put_all(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	uint32_t n, put_request *put)
{
	struct tally *t = k->state;
	struct out *o = &k->out;

	tally_bind(t, s);
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		uint8_t *p = put(t, s, r, out_room(o));

		if (!p)
			continue;
		o->p = p;
		tally_event(t, r);
	}
	if (o->line)
		out_flush(o);
}

/* Writes ns as milliseconds with six decimals. */
static INLINE uint8_t *
put_ms(uint8_t *p, uint64_t ns)
{
	uint64_t ms = ns / 1000000, digits = put_digits8((uint32_t)(ns - ms * 1000000));

	p = put_u64(p, ms);
	/* The eight digits begin with two zeros; the point replaces the second one. */
	st64(p, digits);
	memmove(p, p + 1, 7);
	*p = '.';
	return p + 7;
}

static INLINE uint8_t *
put_disk(struct tally *t, struct source *s, const struct rec *r, uint8_t *p, bool ms)
{
	uint32_t device = tally_loc(t, s, r, INT32_MAX);
	uint64_t sector, sectors;
	struct export_request q;

	if (device == LOC_NONE) {
		tally_skip(t, SKIP_LOC);
		return NULL;
	}
	if (!tally_request(t, r, &q))
		return NULL;
	/* DiskSim reads a block into an int. */
	if (ms && (q.addr + q.size) / SECTOR >= INT32_MAX) {
		tally_skip(t, SKIP_LARGE);
		return NULL;
	}
	tally_sectors(t, &q, &sector, &sectors);
	p = ms ? put_ms(p, q.time) : put_u64(p, q.time);
	*p++ = ' ';
	p = put_u32(p, device);
	*p++ = ' ';
	p = put_u64(p, sector);
	*p++ = ' ';
	p = put_u64(p, sectors);
	memcpy(p, q.op == OP_READ ? " 1\n" : " 0\n", 3);
	return p + 3;
}

static INLINE uint8_t *
put_mqsim(struct tally *t, struct source *s, const struct rec *r, uint8_t *p)
{
	return put_disk(t, s, r, p, false);
}

static INLINE uint8_t *
put_disksim(struct tally *t, struct source *s, const struct rec *r, uint8_t *p)
{
	return put_disk(t, s, r, p, true);
}

static INLINE uint8_t *
put_din(struct tally *t, struct source *s, const struct rec *r, uint8_t *p)
{
	struct export_request q;

	(void)s;
	if (!tally_request(t, r, &q))
		return NULL;
	*p++ = (uint8_t)('0' + (q.op >> 1));
	*p++ = ' ';
	p = put_hex(p, q.addr);
	*p++ = '\n';
	return p;
}

#define FORM(of)                                                                      \
	static void of##_put(struct sink *k, struct source *s, const struct batch *b, \
			     const uint32_t *pick, uint32_t n)                        \
	{                                                                             \
		put_all(k, s, b, pick, n, put_##of);                                  \
	}                                                                             \
	static const struct form form_##of = {.begin = simulators_begin,              \
					      .put = of##_put,                        \
					      .join = tally_join,                     \
					      .close = tally_form_close}
FORM(mqsim);
FORM(disksim);
FORM(din);

/* MQSim makes no transaction of an empty request, so that the request never ends */
const struct target target_mqsim = {
    .name = "mqsim",
    .about = "disk requests for the simulator MQSim, in ns and sectors",
    .takes = TAKES(BLOCK),
    .carries = NEED_TIME | NEED_LOC | NEED_ADDR | NEED_SIZE,
    .needs = HAS_ADDR | HAS_SIZE,
    .ops = OP_READ | OP_WRITE,
    .timed = true,
    .filled = true,
    .form = &form_mqsim,
};

const struct target target_disksim = {
    .name = "disksim",
    .about = "disk requests for the simulator DiskSim, in ms and blocks of 512 bytes",
    .takes = TAKES(BLOCK),
    .carries = NEED_TIME | NEED_LOC | NEED_ADDR | NEED_SIZE,
    .needs = HAS_ADDR | HAS_SIZE,
    .ops = OP_READ | OP_WRITE,
    .timed = true,
    .form = &form_disksim,
};

const struct target target_din = {
    .name = "din",
    .about =
	"memory references as Dinero has them: label 0 read, 1 write, 2 fetch; address",
    .takes = TAKES(BLOCK),
    .carries = NEED_ADDR,
    .needs = HAS_ADDR,
    .ops = OP_READ | OP_WRITE | OP_FETCH,
    .wide = true,
    .form = &form_din,
};
