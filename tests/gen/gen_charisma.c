/*
 * gen_charisma - CHARISMA records as this machine's own C compiler lays them out.
 *
 *	gen_charisma offsets	record, field, offset and size of each, by offsetof and sizeof
 *	gen_charisma trace	a small trace with every record type
 *
 * Compiled on the spot by the tests, natively, with -DPACKED, and with -DPACKED_4. The
 * structs are written down here a second time on purpose: they are what the layout engine
 * is held against. Fields: the CHARISMA project's generic header file.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if defined(PACKED)
#pragma pack(1)
#elif defined(PACKED_4)
#pragma pack(4)
#endif

typedef unsigned short u_short_;
typedef unsigned long u_long_;
typedef unsigned char byte;
typedef uint64_t TimestampType, BigInt;
typedef int32_t TraceUserId, TraceAppId, TraceClientId, TraceFileDesc, TraceAsyncId;
typedef uint32_t TraceFileId;
typedef char name_[32], path_[256], stamp_[80];

/* FIELD(type, name) of each record, in order. */
#define HEADER(F)                                                                      \
	F(u_short_, record_type)                                                       \
	F(long, start_date) F(long, gmt_offset) F(TimestampType, timestamp)            \
	    F(u_long_, SystemId) F(byte, system_type) F(int, md_version)               \
		F(stamp_, release_data) F(int, num_processors) F(int, memory_per_proc) \
		    F(int, num_disks) F(int, num_IO_nodes) F(int, memory_per_disk)     \
			F(double, timestamp_unit)
#define LOAD(F)                                                                           \
	F(u_short_, record_type)                                                          \
	F(TimestampType, timestamp) F(name_, name) F(path_, path) F(TraceUserId, user_id) \
	    F(u_long_, initial_load_size) F(TraceAppId, appl_id) F(u_short_, num_clients) \
		F(TraceClientId, clients)
#define EXIT(F) F(u_short_, record_type) F(TimestampType, timestamp) F(TraceAppId, appl_id)
#define MEMBER(F) EXIT(F) F(TraceClientId, client_id)
#define OPEN(F)                                                            \
	F(name_, name)                                                     \
	F(path_, path) F(TraceFileId, file_id) F(TraceFileDesc, file_desc) \
	    F(BigInt, file_size) F(long, creation_date) F(byte, open_flags)
#define APP_OPEN(F) EXIT(F) OPEN(F)
#define APP_CLOSE(F) EXIT(F) F(TraceFileDesc, file_desc) F(BigInt, file_size)
#define CLIENT(F) \
	F(u_short_, record_type) F(TimestampType, timestamp) F(TraceClientId, client_id)
#define CLIENT_OPEN(F) CLIENT(F) OPEN(F)
#define CLIENT_CLOSE(F) CLIENT(F) F(TraceFileDesc, file_desc) F(BigInt, file_size)
#define REQUEST(F)        \
	F(BigInt, offset) \
	F(u_long_, memory_offset) F(BigInt, IO_size) F(TraceClientId, client_id)
#define RW(F)                                                                             \
	F(u_short_, record_type)                                                          \
	F(TimestampType, starttime) F(TimestampType, endtime) F(TraceFileDesc, file_desc) \
	    F(byte, operation_type) F(TraceAsyncId, async_id) F(TraceAppId, appl_id)      \
		F(u_short_, num_clients) F(TraceIORequest, requests)
#define ASYNC(F)                                                                         \
	F(u_short_, record_type)                                                         \
	F(TimestampType, call_time) F(TimestampType, end_time) F(TraceAsyncId, async_id) \
	    F(TraceClientId, client_id) F(TraceAppId, appl_id)
#define RESIZE(F) \
	CLIENT(F) F(TraceFileId, file_id) F(BigInt, original_size) F(BigInt, new_size)
#define LINK(F) CLIENT(F) F(TraceFileId, file_id) F(u_short_, new_link_count)
#define FCNTL(F) CLIENT(F) F(TraceFileId, file_desc) F(int, request) F(int, arg)
#define COMP(F) \
	F(byte, record_type) F(byte, client_id) F(u_short_, bits_) F(u_long_, duration)

#define ALL(R)                                                                             \
	R(TraceHeaderRecord, HEADER)                                                       \
	R(TraceAppLoadRecord, LOAD) R(TraceAppExitRecord, EXIT)                            \
	    R(TraceClientJoinRecord, MEMBER) R(TraceClientLeaveRecord, MEMBER)             \
		R(TraceAppOpenRecord, APP_OPEN) R(TraceAppCloseRecord, APP_CLOSE)          \
		    R(TraceClientOpenRecord, CLIENT_OPEN)                                  \
			R(TraceClientCloseRecord, CLIENT_CLOSE) R(TraceIORequest, REQUEST) \
			    R(TraceRWRecord, RW) R(TraceAsynchEndRecord, ASYNC)            \
				R(TraceTruncRecord, RESIZE) R(TraceExtendRecord, RESIZE)   \
				    R(TraceLinkRecord, LINK) R(TraceUnlinkRecord, LINK)    \
					R(TraceFcntlRecord, FCNTL) R(CompRWRecord, COMP)

