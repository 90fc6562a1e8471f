/* charisma_encode_values.c - puts the values of an event into its CHARISMA record, step by step. */
#include <stdlib.h>
#include <string.h>

#include "trace-convert/charisma_encode.h"

static const char does_not_fit[] = "a field cannot hold its number";
static const char damaged[] = "an argument is damaged";

/* Sets *ticks to ns in the unit of the clock, rounded to the nearest. Returns false if the result does not fit. */
static INLINE bool
ticks_of(const struct charisma_clock *k, uint64_t ns, uint64_t *ticks)
{
	const struct charisma_clock back = {.num = k->den, .den = k->num};

	if (likely(k->den == 1 && !(ns >> 63))) {
		*ticks = (ns + k->num / 2) / k->num;
		return true;
	}
	return charisma_scale_slow(&back, ns, ticks);
}

/* Sets *stamp to the time stamp of `time` + `later`. Returns false if it does not fit. */
static INLINE bool
stamp_of(const struct encode *e, int64_t time, int64_t later, uint64_t *stamp)
{
	const struct charisma_out *c = e->state;
	const struct charisma_clock *k = &c->clock;
	uint64_t ticks, more, from = k->zero;
	bool before = time < c->first;

	if (unlikely(e->s->head.clock == CLOCK_TICKS)) {
		*stamp = (uint64_t)time + (uint64_t)later;
		return *stamp >= (uint64_t)time;
	}
	ticks = before ? (uint64_t)c->first - (uint64_t)time
		       : (uint64_t)time - (uint64_t)c->first;
	if (!ticks_of(k, ticks, &ticks))
		return false;
	if (before ? ticks > from : from + ticks < from)
		return false;
	from = before ? from - ticks : from + ticks;
	if (later) {
		before = later < 0;
		if (!ticks_of(k, before ? 0 - (uint64_t)later : (uint64_t)later, &more) ||
		    (before ? more > from : from + more < from))
			return false;
		from = before ? from - more : from + more;
	}
	*stamp = from ^ k->bias;
	return true;
}

/* Sets *v to the number of the client or the application in the location. Returns false if it is neither. */
static bool
place_number(const struct charisma_build *m, const struct charisma_step *step, uint64_t *v)
{
	const struct charisma_out *c = m->e->state;
	const struct encode_place *at = encode_place(m->e, m->r->loc);
	const struct str *s = &m->e->s->t.str.v[m->r->loc];
	bool app = step->from == FROM_APP;

	*v = at->number;
	if (at->kind == PLACE_OF && !memcmp(s->s, "app:", 4)) {
		if (!app)
			*v = c->no_client;
		return true;
	}
	if (at->kind == PLACE_NONE || (app && !step->sole && at->kind <= PLACE_MINUS)) {
		*v = app ? c->no_app : c->no_client;
		return true;
	}
	return at->kind <= PLACE_MINUS &&
	       charisma_sign_fits(step->class, *v, at->kind == PLACE_MINUS);
}

/* Copies the text of an argument into a field of chars. Returns NULL, or why it does not fit. */
static const char *
charisma_text(const struct charisma_build *m, const struct charisma_step *s, uint8_t *p)
{
	struct span v;

	if (!encode_text(m->e, m->r, s->field.arg, &v))
		return damaged;
	if (v.n > s->bytes)
		return "a text is longer than its field";
	if (memchr(v.p, '\0', v.n))
		return "a text has a NUL byte";
	memcpy(p + s->to.off, v.p, v.n);
	return NULL;
}

/* Sets *v to the bits of a float of the field's size. Returns NULL, or why there is none. */
static const char *
float_bits(const struct charisma_build *m, const struct charisma_step *s, uint64_t *v)
{
	struct span text;
	char number[64];

	if (!encode_text(m->e, m->r, s->field.arg, &text))
		return damaged;
	if (!text.n || text.n >= sizeof number)
		return does_not_fit;
	memcpy(number, text.p, text.n);
	number[text.n] = '\0';
	*v = charisma_float_bits(strtod(number, NULL), &s->to);
	return NULL;
}

