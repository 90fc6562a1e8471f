/* spc-cat - print the requests of SPC block I/O traces */
#include "base/bytes.h"
#include "cli/opt.h"
#include "cli/cli_formats.h"
#include "output/native.h"
#include "spc/spc.h"

/* Limit of a record that is copied at once, in bytes. */
#define LINE_FAST 256

/* Returns true if the n bytes at p have no blank, no control byte and no byte beyond ASCII. Sets *letter to the
 * place of the first letter, if it is SIZE_MAX. */
static INLINE bool
plain(const uint8_t *p, size_t n, size_t *letter)
{
	const uint64_t ones = 0x0101010101010101u;
	uint64_t bad = 0;

	for (size_t i = 0; i < n; i += 8) {
		uint64_t x = le64(p + i), at;

		if (n - i < 8) /* zeros in place of the bytes after the last one */
			x = (x & ((1ull << 8 * (n - i)) - 1)) | ones * '0' << 8 * (n - i);
		bad |= ((x - ones * '!') | x) & ones << 7;
		at = x & ones << 6;
		if (at && *letter == SIZE_MAX)
			*letter = i + trailing_zeros64(at) / 8;
	}
	return !bad;
}

/* Writes the record in canonical form: upper case, no blanks. */
static void
put_canonical(struct source *s, struct out *o, const struct rec *r, struct span raw)
{
	const uint8_t *p = raw.p, *end = p + raw.n;
	unsigned field = 1;
	size_t letter = SIZE_MAX;

	(void)s;
	(void)r;
	if (likely(raw.n <= LINE_FAST && plain(p, raw.n - 1, &letter) && letter < raw.n)) {
		uint8_t *q = out_room(o);

		copy16s(q, p, (uint32_t)raw.n);
		q[letter] &= 0xdf;
		o->p = q + raw.n;
		return;
	}
	end -= raw.n > 1 && end[-2] == '\r' ? 2 : 1;
	for (; p < end && field < 6; p++) {
		uint8_t *q = out_room(o);

		if (*p == ',')
			field++;
		if (spc_blank(*p))
			continue;
		*q++ = field == 4 && *p != ',' ? *p & 0xdf : *p;
		o->p = q;
	}
	out_bytes(o, p, (size_t)(end - p));
	out_bytes(o, "\n", 1);
}

static const struct native canonical = {.format = "spc", .put = put_canonical};
static const struct native *const natives[] = {&canonical, NULL};

static const struct opt opts[] = {
    {'n', "native", NULL, "write the records in the input's own format", "t b H A",
     .form = &form_native},
    OPT_THREADS_ROW,
    {0},
};

static const struct program program = {
    .about = "print the requests of SPC block I/O traces",
    .operands = "[FILE...]",
    .examples = {"spc-cat Financial1.spc | head",
		 "spc-cat Financial1.spc | awk '$3 == \"W\" { n += $5 } END { print n }'"},
    .opts = opts,
    .reads = true,
    .writes = output_opts,
    .decodes = &fmt_spc,
};

int
main(int argc, char **argv)
{
	common.write.of = natives;
	opt_read(&program, argc, argv);
	return decoder_main(sink_threads);
}