#define DECLARE(type, name) type name;
#define STRUCT(record, fields)  \
	typedef struct {        \
		fields(DECLARE) \
	} record;
ALL(STRUCT)

static void
offset(const char *record, const char *field, size_t off, size_t size)
{
	if (strcmp(field, "bits_"))
		printf("%s\t%s\t%zu\t%zu\n", record, field, off, size);
}

static void
offsets(void)
{
#define ROW(type, name) offset(record, #name, offsetof(T, name), sizeof((T *)0)->name);
#define ROWS(name, fields)                                       \
	{                                                        \
		typedef name T;                                  \
		const char *record = #name;                      \
		fields(ROW) if (!strcmp(record, "CompRWRecord")) \
		    offset(record, "fields", sizeof(T), 0);      \
		offset(record, "(sizeof)", 0, sizeof(T));        \
	}
	ALL(ROWS)
}

static uint64_t now = 954722123457;

/* The bytes of a record of a struct S: as if declared with n elements at its end. */
#define BYTES(S, last, n)                                                     \
	((offsetof(S, last) + (n) * sizeof((S *)0)->last + _Alignof(S) - 1) / \
	 _Alignof(S) * _Alignof(S))
/* Fields only: what lies between them is 0, whatever the compiler copies. */
#define COPY(type, name) memcpy(&to_.name, &from_->name, sizeof to_.name);
#define CLEAN(T, fields, to, from)                           \
	do {                                                 \
		const T *from_ = &(from);                    \
		T to_;                                       \
		memset(&to_, 0, sizeof to_);                 \
		fields(COPY) memcpy((to), &to_, sizeof to_); \
	} while (0)
#define PUT(T, fields, r)                           \
	do {                                        \
		char put_[sizeof(T)];               \
		CLEAN(T, fields, put_, r);          \
		fwrite(put_, 1, sizeof(T), stdout); \
	} while (0)
#define AT(step) .timestamp = now += (step)

static void
put_rw(unsigned op, int fd, int async, int app, unsigned n, int client, uint64_t at,
       uint64_t size)
{
	char room[1024] = {0};
	uint64_t end = now + 250;
	TraceRWRecord rw = {.record_type = 9,
			    .starttime = now,
			    .file_desc = fd,
			    .operation_type = (byte)op,
			    .async_id = async,
			    .appl_id = app};
	rw.endtime = op & 1 ? 0 : end;
	rw.num_clients = (u_short_)n;
	CLEAN(TraceRWRecord, RW, room, rw);
	for (unsigned i = 0; i < n; i++) {
		TraceIORequest q = {at + i * size, 1572864 + i, size, client + (int)i};

		CLEAN(TraceIORequest, REQUEST,
		      room + offsetof(TraceRWRecord, requests) + i * sizeof q, q);
	}
	fwrite(room, 1, BYTES(TraceRWRecord, requests, n), stdout);
	now = end;
}

static void
put_async(int async, int client, int app)
{
	TraceAsynchEndRecord r = {14, now + 10, now + 40, async, client, app};

	PUT(TraceAsynchEndRecord, ASYNC, r);
	now += 50;
}

static void
put_load(int app, unsigned n)
{
	char room[sizeof(TraceAppLoadRecord) + 64] = {0};
	TraceAppLoadRecord load = {.record_type = 1,
				   AT(1000),
				   .name = "solver",
				   .path = "/usr/bin",
				   .user_id = 500,
				   .initial_load_size = 82037,
				   .appl_id = app};
	load.num_clients = (u_short_)n;
	CLEAN(TraceAppLoadRecord, LOAD, room, load);
	for (unsigned i = 0; i < n; i++) {
		TraceClientId id = (TraceClientId)i + 1;

		memcpy(room + offsetof(TraceAppLoadRecord, clients) + i * sizeof id, &id,
		       sizeof id);
	}
	fwrite(room, 1, BYTES(TraceAppLoadRecord, clients, n), stdout);
}

static void
put_client_open(int client, int fd, uint32_t file, const char *name, unsigned flags)
{
	TraceClientOpenRecord r = {.record_type = 6,
				   AT(100),
				   .client_id = client,
				   .path = "/cfs/tour",
				   .file_id = file,
				   .file_desc = fd,
				   .file_size = 4096,
				   .creation_date = 760086413,
				   .open_flags = (byte)flags};

	strncpy(r.name, name, sizeof r.name);
	PUT(TraceClientOpenRecord, CLIENT_OPEN, r);
}