bool
charisma_flags(const char *text, size_t n, bool open, uint64_t *v)
{
	const char *const *name = open ? charisma_open_flag : charisma_operation_flag,
			  *end = text + n;
	unsigned names = open ? 6 : 3;

	for (*v = 0;; text++) {
		const char *comma = memchr(text, ',', (size_t)(end - text));
		struct word word = {text, (size_t)((comma ? comma : end) - text)};
		unsigned i = 0;
		uint64_t bits;
		bool neg;

		while (i < names && !word_is(word, name[i]))
			i++;
		if (i < names)
			*v |= 1u << i;
		else if (encode_whole(word.p, word.n, false, &bits, &neg) && !neg)
			*v |= bits;
		else
			return false;
		if (!comma)
			return true;
		text = comma;
	}
}

const char *
charisma_out_flags(const struct charisma_build *m, const struct field *f, bool open,
		   uint64_t *v)
{
	struct span text;

	if (!encode_text(m->e, m->r, f->arg, &text))
		return damaged;
	return charisma_flags((const char *)text.p, text.n, open, v)
		   ? NULL
		   : "the flags have an unknown name";
}

/* Sets *v to the time stamp in an argument, which has a time in seconds, or a time stamp. Returns false if it
 * does not fit. */
static bool
stamp_arg(const struct charisma_build *m, const struct field *f, uint64_t *v, bool *neg)
{
	struct span text;

	*neg = false;
	if (f->load == LOAD_INT)
		return field_load(f, m->r, v) &&
		       (f->number != K_NS || stamp_of(m->e, (int64_t)*v, 0, v));
	if (!encode_text(m->e, m->r, f->arg, &text))
		return false;
	if (!memchr(text.p, '.', text.n))
		return encode_whole((const char *)text.p, text.n, false, v, neg);
	return encode_whole((const char *)text.p, text.n, true, v, neg) &&
	       stamp_of(m->e, (int64_t)*v, 0, v) && ((*neg = false), true);
}

/* Sets *v to the value of a step that is not a plain number. Returns NULL, or why there is none. */
static const char *
step_value(const struct charisma_build *m, const struct charisma_step *s, uint64_t *v,
	   bool *neg)
{
	const struct rec *r = m->r;

	*neg = false;
	switch (s->from) {
	case FROM_VALUE:
		return encode_number(m->e, r, &s->field, false, v, neg)
			   ? NULL
			   : "an argument is not a whole number";
	case FROM_FLOAT: return float_bits(m, s, v);
	case FROM_FLAGS: return charisma_out_flags(m, &s->field, true, v);
	case FROM_OPERATION: *v = m->op; return NULL;
	case FROM_STAMP: return stamp_arg(m, &s->field, v, neg) ? NULL : does_not_fit;
	case FROM_CLIENT:
	case FROM_APP:
		if (!place_number(m, s, v))
			return "loc is not the number of a client or an application";
		*neg = s->class == CLASS_SIGNED;
		return NULL;
	default: return NULL;
	}
}

const char *
charisma_out_steps(const struct charisma_build *m, const struct charisma_step *s,
		   uint32_t n, uint8_t *p, uint8_t *q)
{
	const struct charisma_out *c = m->e->state;
	const struct rec *r = m->r;

	for (const struct charisma_step *end = s + n; s < end; s++) {
		uint8_t *to = s->element ? q : p;
		const char *why;
		uint64_t v = 0;
		bool neg = false;

		switch (s->from) {
		case FROM_NUMBER:
			if (field_load(&s->field, r, &v))
				neg = s->field.sign && v >> 63;
			break;
		case FROM_TIME:
			if (!stamp_of(m->e, r->time, 0, &v))
				return "no time stamp can hold the time";
			break;
		case FROM_END:
			/* The end of an asynchronous request is another record. */
			if (!(m->op & 1) && !stamp_of(m->e, r->time, r->dur, &v))
				return "no time stamp can hold the end";
			break;
		case FROM_DUR:
			v = (uint64_t)r->dur;
			if (m->e->s->head.clock != CLOCK_TICKS &&
			    (v >> 63 || !ticks_of(&c->clock, v, &v)))
				return does_not_fit;
			break;
		case FROM_TEXT:
			if ((why = charisma_text(m, s, to)))
				return why;
			continue;
		default:
			if ((why = step_value(m, s, &v, &neg)))
				return why;
		}
		if (unlikely((v >> 63 && s->class != CLASS_FLOAT && s->from != FROM_TIME &&
			      s->from != FROM_END &&
			      !charisma_sign_fits(s->class, v, neg)) ||
			     !charisma_store(to, &s->to, v, c->big)))
			return does_not_fit;
	}
	return NULL;
}
