/*
 * gen_ovni - write small ovni traces for the tests: gen_ovni DIR
 *
 *	DIR/LAYOUT/TRACE/ovni		v0 v1 v1obs v2 v3 big, each with several traces
 *	DIR/LAYOUT/TRACE/events.tsv	tid, clock, MCV, payload in hex or "-", as written
 *	DIR/bad/NAME/ovni		one good stream, and one that is broken as NAME says
 *
 *	gen_ovni random DIR LAYOUT SEED EVENTS		DIR/ovni, of three processes
 *
 * Always the same bytes. big is v3 as a machine of the other byte order writes it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ROW(m, leave, kind, name, args, about) \
	{                                      \
		{m, leave}, args               \
	}
static const struct {
	const char *mcv[2];
	const char *args;
} rows[] = {
#include "ovni/events.h"
};

enum layout {
	V0,
	V1,
	V1OBS,
	V2,
	V3,
	BIG,
	LAYOUTS
};
static const char *const layout_name[] = {"v0", "v1", "v1obs", "v2", "v3", "big"};

static enum layout layout;
static char root[2048]; /* DIR/LAYOUT/TRACE */
static FILE *stream, *tsv;
static unsigned thread;

static FILE *
create(const char *path)
{
	char part[4096];
	FILE *f;

	snprintf(part, sizeof part, "%s", path);
	for (char *p = part + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		mkdir(part, 0777);
		*p = '/';
	}
	f = fopen(path, "wb");
	if (!f) {
		perror(path);
		exit(2);
	}
	return f;
}

static void
num(uint8_t *to, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		to[layout == BIG ? bytes - 1 - i : i] = (uint8_t)(v >> 8 * i);
}

static void
put_json(const char *path, const char *text)
{
	FILE *f = create(path);

	fputs(text, f);
	fclose(f);
}

/* Begins a thread's stream, and writes the metadata that its layout has. */
static void
begin(const char *loom, unsigned pid, unsigned tid)
{
	char dir[3000], path[4000], json[1000];
	uint8_t header[8] = "ovni";

	thread = tid;
	snprintf(dir, sizeof dir, "%s/ovni/loom.%s/proc.%u", root, loom, pid);
	if (layout < V3) {
		snprintf(path, sizeof path, "%s/metadata.json", dir);
		snprintf(json, sizeof json,
			 "{ \"version\": %d, \"app_id\": 1, \"rank\": %u, \"nranks\": 2,\n"
			 "  \"cpus\": [ { \"index\": 0, \"phyid\": 3 } ] }\n",
			 layout == V2 ? 2 : 1, pid % 2);
		put_json(path, json);
	}
	if (layout == V2) {
		snprintf(path, sizeof path, "%s/thread.%u.json", dir, tid);
		put_json(path, "{\"version\":2,\"ovni\":{\"require\":{\"ovni\":\"1.0.0\"},"
			       "\"finished\":1}}");
	}
	if (layout >= V3) {
		snprintf(path, sizeof path, "%s/thread.%u/stream.json", dir, tid);
		snprintf(
		    json, sizeof json,
		    "{\"version\":3,\"ovni\":{\"part\":\"thread\",\"tid\":%u,\"pid\":%u,"
		    "\"loom\":\"%s\",\"app_id\":1,\"loom_cpus\":[{\"index\":0,\"phyid\":0}]"
		    ","
		    "\"mark\":{\"7\":{\"title\":\"a \\u00e9 "
		    "\\\"b\\\"\"}},\"finished\":1}}\n",
		    tid, pid, loom);
		put_json(path, json);
	}
	snprintf(path, sizeof path,
		 layout >= V3	   ? "%s/thread.%u/stream.obs"
		 : layout >= V1OBS ? "%s/thread.%u.obs"
				   : "%s/thread.%u",
		 dir, tid);
	stream = create(path);
	num(header + 4, 1, 4);
	if (layout != V0)
		fwrite(header, 1, sizeof header, stream);
}

