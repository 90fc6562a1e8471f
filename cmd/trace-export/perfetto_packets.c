/* perfetto_packets.c - packets for Perfetto: fields, and names, which are sent once. */
#include <string.h>

#include "trace-export/perfetto.h"

void
perfetto_field(struct buf *b, unsigned field, uint64_t v)
{
	buf_to(b, put_field(buf_room(b, 2 * NUMBER), field, v));
}

void
perfetto_bytes(struct buf *b, unsigned field, const void *p, size_t n)
{
	perfetto_field(b, field, n);
	if (n)
		buf_add(b, p, n);
}

void
perfetto_utf8(struct perfetto *x, const uint8_t *p, size_t n)
{
	uint8_t *to;
	uint32_t c;

	x->text.n = 0;
	to = buf_room(&x->text, 2 * n);
	for (size_t len; n; p += len, n -= len) {
		len = utf8_char(p, n, &c);
		if (len)
			memcpy(to, p, len);
		else {
			to[0] = 0xc0 | *p >> 6;
			to[1] = 0x80 | (*p & 63);
		}
		to += len ? len : 2;
		len = len ? len : 1;
	}
	x->text.n = (size_t)(to - x->text.p);
}

void
perfetto_put_name(struct perfetto *x, struct buf *b, unsigned field, const char *s)
{
	text_raw(&x->raw, s, strlen(s));
	perfetto_utf8(x, x->raw.p, x->raw.n);
	perfetto_bytes(b, field, x->text.p, x->text.n);
}

void
perfetto_send(struct perfetto *x, unsigned field, unsigned flags)
{
	uint8_t head[8 * NUMBER], *p = head;

	p = put_field(p, PACKET_SEQUENCE, 1);
	p = put_field(p, PACKET_FLAGS, flags);
	if (field)
		p = put_field(p, field, x->packet.n);
	perfetto_field(&x->packets, TRACE_PACKET, (size_t)(p - head) + x->packet.n);
	buf_add(&x->packets, head, (size_t)(p - head));
	if (x->packet.n)
		buf_add(&x->packets, x->packet.p, x->packet.n);
	x->packet.n = 0;
}

void
perfetto_put_body(struct perfetto *x, unsigned field)
{
	perfetto_bytes(&x->packet, field, x->body.p, x->body.n);
	x->body.n = 0;
}

uint32_t
perfetto_name(struct perfetto *x, struct strtab *t, unsigned field, const char *s)
{
	uint32_t before = t->n, id = strtab_id(t, s, strlen(s));

	if (id == before) {
		perfetto_field(&x->body, NAME_ID, id + 1);
		perfetto_put_name(x, &x->body, NAME_TEXT, s);
		perfetto_put_body(x, field);
		perfetto_send(x, PACKET_NAMES, FLAG_NEEDS);
	}
	return id + 1;
}
