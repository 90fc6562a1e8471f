/* check_charisma.h - the rules of CHARISMA, by file: check_charisma.c holds those about applications, clients and times,
 * charisma_files.c those about descriptors, files and requests. */
#ifndef SPOOR_CHECK_CHARISMA_H
#define SPOOR_CHECK_CHARISMA_H

#include "trace-check/check_state.h"
#include "trace-check/rules_charisma.h"

enum {
	CHARISMA_RULES(RULE_NAME)
};

enum charisma_kind {
	R_HEADER,
	R_LOAD,
	R_EXIT,
	R_JOIN,
	R_LEAVE,
	R_OPEN,
	R_CLOSE,
	R_READ,
	R_WRITE,
	R_ASYNC_END,
	R_TRUNCATE,
	R_EXTEND,
	R_LINK,
	R_UNLINK,
	R_FCNTL
};
extern const char *const charisma_events[];

enum record_arg {
	A_APP,
	A_FD,
	A_FILE,
	A_FILE_ID,
	A_FILE_SIZE,
	A_ASYNC,
	A_ORIGINAL,
	A_NEW,
	A_LINKS,
	A_CREATED, /* the last one that is a number of each record */
	A_LOC,
	A_NAME,
	A_PATH,
	A_CLIENTS,
	A_FLAGS,
	A_OPERATION,
	A_REQUEST,
	A_SYSTEM,
	A_STARTED,
	A_GMT,
	A_PROCESSORS,
	A_DISKS,
	A_IO_NODES
};

#define APP (1ull << 63)

struct charisma_check {
	struct arguments arguments;
	struct number_map app; /* number: has exited */
	struct number_map
	    client; /* number: its application + 1, greatest time, has a time */
	struct number_map
	    open; /* owner, descriptor: file, mode, is closed, the application of the owner */
	struct number_map file;	 /* id: size, is known, hash of name and date, links + 1 */
	struct number_map async; /* id: owner, start, descriptor */
	struct number_map
	    shared; /* application + 1, descriptor: the last owner that opened it */
	struct number_map busy; /* owner, descriptor: open requests, the last of them */
	int64_t last;
	bool any, joins;
};

/* A record, with what all rules need. */
struct charisma_event {
	enum charisma_kind kind;
	const struct rec *rec;
	struct trace_place at;
	uint64_t a[A_CREATED + 1];
	bool has[A_CREATED + 1];
	uint64_t owner; /* of the record: a client, or an application */
	bool has_owner;
};

/* Returns true if the list of words with commas between has the word. */
bool charisma_flag(const char *list, const char *word);
/* Returns true if a list of flags has a number, which stands for unknown bits. */
bool charisma_unknown(const char *list);
/* Returns the text of an argument, or "" if it is absent; valid until the next call. */
const char *charisma_text(struct charisma_check *x, const struct source *s,
			  const struct charisma_event *e, enum record_arg arg);
/* Returns the application of an owner plus 1, or 0 if it is not known. */
uint64_t charisma_app(const struct charisma_check *x, uint64_t owner);
/* Takes a record about a descriptor, a file or a request. Does nothing with others. */
void charisma_file(struct check_run *c, struct charisma_check *x, struct source *s,
		   const struct charisma_event *e);

#endif