static void
put_client_close(int client, int fd, uint64_t size)
{
	TraceClientCloseRecord r = {8, now += 10, client, fd, size};

	PUT(TraceClientCloseRecord, CLIENT_CLOSE, r);
}

static void
trace(void)
{
	uint32_t frame[2] = {0x01234567, 1};
	TraceHeaderRecord h = {.start_date = 760086413,
			       .gmt_offset = -18000,
			       .timestamp = now,
			       .SystemId = 2170756858u,
			       .system_type = 3,
			       .md_version = 1,
			       .release_data = "made by gen_charisma",
			       .num_processors = 128,
			       .memory_per_proc = 32,
			       .num_disks = 10,
			       .num_IO_nodes = 10,
			       .memory_per_disk = 760,
			       .timestamp_unit = 1e-6};

	fwrite(frame, 1, sizeof frame, stdout);
	PUT(TraceHeaderRecord, HEADER, h);
	put_load(1009, 2);
	TraceClientJoinRecord join = {3, now += 20, 1009, 3};
	PUT(TraceClientJoinRecord, MEMBER, join);
	TraceAppOpenRecord open = {.record_type = 5,
				   AT(10),
				   .appl_id = 1009,
				   .name = "dp.dat",
				   .path = "/cfs/tour",
				   .file_id = 4194428,
				   .file_desc = 64,
				   .creation_date = 760086413,
				   .open_flags = 26};
	PUT(TraceAppOpenRecord, APP_OPEN, open);
	put_client_open(1, 3, 4194304, "restart 0.in", 1);
	put_client_open(2, 3, 4194424, "a name that fills its thirty-two", 2 | 8 | 64);
	/* Reads and writes of clients, one behind the other; a gap; the same again. */
	put_rw(4, 3, 0, 1009, 1, 1, 0, 512);
	put_rw(4, 3, 0, 1009, 1, 1, 512, 512);
	put_rw(4, 3, 0, 1009, 1, 1, 4096, 512);
	put_rw(4, 3, 0, 1009, 1, 1, 0, 512);
	put_rw(6, 3, 0, -1, 1, 2, 0, 1000);
	/* Asynchronous: two that overlap, and one that has no end. */
	put_rw(5, 3, 7, 1009, 1, 1, 8192, 2048);
	put_rw(7, 3, 8, 1009, 1, 2, 1000, 3000);
	put_async(8, 2, 1009);
	put_async(7, 1, -1);
	put_rw(7, 3, 9, 1009, 1, 2, 4000, 100);
	/* Of the application as a whole: two requests, none, and asynchronous. */
	put_rw(2, 64, 0, 1009, 2, 1, 0, 256);
	put_rw(0, 64, 0, 1009, 0, 0, 0, 0);
	put_rw(1, 64, 5, 1009, 3, 1, 256, 128);
	put_async(5, -1, 1009);
	put_async(77, 2, 1009);
	/* A client uses its application's descriptor; one that nobody opened. */
	put_rw(4, 64, 0, -1, 1, 3, 0, 64);
	put_rw(6, 9, 0, 1009, 1, 3, 0, 64);
	TraceExtendRecord extend = {10, now += 10, 2, 4194424, 4000, 1048576};
	PUT(TraceExtendRecord, RESIZE, extend);
	TraceTruncRecord trunc = {11, now += 10, 2, 4194424, 1048576, 4000};
	PUT(TraceTruncRecord, RESIZE, trunc);
	TraceLinkRecord link = {12, now += 10, 2, 4194424, 2};
	PUT(TraceLinkRecord, LINK, link);
	TraceFcntlRecord fcntl = {15, now += 10, 2, 3, 3, -1};
	PUT(TraceFcntlRecord, FCNTL, fcntl);
	TraceUnlinkRecord unlink = {13, now += 10, 2, 4194424, 0};
	PUT(TraceUnlinkRecord, LINK, unlink);
	put_client_close(2, 3, 4000);
	put_rw(4, 3, 0, 1009, 1, 2, 0, 64); /* closed: no file any more */
	put_client_close(1, 3, 4096);
	TraceAppCloseRecord close = {7, now += 10, 1009, 64, 512};
	PUT(TraceAppCloseRecord, APP_CLOSE, close);
	TraceClientLeaveRecord leave = {4, now += 10, 1009, 2};
	PUT(TraceClientLeaveRecord, MEMBER, leave);
	TraceAppExitRecord exit_ = {2, now += 10, 1009};
	PUT(TraceAppExitRecord, EXIT, exit_);
	/* Times that do not fit: they stand as they are. */
	TraceAppExitRecord late = {2, UINT64_MAX, 1010};
	PUT(TraceAppExitRecord, EXIT, late);
}

int
main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "offsets"))
		offsets();
	else if (argc == 2 && !strcmp(argv[1], "trace"))
		trace();
	else {
		fprintf(stderr, "usage: gen_charisma offsets|trace\n");
		return 2;
	}
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
