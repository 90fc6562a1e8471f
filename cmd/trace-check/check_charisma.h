/* check_charisma.h - the rules of CHARISMA, by file: check_charisma.c holds those about applications, clients and times,
 * charisma_files.c those about descriptors, files and requests. */
#ifndef SPOOR_CHECK_CHARISMA_H
#define SPOOR_CHECK_CHARISMA_H

#include "trace-check/check.h"
#include "trace-check/rules_charisma.h"

/* clang-format off */
/* Records: kind, name, and the function that takes one. */
#define CHARISMA_RECORDS(R) \
	R(R_HEADER, "header", chr_header) R(R_LOAD, "app-load", chr_load) \
	R(R_EXIT, "app-exit", chr_exit) R(R_JOIN, "join", chr_join) \
	R(R_LEAVE, "leave", chr_leave) R(R_OPEN, "open", chr_open) \
	R(R_CLOSE, "close", chr_close) R(R_READ, "read", chr_request) \
	R(R_WRITE, "write", chr_request) R(R_ASYNC_END, "async-end", chr_async_end) \
	R(R_TRUNCATE, "truncate", chr_resize) R(R_EXTEND, "extend", chr_resize) \
	R(R_LINK, "link", chr_link) R(R_UNLINK, "unlink", chr_link) \
	R(R_FCNTL, "fcntl", chr_fcntl)
/* Arguments. Those up to A_CREATED are read as numbers of each record. */
#define CHARISMA_ARGS(R) \
	R(A_APP, "appl_id") R(A_FD, "file_desc") R(A_FILE, "file_id") R(A_SIZE, "file_size") \
	R(A_ASYNC, "async_id") R(A_ORIGINAL, "original_size") R(A_NEW, "new_size") \
	R(A_LINKS, "new_link_count") R(A_CREATED, "creation_date") R(A_LOC, "loc") \
	R(A_NAME, "name") R(A_PATH, "path") R(A_CLIENTS, "clients") R(A_FLAGS, "open_flags") \
	R(A_OPERATION, "operation_type") R(A_REQUEST, "request") R(A_SYSTEM, "system_type") \
	R(A_STARTED, "start_date") R(A_GMT, "gmt_offset") R(A_PROCESSORS, "num_processors") \
	R(A_DISKS, "num_disks") R(A_IO_NODES, "num_IO_nodes")
#define RECORD_KIND(kind, name, take) kind,

enum { CHARISMA_RULES(RULE_NAME) };
enum charisma_kind { CHARISMA_RECORDS(RECORD_KIND) };
enum { CHARISMA_ARGS(LIST_NAME) };

/* Maps, with their keys, and the values of an entry. */
enum { APPS, CLIENTS, OPENS, FILES, ASYNCS, LATEST, BUSY };
enum { EXITED };                            /* APPS: number */
enum { CLIENT_APP, TIME, TIMED, JOINED };   /* CLIENTS: number. Its application plus 1; the greatest time, if TIMED */
enum { OPEN_FILE, MODE, CLOSED, OPEN_APP }; /* OPENS: owner, descriptor. OPEN_APP: the owner's application plus 1 */
enum { SIZE, SIZED, NAME, LINKS };          /* FILES: id. The size, if SIZED; a hash of the name; number of links plus 1 */
enum { ASYNC_OWNER, START, ASYNC_FD };      /* ASYNCS: id of an open request */
enum { OPENER };                            /* LATEST: application plus 1, descriptor. The last owner that opened it */
enum { COUNT, LAST };                       /* BUSY: owner, descriptor. Number of open requests, and id of the last one */
/* clang-format on */

/* An owner of descriptors that is an application: its number with this bit. */
#define APP (1ull << 63)

/* A record, with what all rules need. */
struct charisma_event {
	enum charisma_kind kind;
	const struct rec *rec;
	uint64_t a[A_CREATED + 1];
	bool has[A_CREATED + 1];
	uint64_t owner; /* of the record: a client, or an application */
	bool has_owner;
};

extern const char *const charisma_events[];
/* Returns the application of an owner plus 1, or 0 if it is not known. */
uint64_t chr_app(const struct check_run *c, uint64_t owner);
/* These take a record. */
#define RECORD_TAKE(kind, name, take) \
	void take(struct check_run *c, const struct charisma_event *e);
CHARISMA_RECORDS(RECORD_TAKE)

#endif