static void
emit(const char *mcv, uint64_t clock, const uint8_t *p, uint32_t n, int jumbo)
{
	uint8_t head[16];

	head[0] = (uint8_t)(jumbo ? 0x13 : n ? n - 1 : 0);
	memcpy(head + 1, mcv, 3);
	num(head + 4, clock, 8);
	num(head + 12, n, 4);
	fwrite(head, 1, jumbo ? 16 : 12, stream);
	fwrite(p, 1, n, stream);
	if (!tsv)
		return;
	fprintf(tsv, "%u\t%llu\t%.3s\t", thread, (unsigned long long)clock, mcv);
	if (!n && !jumbo)
		fputc('-', tsv);
	for (unsigned i = 12; jumbo && i < 16; i++)
		fprintf(tsv, "%02x", head[i]);
	for (uint32_t i = 0; i < n; i++)
		fprintf(tsv, "%02x", p[i]);
	fputc('\n', tsv);
}

static void
plain(const char *mcv, uint64_t clock)
{
	emit(mcv, clock, NULL, 0, 0);
}

/* With arguments as the table lists them: 1, 2, 3, ...; strings are "label". */
static void
with_args(const char *mcv, const char *args, uint64_t clock, unsigned value)
{
	uint8_t p[64];
	uint32_t n = 0;

	for (const char *s = args; *s; s += strspn(s, ", ")) {
		if (!strncmp(s, "str", 3)) {
			memcpy(p + n, "a label", 8);
			n += 8;
		} else {
			unsigned bytes = (unsigned)atoi(s + 1) / 8;

			num(p + n, *s == 'i' ? 0 - (uint64_t)value : value, bytes);
			n += bytes;
		}
		value++;
		s += strcspn(s, ",");
	}
	emit(mcv, clock, p, n, strstr(args, ":jumbo") != NULL);
}

static void
end(void)
{
	fclose(stream);
}

static void
trace(const char *dir, const char *name)
{
	char path[3000];

	snprintf(root, sizeof root, "%s/%s/%s", dir, layout_name[layout], name);
	snprintf(path, sizeof path, "%s/events.tsv", root);
	tsv = create(path);
}

static void
good(const char *dir)
{
	uint8_t bytes[16];
	unsigned at = 0;
	static const struct {
		const char *loom;
		unsigned pid, tid;
	} who[] = {{"node0.1", 10, 100}, {"node0.1", 10, 101}, {"node1.1", 20, 200}};

	trace(dir, "all");
	begin("node0.1", 10, 100);
	for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
		const char *mcv = rows[i / 2].mcv[i % 2];

		if (*mcv)
			with_args(mcv, rows[i / 2].args, 1000 + 10 * at, at);
		at += *mcv != 0;
	}
	end();
	fclose(tsv);

	trace(dir, "payload");
	begin("node0.1", 10, 100);
	for (uint32_t n = 0; n <= 16; n++) {
		for (uint32_t k = 0; k < n; k++)
			bytes[k] = (uint8_t)(16 * n + k);
		if (n == 1)
			continue;
		emit("Zz~", 1000 + 40 * n, bytes, n, 0); /* not in the table */
		emit("VTx", 1010 + 40 * n, bytes, n, 0);
		emit("OHp", 1020 + 40 * n, bytes, n, 0);
		emit("VYc", 1030 + 40 * n, bytes, n, 1);
	}
	end();
	fclose(tsv);

	/* Three threads; what one does at the same time as another tells who is first. */
	trace(dir, "ties");
	for (unsigned t = 0; t < 3; t++) {
		begin(who[t].loom, who[t].pid, who[t].tid);
		for (unsigned i = 0; i < 50; i++) {
			plain(i % 2 ? "MS]" : "MS[", 5000 + 10 * i);
			plain("OB.", 5000 + 10 * i + t * (i % 3));
		}
		end();
	}
	fclose(tsv);
	if (layout == V3) {
		char path[3000];

		snprintf(path, sizeof path, "%s/ovni/clock-offsets.txt", root);
		put_json(path, "rank hostname offset_median offset_mean offset_std\n"
			       "0    node0    0             0.000       0.000\n"
			       "1    node1    -4000         -4000.25    9.5\n");
	}

	trace(dir, "unsorted");
	begin("node0.1", 10, 100);
	plain("OHx", 1000);
	for (unsigned i = 1; i <= 20; i++)
		plain("OB.", 1000 + 10 * i);
	plain("OU[", 2000);
	for (unsigned i = 0; i < 6; i++)
		plain(i % 2 ? "KCI" : "KCO", 1025 + 20 * i);
	plain("KCO", 1012); /* out of order inside, too */
	plain("OU]", 2001);
	plain("OB.", 2002);
	plain("OU[", 2003);
	plain("KCI", 1999);
	plain("OU]", 2004);
	plain("OHe", 2010);
	end();
	begin("node0.1", 10, 101);
	for (unsigned i = 0; i < 100; i++)
		plain("OB.", 1001 + 10 * i);
	end();
	fclose(tsv);

	trace(dir, "pairs");
	begin("node0.1", 10, 100);
	plain("MS[", 1000);
	plain("VAs", 1100);
	plain("VS[", 1150);
	plain("VS]", 1180);
	plain("MS]", 1300);
	plain("VAS", 1400);
	plain("MR]", 1500); /* a leave alone */
	plain("MW[", 1600); /* never left */
	plain("MT[", 1700);
	plain("MS[", 1800); /* left out when the one around it ends */
	plain("MT]", 1900);
	plain("OHp", 2000);
	end();
	fclose(tsv);

	trace(dir, "empty");
	begin("node0.1", 10, 100);
	end();
	fclose(tsv);
	tsv = NULL;
}

