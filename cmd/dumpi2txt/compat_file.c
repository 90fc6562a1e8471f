/* compat_file.c - prints what dumpi2ascii -a prints of a file besides its calls. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "dumpi2txt/dumpi2txt_compat.h"

const char *
dumpi_word(const struct dumpi_type *t, int64_t v)
{
	const char *name = label_of(&t->labels, v);

	return name ? name : v < t->labels.v[0].value ? t->below : t->above;
}

void
dumpi_compat_header(struct out *o, const struct dumpi_rank *r)
{
	const struct buf *raw = &r->sec.raw[SEC_HEADER];
	struct dumpi_cur cur = dumpi_cursor(raw);
	char text[64] = "0.0.0";
	struct span host = {NULL, 0}, user = {NULL, 0};
	const uint8_t *size = NULL, *coord = NULL, *v;
	uint32_t dim = 0, sizes = 0;
	time_t start = 0;
	const char *when;

	if (raw->n) {
		v = dumpi_take(&cur, 3);
		snprintf(text, sizeof text, "%d.%d.%d", (int8_t)v[0], (int8_t)v[1],
			 (int8_t)v[2]);
		start = (time_t)dumpi_u64(&cur);
		host = dumpi_str16(&cur);
		user = dumpi_str16(&cur);
		dim = dumpi_u32(&cur);
		coord = dumpi_take(&cur, 4 * (uint64_t)dim);
		if (cur.p < cur.end) {
			sizes = dumpi_u32(&cur);
			size = dumpi_take(&cur, 4 * (uint64_t)sizes);
		}
	}
	out_str(o, "version=");
	out_str(o, text);
	out_str(o, "\nstarttime=");
	when = ctime(&start);
	out_str(o, when ? when : "(null)");
	out_str(o, "hostname=");
	out_bytes(o, host.p, host.n ? strnlen((const char *)host.p, host.n) : 0);
	out_str(o, "\nusername=");
	out_bytes(o, user.p, user.n ? strnlen((const char *)user.p, user.n) : 0);
	snprintf(text, sizeof text, "\nmeshdim=%d\n", (int)dim);
	out_str(o, text);
	for (int k = 0; k < 2; k++) {
		const uint8_t *q = k ? coord : size;
		uint32_t n = k ? dim : sizes;

		out_str(o, k ? "meshcrd=[" : "meshsize=[");
		for (uint32_t i = 0; q && i < n && i < dim; i++) {
			snprintf(text, sizeof text, "%s%d", i ? ", " : "",
				 (int)(int32_t)be32(q + 4 * (size_t)i));
			out_str(o, text);
		}
		out_str(o, "]\n");
	}
}

/* Writes a title and the number at the beginning of a section, and returns the number. */
static uint32_t
compat_count(struct out *o, const struct dumpi_rank *r, const char *title,
	     enum dumpi_section k, struct dumpi_cur *cur)
{
	char text[64];
	uint32_t n;

	*cur = dumpi_cursor(&r->sec.raw[k]);
	n = dumpi_u32(cur);
	snprintf(text, sizeof text, "%s: %d\n", title, (int)n);
	out_str(o, text);
	return n;
}

/* Writes the next string of the section, and `behind` after it. */
static void
compat_string(struct out *o, struct dumpi_cur *cur, const char *behind)
{
	struct span s = dumpi_str16(cur);

	out_bytes(o, s.p, s.n);
	out_str(o, behind);
}

void
dumpi_compat_sections(struct out *o, const struct dumpi_rank *r)
{
	const struct buf *foot = &r->sec.raw[SEC_FOOTER];
	const struct dumpi_type *t = dumpi_type_named("datatype", 8);
	struct dumpi_cur cur;
	char text[128];
	uint32_t n = compat_count(o, r, "Total keyvals", SEC_KEYVAL, &cur);

	for (uint32_t i = 0; i < n; i++) {
		compat_string(o, &cur, "=");
		compat_string(o, &cur, "\n");
	}
	for (unsigned i = 0; i < DUMPI_COUNTED; i++) {
		size_t at = 8 + 4 * (size_t)i;
		uint32_t called = foot->n ? be32(foot->p + at) : 0;
		uint32_t ignored = foot->n ? be32(foot->p + at + 4 * DUMPI_COUNTED) : 0;

		snprintf(text, sizeof text, "%s called %d times and ignored %d times\n",
			 dumpi_calls[i].name, (int)(int32_t)called, (int)(int32_t)ignored);
		out_str(o, text);
	}
	n = compat_count(o, r, "Performance counters", SEC_LABELS, &cur);
	for (uint32_t i = 0; i < n; i++) {
		out_str(o, "    ");
		compat_string(o, &cur, "\n");
	}
	cur = dumpi_cursor(&r->sec.raw[SEC_ADDRESSES]);
	n = dumpi_u32(&cur);
	for (uint32_t i = 0; i < n; i++) {
		snprintf(text, sizeof text, "Function address %llu has label ",
			 (unsigned long long)dumpi_u64(&cur));
		out_str(o, text);
		compat_string(o, &cur, "\n");
	}
	cur = dumpi_cursor(&r->sec.raw[SEC_SIZES]);
	n = dumpi_u32(&cur);
	for (uint32_t i = 0; i < n; i++) {
		snprintf(text, sizeof text, "Datatype %d (%s) has size %d\n", (int)i,
			 dumpi_word(t, (int16_t)i), (int)(int32_t)dumpi_u32(&cur));
		out_str(o, text);
	}
}
