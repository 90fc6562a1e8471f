/*
 * columns_presets.c - descriptions of the columns of traces and tools that are well known.
 * Facts from their own descriptions, which columns-layout(5) names.
 */
#include <string.h>

#include "columns/columns.h"

/* Codes of SCSI: those of reads and writes, and the others of disks. (A log of fio has 0, 1 or
 * 2 in that column.) */
#define SCSI "28:R,2a:W,88:R,8a:W,a8:R,aa:W,08:R,0a:W,8:R,a:W," SCSI_OTHERS
#define SCSI_OTHERS                                                                        \
	"00,03,3,12,15,16,17,1a,1b,1d,1e,25,2e,2f,34,35,37,3b,3c,41,42,4c,4d,53,55,56,57," \
	"5a,5e,5f,7f,83,84,85,89,8e,8f,90,91,93,9e,9f,a0,a1,a3,a4,ae,af,b7"
/* Where biosnoop has no name of a disk, the number of a process takes its place. */
#define NO_DISK "0*:-,1*:-,2*:-,3*:-,4*:-,5*:-,6*:-,7*:-,8*:-,9*:-,*"
/* A log of fio; a line has four columns where neither offset nor priority is logged. */
#define FIO_LOG "event=$3{0:R,1:W,2:T} size=$4 addr=$5?$6=* priority=$-1{0,1,0x*}?$5=*"
#define FIO_HINT                                                                         \
	"-O columns=fio-log is for logs of latencies, fio-bw of bandwidth, fio-iops of " \
	"IOPS, fio-log-old of latencies with offsets but no priorities"
#define FIO_LATENCIES "_lat. _clat. _slat."

/* A name, what it stands for, what is in the names of its files, and what is said of lines
 * that it cannot read. */
#define PRESETS(P)                                                                        \
	P("msr",                                                                          \
	  "loc=host:$2/disk:$3 event=$4{Read:R,Write:W} addr=$5 size=$6 "                 \
	  "dur=$7*100ns time=$1*100ns epoch=1601",                                        \
	  NULL, NULL)                                                                     \
	P("alibaba", "time=$5*us epoch=1970 loc=device:$1 event=$2{R,W} addr=$3 size=$4", \
	  NULL, NULL)                                                                     \
	P("tencent",                                                                      \
	  "time=$1 epoch=1970 loc=volume:$5 event=$4{0:R,1:W} addr=$2 "                   \
	  "size=$3*512 block=512",                                                        \
	  NULL, NULL)                                                                     \
	P("systor",                                                                       \
	  "record=$1 time=$1 epoch=1970 loc=lun:$4 event=$3{R,W,:other} "                 \
	  "addr=$5 size=$6 dur=$2?",                                                      \
	  NULL, NULL)                                                                     \
	P("cloudphysics",                                                                 \
	  "record=$2 time=$2 addr=$5 size=$4 block=512 event=$3{" SCSI "} "               \
	  "version=$1",                                                                   \
	  NULL, NULL)                                                                     \
	P("blkparse",                                                                     \
	  "sep=blank skip=PC record=$4 time=$4 loc=device:$1/cpu:$2 "                     \
	  "event=$6{m:,*} addr=$8??$9=+|/ size=$10*512??$9=+ block=512 seq=$3*1 "         \
	  "pid=$5 rwbs=$7 command=$11-?",                                                 \
	  NULL, NULL)                                                                     \
	P("biosnoop",                                                                     \
	  "sep=blank record=$1 end=$1 dur=$-1*ms loc=disk:$-5{" NO_DISK "} event=$-4 "    \
	  "addr=$-3 size=$-2 block=512 command=$2 pid=$-6*1??",                           \
	  NULL, NULL)                                                                     \
	P("biosnoop-queue",                                                               \
	  "sep=blank record=$1 end=$1 dur=$-1*ms loc=disk:$-6{" NO_DISK "} "              \
	  "event=$-5 addr=$-4 size=$-3 block=512 command=$2 pid=$-7*1?? "                 \
	  "queued=$-2*ms",                                                                \
	  NULL, NULL)                                                                     \
	P("fio-log", "columns=4-6 end=$1*ms dur=$2*ns " FIO_LOG, FIO_LATENCIES, FIO_HINT) \
	P("fio-log-old",                                                                  \
	  "columns=5 end=$1*ms dur=$2*ns event=$3{0:R,1:W,2:T} size=$4 "                  \
	  "addr=$5",                                                                      \
	  FIO_LATENCIES, FIO_HINT)                                                        \
	P("fio-bw", "columns=4-6 time=$1*ms bandwidth=$2*1024B " FIO_LOG, "_bw.",         \
	  FIO_HINT)                                                                       \
	P("fio-iops", "columns=4-6 time=$1*ms iops=$2*1 " FIO_LOG, "_iops.", FIO_HINT)    \
	P("iolog",                                                                        \
	  "sep=blank columns=3-5 record=$1 time=$1*us loc=file:$2 "                       \
	  "event=$3{read:R,write:W,trim,sync,datasync,sync_file_range,syncfs,wait,"       \
	  "add,open,close} "                                                              \
	  "addr=$4? size=$5?",                                                            \
	  NULL, NULL)

#define NAME(name, text, files, hint) name,
#define TEXT(name, text, files, hint) text,
#define FILES(name, text, files, hint) files,
#define HINT(name, text, files, hint) hint,
const char *const columns_presets[] = {PRESETS(NAME) NULL};
const char *const columns_meanings[] = {PRESETS(TEXT) NULL};
const char *const columns_hints[] = {PRESETS(HINT) NULL};
static const char *const files_of[] = {PRESETS(FILES) NULL};

bool
columns_begins(int preset, const uint8_t *p, size_t n)
{
	/* The version in front of every line is 1 or 2. */
	static const char *const words[] = {"1,", "2,", "version,"};

	if (preset < 0 || strcmp(columns_presets[preset], "cloudphysics") != 0)
		return true;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (n >= strlen(words[i]) && !memcmp(p, words[i], strlen(words[i])))
			return true;
	return false;
}

const char *
columns_other(int preset, const char *path)
{
	const char *base = strrchr(path, '/'), *own = preset < 0 ? NULL : files_of[preset];
	char mark[16];

	base = base ? base : path;
	for (size_t i = 0; own && columns_presets[i]; i++)
		for (const char *w = files_of[i]; w && *w; w += strspn(w, " ")) {
			size_t n = strcspn(w, " ");

			memcpy(mark, w, n);
			mark[n] = '\0';
			w += n;
			if (strstr(base, mark) && !strstr(own, mark))
				return columns_presets[i];
		}
	return NULL;
}