static void
raw(const void *p, size_t n)
{
	fwrite(p, 1, n, stream);
}

/* The head of a jumbo event that says `size`, and as many of 20 bytes of data; all of them
 * where it lies. */
static void
jumbo(uint32_t size, int lie)
{
	uint8_t head[16] = {0x13, 'V', 'Y', 'c', 0xd0, 7};

	num(head + 12, size, 4);
	raw(head, sizeof head);
	raw("\1\0\0\0abcdefghijklmno", size < 20 && !lie ? size : 20);
}

static void
bad(const char *dir)
{
	static const struct {
		const char *name;
		uint32_t size;
	} sizes[] = {{"jumbo-lie", 1},
		     {"jumbo-0", 0},
		     {"jumbo-1", 1},
		     {"jumbo-2g-1", 0x7fffffff},
		     {"jumbo-2g", 0x80000000},
		     {"jumbo-4g-16", 0xfffffff0},
		     {"jumbo-4g-1", 0xffffffff}};
	static const struct {
		const char *name, *bytes;
		size_t n;
	} tails[] = {
	    {"torn-clock", "\0OHp\xd0\7\0", 7},
	    {"torn-payload", "\7VTc\xd0\7\0\0\0\0\0\0\1\0\0", 15},
	    {"torn-jumbo", "\x13VYc\xd0\7\0\0\0\0\0\0\16\0\0\0\1\0\0\0abc", 23},
	    {"reserved", "\x20OHp\xd0\7\0\0\0\0\0\0", 12},
	    {"jumbo-nibble", "\x10VYc\xd0\7\0\0\0\0\0\0", 12},
	    {"zeros", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 21},
	    {"back", "\0OHp\1\0\0\0\0\0\0\0", 12},
	    {"bit63", "\0OHp\1\0\0\0\0\0\0\x80", 12},
	    {"newline-mcv", "\0O\nH\xd0\7\0\0\0\0\0\0", 12},
	    {"nul-mcv", "\0OH\0\xd0\7\0\0\0\0\0\0", 12},
	    {"high-mcv", "\0\1\0\xff\xd0\7\0\0\0\0\0\0", 12},
	    {"label", "\x13VYc\xd0\7\0\0\0\0\0\0\10\0\0\0\1\0\0\0a\nb", 24},
	    {"no-nul", "\x13VYc\xd0\7\0\0\0\0\0\0\7\0\0\0\1\0\0\0abc", 23},
	};
	static const struct {
		const char *name, *text;
	} jsons[] = {{"json-garbage", "{ garbage }"},
		     {"json-cut", "{\"version\": 3, \"ovni\": {\"tid\": 101"},
		     {"json-array", "[3]"},
		     {"json-empty", ""},
		     {"json-no-version", "{}"},
		     {"json-deep", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["},
		     {"json-version", "{\"version\": \"3\"}"}};
	char path[4000];

	layout = V3;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes + sizeof tails / sizeof *tails +
				   sizeof jsons / sizeof *jsons;
	     i++) {
		size_t t = i - sizeof sizes / sizeof *sizes,
		       j = t - sizeof tails / sizeof *tails;
		const char *name = t > i   ? sizes[i].name
				   : j > t ? tails[t].name
					   : jsons[j].name;

		snprintf(root, sizeof root, "%s/bad/%s", dir, name);
		begin("node0.1", 10, 100);
		for (unsigned k = 0; k < 10; k++)
			plain("OB.", 1000 + 300 * k);
		end();
		begin("node0.1", 10, 101);
		plain("OHx", 1000);
		if (t > i)
			jumbo(sizes[i].size, !strcmp(name, "jumbo-lie"));
		else if (j > t)
			raw(tails[t].bytes, tails[t].n);
		if (strncmp(name, "torn", 4) != 0 && strcmp(name, "zeros") != 0) {
			plain("OHp", 3000);
			plain("OHe", 4000);
		}
		end();
		if (j <= t && t <= i) {
			snprintf(path, sizeof path,
				 "%s/ovni/loom.node0.1/proc.10/thread.101/stream.json",
				 root);
			put_json(path, jsons[j].text);
		}
	}
}

static uint64_t chance = 1;

static unsigned
below(unsigned n)
{
	chance = chance * 6364136223846793005 + 1442695040888963407;
	return (unsigned)(chance >> 33) % n;
}

/* Everything that a stream's metadata may tell. */
static void
rich_json(const char *loom, unsigned pid, unsigned tid)
{
	char path[4000], json[4000];

	snprintf(path, sizeof path, "%s/ovni/loom.%s/proc.%u/thread.%u/stream.json", root,
		 loom, pid, tid);
	snprintf(
	    json, sizeof json,
	    "{\"version\":3,\"ovni\":{\"lib\":{\"version\":\"1.11.0\",\"commit\":"
	    "\"unknown\"},"
	    "\"part\":\"thread\",\"tid\":%u,\"pid\":%u,\"loom\":\"%s\",\"app_id\":%u,"
	    "\"rank\":%u,"
	    "\"nranks\":3,\"loom_cpus\":[{\"index\":0,\"phyid\":%u},{\"index\":1,\"phyid\":"
	    "9}],"
	    "\"require\":{\"ovni\":\"1.1.0\",\"nosv\":\"2.3.0\",\"nanos6\":\"1.1.0\"},"
	    "\"mark\":{\"0\":{\"title\":\"phase\",\"chan_type\":\"single\",\"labels\":{"
	    "\"1\":\"one\","
	    "\"2\":\"t\\u0009wo\",\"-3\":\"%s\"}},\"7\":{\"title\":\"\\ud83d\\ude00 "
	    "\\u00e9 "
	    "\\\"b\\\\\\/"
	    "\"},\"101\":{\"title\":\"\",\"labels\":{\"x\":\"y\"}}},\"finished\":%u},"
	    "\"nosv\":{\"can_breakdown\":true,\"lib_version\":\"2.3.1\",\"hwc\":{\"0\":{"
	    "\"name\":\"CYC=LES\"},"
	    "\"%u\":{\"name\":\"INS TR\"}}},\"nanos6\":{\"hwc\":{\"1\":{\"name\":\"L1\"}}},"
	    "\"mine\":{\"list\":[1,-2.5e3,null,true,[{}]],\"text\":\"\\b\\f\\n\\r\\t\"}}\n",
	    tid, pid, loom, 1 + pid % 2, pid % 3, pid, pid == 10 ? "three" : "drei",
	    below(2), 2 + tid % 2);
	put_json(path, json);
}

/* An event at random, most often one that is known, with what belongs to it. */
static void
any_event(uint64_t clock)
{
	uint8_t p[64];
	unsigned r = below(sizeof rows / sizeof *rows), n = below(17);
	const char *mcv = rows[r].mcv[below(2)], *args = rows[r].args;

	mcv = *mcv ? mcv : rows[r].mcv[0];
	for (unsigned i = 0; i < sizeof p; i++)
		p[i] = (uint8_t)(i % 4 ? 0 : below(5));
	if (below(12) == 0) /* with more or less than that */
		emit(below(3) ? mcv : "Zz~", clock, p, n + (n == 1), below(4) == 0);
	else if (!strncmp(mcv, "OM", 2)) { /* i64 value, i32 type */
		num(p, (uint64_t)below(5) - (below(4) ? 0 : 4), 8);
		num(p + 8, (uint64_t[]){0, 7, 101, 3}[below(4)], 4);
		emit(mcv, clock, p, 12, 0);
	} else if (strstr(args, "[]")) {
		for (unsigned i = 0; i < 6; i++)
			num(p + 8 * i, 1000 * below(90) - below(2), 8);
		emit(mcv, clock, p, 8 * below(6), 1);
	} else
		with_args(mcv, args, clock, 1 + below(6));
}

static void
at_random(const char *dir, unsigned events)
{
	static const struct {
		const char *loom;
		unsigned pid, tid;
	} who[] = {{"node0.1", 10, 100},
		   {"node0.1", 10, 101},
		   {"node0.1", 11, 110},
		   {"node1.7", 20, 200},
		   {"node1.7", 20, 201}};
	/* States, a thread's and a task's life: enough that pairs, stacks and channels work. */
	static const char *const often[] = {"OHp", "OHr", "OHc", "OHw", "VTx", "VTe",
					    "VTp", "VTr", "MS[", "MS]", "VS[", "VS]",
					    "6Tx", "6Te", "VAa", "VAA", "KCO", "KCI",
					    "OM=", "OM[", "OM]", "PBu", "PBU", "OHx"};
	char path[3000];

	snprintf(root, sizeof root, "%s", dir);
	for (unsigned t = 0; t < sizeof who / sizeof *who; t++) {
		uint64_t clock = 1000 + below(50);

		begin(who[t].loom, who[t].pid, who[t].tid);
		if (layout >= V3)
			rich_json(who[t].loom, who[t].pid, who[t].tid);
		if (t % 2) { /* a mark before all else */
			const uint8_t mark[12] = {1};

			emit("OM[", clock, mark, 12, 0);
			emit("OM]", clock + 7, mark, 12, 0);
			clock += 8;
		}
		plain("OHx", clock);
		for (unsigned i = 0; i < events; i++) {
			unsigned region = below(60) ? 0 : 1 + below(20);
			const char *mcv = often[below(sizeof often / sizeof *often)];

			clock += below(8) ? below(90) : 0;
			if (region) { /* of events in no order, from a little while ago */
				plain("OU[", clock);
				while (--region)
					any_event(clock - below(200));
				plain("OU]", clock + 1);
			}
			for (size_t k = below(2) ? 0 : sizeof rows / sizeof *rows;
			     k < sizeof rows / sizeof *rows; k++) {
				uint8_t p[12];

				if (strcmp(rows[k].mcv[0], mcv) != 0 &&
				    strcmp(rows[k].mcv[1], mcv) != 0)
					continue;
				num(p, below(4), 8);
				num(p + 8, 7 * below(2), 4);
				if (mcv[1] == 'M')
					emit(mcv, clock, p, 12, 0);
				else
					with_args(mcv, rows[k].args, clock, 1 + below(3));
				break;
			}
			any_event(clock += below(9));
		}
		plain("OHe", clock + 5);
		end();
	}
	snprintf(path, sizeof path, "%s/ovni/clock-offsets.txt", root);
	if (layout == V3)
		put_json(path, "rank hostname offset_median offset_mean offset_std\n"
			       "0    node0    250.75        0.000       0.000\n"
			       "1    node1    -4000         -4000.25    9.5\n");
}

int
main(int argc, char **argv)
{
	if (argc == 6) {
		while (layout < BIG && strcmp(layout_name[layout], argv[3]) != 0)
			layout++;
		chance = strtoull(argv[4], NULL, 10);
		at_random(argv[2], (unsigned)atoi(argv[5]));
		return 0;
	}
	if (argc != 2) {
		fprintf(stderr, "usage: gen_ovni DIR | random DIR LAYOUT SEED EVENTS\n");
		return 2;
	}
	for (int i = 0; i < LAYOUTS; i++) {
		layout = (enum layout)i;
		good(argv[1]);
	}
	bad(argv[1]);
	return 0;
}
