/* access_sections.h - the output of trace-access. */
#ifndef SPOOR_ACCESS_SECTIONS_H
#define SPOOR_ACCESS_SECTIONS_H

#include "trace-access/access.h"
#include "summary/section.h"

struct access_options {
	/* a report of all sections that were asked for; else one section as a table */
	bool report;
	enum table_style style;
	bool bare; /* the table has no line of names */
	bool html; /* the report is HTML */
};

/* Returns the section with that name, or ACCESS_SECTIONS if there is none. access_section_name() returns the name of a section,
 * or NULL after the last. */
enum access_section access_section(const char *name);
const char *access_section_name(size_t i);
/* Writes the output. access_finish() must come before. */
void access_put(struct access *x, const struct access_options *opts, struct out *o);

/* Name of each enum file_class. */
extern const char *const class_name[CLASSES_OF_FILES];

/* Writes the section `file`: a row for each file, with its class, requests and bytes. (files.c) */
void put_file(const struct access *x, struct section *s);
/* Writes the section `darshan`: Darshan's counters. A table has a row for each file with such counters; a report has
 * their sums over all files. (darshan.c) */
void put_darshan(const struct access *x, struct section *s);

#endif
