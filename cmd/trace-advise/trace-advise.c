/* trace-advise - findings about a trace, each with the command that proves it */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/put.h"
#include "cli/opt.h"
#include "run/inputs.h"
#include "trace-advise/advise.h"

/* Commands that several rules share. */
#define SIZES                                                                              \
	"trace-stats -e '%R' -a 'n = count(addr), small = count(if(size < %1, 1)), share " \
	"= "                                                                               \
	"small / n'"
#define ALIGNED                                                                         \
	"trace-stats -e '%R' -a 'n = count(addr), off = count(if(addr % %1 != 0, 1)), " \
	"share = "                                                                      \
	"off / n'"
#define RANDOM                                                                          \
	"trace-access --csv darshan | trace-stats -O columns='time=line event=file "    \
	"reads=$READS rseq=$SEQ_READS writes=$WRITES wseq=$SEQ_WRITES' -a 'reads = "    \
	"sum(reads), random_reads = reads - sum(rseq), read_share = random_reads / "    \
	"reads, writes = sum(writes), random_writes = writes - sum(wseq), write_share " \
	"= random_writes / writes'"
#define MOST(test, key)                                                                \
	"trace-stats -e '" test "' -g " key " -a 'n = all(count), bytes = sum(size), " \
	"groups = all(1), mean = all(bytes) / groups, times = bytes / mean' --having " \
	"'groups > 1' -S -times --head 1"
#define QUEUE                                                                             \
	"trace-stats -e '%R' -a 'n = count(dur), depth = depth, most = depth_most, busy " \
	"= "                                                                              \
	"busy, alone = if(most = 1, busy, 0)'"
/* Calls of several threads overlap: then the numbers are absent. */
#define RANKS                                                                              \
	"trace-stats -k rank -e 'MPI_*' -g rank -a 'n = count, useful = sum(time - "       \
	"prev.end), over = max(prev.end - time), mean = all(useful) / all(1), balance = "  \
	"if(most(over) <= 0s, mean / most(useful)), from = min(if(MPI_Init*, end)), to = " \
	"max(if(MPI_Finalize, time)), run = most(to) - most(from), efficiency = "          \
	"if(most(over) <= 0s, most(useful) / run)'"
#define SHORT                                                                              \
	"trace-match | trace-stats -a 'messages = count(if(message, 1)), small = "         \
	"count(if(message and size <= %1, 1)), share = small / messages, collectives = "   \
	"count(if(collective and size?, 1)), tiny = count(if(collective and size / ranks " \
	"<= %1, 1)), tiny_share = tiny / collectives'"
#define LATE(match, what, key)                                                            \
	match " | trace-stats -e message -g " key " -a 'n = count(" what                  \
	      "), late = sum(" what "), all = all(late), share = late / all, part = all " \
	      "/ %Ss / %N' --having 'part > "                                             \
	      "0.01' -S -share --head 1"
#define SUMMARY "trace-reuse --summary -e 'i or r or w'"

const struct request_tests request_tests[] = {
    {"charisma", "read or write", "read", "write", "open or close or delete or seek"},
    {"spc", "R or W", "R", "W", ""},
    {NULL,
     "[rR] or [wW] or [rR]ead or [wW]rite or READ or WRITE or pread* or pwrite* or readv "
     "or "
     "writev",
     "[rR] or [rR]ead or READ or pread* or readv",
     "[wW] or [wW]rite or WRITE or pwrite* or writev",
     "open* or close* or creat or stat* or ?stat* or newfstatat or access or unlink* or "
     "mkdir* or rename* or *sync or lseek"},
};

const char *const request_format = "columns";

/* Rules. A threshold is from Drishti's configuration, from POP's model of efficiency, or our own. */
/* clang-format off */
struct advice_rule rules[] = {
{"io-small", "charisma columns", LEVEL_WARNING, NEEDS_SIZE | NEEDS_ADDR, SIZES, .column = "share", .side = '>',
	.threshold = 0.1, .size = "1M", .count = "small", .least = 1000,
	.words = "{small} of {n} requests ({share%}) are smaller than {1}",
	.source = "Drishti: small requests, 1 MiB, 10 % and 1000"},
{"io-unaligned", "charisma columns", LEVEL_WARNING, NEEDS_SIZE | NEEDS_ADDR, ALIGNED, .column = "share",
	.side = '>', .threshold = 0.1, .size = "4K", .count = "n", .least = 1000,
	.words = "{off} of {n} requests ({share%}) do not begin at a multiple of {1}",
	.source = "Drishti: misaligned requests, 10 %"},
{"io-random-reads", "charisma columns", LEVEL_WARNING, NEEDS_SIZE | NEEDS_ADDR, RANDOM, .column = "read_share",
	.side = '>', .threshold = 0.2, .count = "random_reads", .least = 1000,
	.words = "{random_reads} of {reads} reads ({read_share%}) begin before the end of the previous read "
	"of their node and file", .source = "Drishti: random requests, 20 % and 1000"},
{"io-random-writes", "charisma columns", LEVEL_WARNING, NEEDS_SIZE | NEEDS_ADDR, RANDOM,
	.column = "write_share", .side = '>', .threshold = 0.2, .count = "random_writes", .least = 1000,
	.words = "{random_writes} of {writes} writes ({write_share%}) begin before the end of the previous "
	"write of their node and file", .source = "Drishti: random requests, 20 % and 1000"},
{"io-reread", "charisma columns spc", LEVEL_NOTE, NEEDS_SIZE | NEEDS_ADDR,
	"trace-access --csv file -e '%r' | trace-stats -O columns='time=line event=file read=$read "
	"once=$bytes' -a 'read = sum(read), again = read - sum(once), share = again / read'", .column = "share",
	.side = '>', .threshold = 0.1, .count = "read", .least = 1048576,
	.words = "{again} of {read} bytes that are read ({share%}) were read before",
	.source = "Drishti: redundant reads; the share is our own"},
{"io-file", "charisma", LEVEL_NOTE, NEEDS_SIZE | NEEDS_ADDR, MOST("(%R) and file?", "file"), .column = "times",
	.side = '>', .threshold = 1.3, .count = "n", .least = 1000, .words = "file {file} has {times} times "
	"the mean of {groups} files: {bytes} bytes, the mean is {mean}",
	.source = "Drishti: imbalance of data, 30 %"},
{"io-node", "charisma columns", LEVEL_NOTE, NEEDS_SIZE | NEEDS_PLACES, MOST("%R", "loc"), .column = "times",
	.side = '>', .threshold = 1.3, .count = "n", .least = 1000, .words = "{loc} moves {times} times the "
	"mean of {groups} places: {bytes} bytes, the mean is {mean}", .source = "Drishti: imbalance of data, "
	"30 %"},
{"io-metadata", "charisma columns", LEVEL_WARNING, NEEDS_DUR, "trace-stats -e '%M' -g loc -a 'n = count(dur), "
	"spent = sum(dur)' -S -spent --head 1", .column = "spent", .side = '>', .threshold = 30, .count = "n",
	.least = 10, .words = "{loc} spends {spent} s in {n} calls about metadata",
	.source = "Drishti: metadata time of a rank, 30 s"},
{"io-opens", "charisma columns", LEVEL_WARNING, NEEDS_SIZE, "trace-stats -a 'opens = count(if(open or openat "
	"or creat, 1)), bytes = sum(if(%R, size)), each = bytes / opens'", .column = "each", .side = '<',
	.threshold = 65536, .count = "opens", .least = 100, .words = "{opens} opens for {bytes} bytes: {each} "
	"bytes for each open", .source = "our own: less than a request of 64 KiB"},
{"io-writer", "charisma columns", LEVEL_NOTE, NEEDS_SIZE | NEEDS_PLACES,
	"trace-stats -e '%R' -g loc -a 'n = all(count(if(%w, 1))), bytes = sum(if(%w, size)), all = "
	"all(bytes), share = bytes / all, nodes = all(1)' --having 'nodes > 1' -S -share --head 1",
	.column = "share", .side = '>', .threshold = 0.9, .count = "n", .least = 100,
	.words = "{loc} writes {bytes} of {all} bytes ({share%}); {nodes} places have requests",
	.source = "our own: nine tenths"},
{"io-straggler", "charisma columns", LEVEL_WARNING, NEEDS_SIZE | NEEDS_ADDR | NEEDS_DUR,
	"trace-access --csv darshan | trace-stats -O columns='time=line event=shared name=$file reads=$READS "
	"writes=$WRITES fast=$F_FASTEST_RANK_TIME slow=$F_SLOWEST_RANK_TIME' -e 'slow != \"\"' -g name -a 'n "
	"= sum(reads + writes), fastest = max(fast), slowest = max(slow), share = (slowest - fastest) / "
	"slowest' -S -share --head 1", .column = "share", .side = '>', .threshold = 0.15, .count = "n",
	.least = 100, .words = "file {name}: the slowest node takes {slowest} s, the fastest {fastest} s, "
	"{share%} less", .source = "Drishti: stragglers, 15 %"},
{"io-burst", "charisma columns spc", LEVEL_NOTE, NEEDS_SIZE | NEEDS_SECONDS,
	"trace-stats -e '%R' -w 1s --no-empty -a 'n = count, all = all(n), mean = all / %S, times = n / mean' "
	"-S -times --head 1", .column = "times", .side = '>', .threshold = 10, .count = "all", .least = 1000,
	.words = "second {window} has {n} requests, {times} times the mean of {mean}",
	.source = "our own: ten times"},
{"io-groups", "charisma columns", LEVEL_NOTE, NEEDS_DUR, "trace-stats -e '%r' -a 'hist(dur)' --long",
	.row = "two groups", .column = "share", .side = '>', .threshold = 0.1, .count = "n", .least = 1000,
	.words = "the durations of {n} reads have two groups: from {first} s, and from {second} s; the "
	"smaller group has {share%}", .source = "our own: a tenth, with a gap of a quarter between the groups"},
{"io-tail", "charisma columns", LEVEL_WARNING, NEEDS_DUR, "trace-stats -e '%R' -g event -a 'n = count(dur), "
	"p50 = p50(dur), p99 = p99(dur), times = p99 / p50' -S -times --head 1", .column = "times", .side = '>',
	.threshold = 10, .count = "n", .least = 1000, .words = "{event}: the slowest hundredth of {n} takes "
	"{p99} s and more, {times} times the median of {p50} s", .source = "our own: ten times"},
{"io-depth", "charisma columns", LEVEL_NOTE, NEEDS_DUR, QUEUE, .column = "depth", .side = '>', .threshold = 32,
	.count = "n", .least = 1000, .words = "{depth} requests are in progress on average, {most} at most, "
	"and some for {busy%} of the time", .source = "our own: the queue of a SATA disk"},
{"io-serial", "charisma columns", LEVEL_NOTE, NEEDS_DUR, QUEUE, .column = "alone", .side = '>',
	.threshold = 0.9, .count = "n", .least = 1000, .words = "one request at a time is in progress, for "
	"{busy%} of the time", .source = "our own: nine tenths of the time"},
{"io-hot", "charisma columns spc", LEVEL_NOTE, NEEDS_SIZE | NEEDS_ADDR, "trace-access hot", .row = "all-10%",
	.column = "share", .side = '>', .threshold = 0.8, .count = "references", .least = 1000,
	.words = "{blocks} blocks of 4 KiB, a tenth of all, have {share%} of the references",
	.source = "our own: four fifths"},
{"spc-small", "spc", LEVEL_NOTE, NEEDS_SIZE, SIZES, .column = "share", .side = '>', .threshold = 0.1,
	.size = "4K", .count = "small", .least = 1000, .words = "{small} of {n} requests ({share%}) are "
	"smaller than {1}", .source = "Drishti's shares, with a page of memory as the size"},
{"spc-unaligned", "spc", LEVEL_NOTE, NEEDS_SIZE, "trace-stats -e '%R' -a 'n = count(addr), share = "
	"unaligned(%1)'", .column = "share", .side = '>', .threshold = 0.1, .size = "4K", .count = "n",
	.least = 1000, .words = "{share%} of {n} requests do not begin and end at multiples of {1}",
	.source = "Drishti: misaligned requests, 10 %"},
{"spc-random", "spc", LEVEL_NOTE, NEEDS_SIZE, "trace-access --csv streams | trace-stats -O columns='time=line "
	"event=unit n=$requests inside=$in_streams' -a 'n = sum(n), random = n - sum(inside), share = random "
	"/ n'", .column = "share", .side = '>', .threshold = 0.2, .count = "random", .least = 1000,
	.words = "{random} of {n} requests ({share%}) belong to no sequential stream",
	.source = "Drishti: random requests, 20 % and 1000"},
{"spc-unit", "spc", LEVEL_WARNING, NEEDS_SIZE | NEEDS_PLACES, MOST("%R", "asu"), .column = "times", .side = '>',
	.threshold = 1.3, .count = "n", .least = 1000, .words = "ASU {asu} has {times} times the mean of "
	"{groups} units: {bytes} bytes, the mean is {mean}", .source = "Drishti: imbalance of data, 30 %"},
{"mpi-late-sender", "dumpi", LEVEL_WARNING, NEEDS_DUR | NEEDS_PLACES, LATE("trace-match", "late_sender", "loc"),
	.column = "share", .side = '>', .threshold = 0.5, .count = "n", .least = 10,
	.words = "rank {loc} is waited for: {share%} of the time that receivers wait for late senders ({late} "
	"of {all} s)", .source = "our own: half of the waiting, which is 1 % of the run or more"},
{"mpi-late-receiver", "dumpi", LEVEL_WARNING, NEEDS_DUR | NEEDS_PLACES,
	LATE("trace-match -b", "late_receiver", "to"), .column = "share", .side = '>', .threshold = 0.5,
	.count = "n", .least = 10, .words = "rank {to} is waited for: {share%} of the time that senders wait "
	"for late receivers ({late} of {all} s)", .source = "our own: half of the waiting, which is 1 % of "
	"the run or more"},
{"mpi-balance", "dumpi", LEVEL_WARNING, NEEDS_DUR | NEEDS_PLACES, RANKS, .pick = "useful", .column = "balance",
	.side = '<', .threshold = 0.8, .count = "n", .least = 10, .words = "load balance {balance}: rank "
	"{rank} computes {useful} s, the mean is {mean} s", .source = "POP: an efficiency below 80 %"},
{"mpi-communication", "dumpi", LEVEL_WARNING, NEEDS_DUR | NEEDS_PLACES, RANKS, .pick = "useful",
	.column = "efficiency", .side = '<', .threshold = 0.8, .count = "n", .least = 10,
	.words = "communication efficiency {efficiency}: rank {rank} computes most, {useful} of {run} s",
	.source = "POP: an efficiency below 80 %"},
{"mpi-wait", "dumpi", LEVEL_WARNING, NEEDS_DUR | NEEDS_PLACES, "trace-stats -k rank -e 'MPI_*' -g rank -a 'n "
	"= count, over = max(prev.end - time), wait = sum(if(MPI_Wait* or MPI_Recv or MPI_Probe or "
	"MPI_Barrier, dur)), run = span, share = if(over <= 0s, wait / run)' -S -share --head 1",
	.column = "share", .side = '>', .threshold = 0.25, .count = "n", .least = 10,
	.words = "rank {rank} waits {share%} of the run: {wait} of {run} s", .source = "our own: a quarter"},
{"mpi-collective-wait", "dumpi", LEVEL_WARNING, NEEDS_DUR | NEEDS_PLACES,
	"trace-match | trace-stats -e 'collective and call != MPI_Init and call != MPI_Init_thread and call "
	"!= MPI_Finalize' -g call -a 'n = count, wait = sum(wait), share = wait / %Ss / %N' -S -share --head 1",
	.column = "share", .side = '>', .threshold = 0.05, .count = "n", .least = 4,
	.words = "ranks wait {share%} of the run for the last one to come to {call}: {wait} s in {n} "
	"operations", .source = "our own: a twentieth"},
{"mpi-tiny-collectives", "dumpi", LEVEL_NOTE, NEEDS_SIZE | NEEDS_PLACES, SHORT, .column = "tiny_share",
	.side = '>', .threshold = 0.5, .size = "1K", .count = "tiny", .least = 1000,
	.words = "{tiny} of {collectives} collective operations ({tiny_share%}) move at most {1} for each rank",
	.source = "our own: half, and 1000"},
{"mpi-small-messages", "dumpi", LEVEL_NOTE, NEEDS_SIZE | NEEDS_PLACES, SHORT, .column = "share", .side = '>',
	.threshold = 0.5, .size = "1K", .count = "small", .least = 1000,
	.words = "{small} of {messages} messages ({share%}) have at most {1}",
	.source = "our own: half, and 1000"},
{"mpi-serial", "dumpi", LEVEL_WARNING, NEEDS_DUR | NEEDS_PLACES, "trace-stats --csv -e 'MPI_*' -w %W -a 'mpi "
	"= depth, ranks = max(%N, 0)' | trace-stats -O columns='time=line event=window mpi=$mpi ranks=$ranks' "
	"-a 'windows = count, ranks = max(ranks), serial = count(if(ranks - mpi >= 0.5 and ranks - mpi <= 1, "
	"1)), share = serial / windows'", .column = "share", .side = '>', .threshold = 0.3, .count = "ranks",
	.least = 3, .words = "in {serial} of {windows} equal parts of the run ({share%}) one of {ranks} ranks "
	"or less computes", .source = "our own: three tenths of the run"},
{"ovni-idle", "ovni", LEVEL_NOTE, 0, "trace-stats -O durations -e 'OH[a-z] and dur?' -g loc -a 'n = count, "
	"life = sum(dur), paused = sum(if(OHp, dur)), share = paused / life' -S -share --head 1",
	.column = "share", .side = '>', .threshold = 0.5, .count = "n", .least = 2,
	.words = "thread {loc} is paused {share%} of its life: {paused} of {life} s",
	.source = "our own: half"},
{"ovni-wait", "ovni", LEVEL_WARNING, 0, "trace-stats -O durations -e 'OH[xr] or 6B[wf] or \"DT[\" or PT[gtw] "
	"or PB[bjt] or TTw or VA[pwbojmin]' -g loc -a 'n = count(if(not OH*, 1)), waits = sum(if(not OH*, "
	"self)), ran = sum(if(OH*, dur)), share = waits / ran' -S -share --head 1", .column = "share",
	.side = '>', .threshold = 0.25, .count = "n", .least = 10, .words = "tasks in thread {loc} wait "
	"{share%} of the time that it runs: {waits} of {ran} s, in {n} waits", .source = "our own: a quarter"},
{"ovni-cpu", "ovni", LEVEL_WARNING, NEEDS_PLACES, "trace-stats -O cpu -e 'OHx or OHr' -g loom,cpu -a 'ran = "
	"sum(dur), cpus = all(1), mean = all(ran) / cpus, times = ran / mean' -S -times --head 1",
	.column = "times", .side = '>', .threshold = 1.3, .count = "cpus", .least = 2,
	.words = "CPU {cpu} of {loom} runs threads {times} times as long as the mean of {cpus} CPUs: {ran} s, "
	"the mean is {mean} s", .source = "Drishti: imbalance, 30 %"},
{"ovni-preempted", "ovni", LEVEL_WARNING, 0, "trace-stats -O durations -e 'KCO or OH[xr]' -g loc -a 'n = "
	"count(if(KCO, 1)), off = sum(if(KCO, dur)), ran = sum(if(OH*, dur)), share = off / ran' -S -share "
	"--head 1", .column = "share", .side = '>', .threshold = 0.05, .count = "n", .least = 10,
	.words = "the kernel took thread {loc} off its CPU {n} times, for {share%} of the time that it runs: "
	"{off} of {ran} s", .source = "our own: a twentieth"},
{"ovni-small-tasks", "ovni", LEVEL_NOTE, 0, "trace-stats -O durations -e 'VTx or 6Tx' -a 'n = count(dur), p50 "
	"= p50(dur), spent = sum(dur)'", .column = "p50", .side = '<', .threshold = 0.00001, .count = "n",
	.least = 1000, .words = "half of {n} tasks take at most {p50} s, all together {spent} s",
	.source = "our own: 10 us, some ten times what it costs to start a task"},
{"laplace-working-set", "laplace laplace-text laplace-merge", LEVEL_NOTE, NEEDS_ADDR, SUMMARY,
	.row = "size_for_99%_of_hits", .column = "value", .side = '>', .threshold = 256, .least = 1000,
	.words = "99 % of the possible hits need a cache of {value} blocks of 4 KiB",
	.source = "our own: 1 MiB"},
{"laplace-cold", "laplace laplace-text laplace-merge", LEVEL_NOTE, NEEDS_ADDR, SUMMARY, .row = "cold_ratio",
	.column = "value", .side = '>', .threshold = 0.1, .least = 1000,
	.words = "{value%} of the references are the first to their block of 4 KiB",
	.source = "our own: a tenth"},
};
/* clang-format on */
const size_t nrules = sizeof rules / sizeof *rules;

static char **ignored;
static size_t nignored, ignored_cap;
static const char *baseline, *explained;
static bool json, csv, sarif, lists;
static enum severity severity = LEVEL_WARNING;
static uint64_t most = UINT64_MAX;

static const char *
rule_word(size_t i)
{
	return i < nrules ? rules[i].id : NULL;
}

static const char *
ignore(void *to, const char *arg)
{
	(void)to;
	/* The list ends with NULL. */
	GROW(ignored, ignored_cap, nignored + 2);
	ignored[nignored++] = (char *)(uintptr_t)arg;
	return NULL;
}

static const char *
set_threshold(void *to, const char *arg)
{
	const char *value = strchr(arg, '=');

	(void)to;
	if (!value || value == arg)
		return "ID=VALUE is expected";
	return rule_set(arg, (size_t)(value - arg), value + 1);
}

static const struct opt opts[] = {
    {0, "threshold", "ID=VALUE", "another threshold; ID.least, ID.size: see --explain",
     .take = set_threshold, .word = rule_word},
    {0, "ignore", "GLOB", "not the rules whose names match", .take = ignore,
     .word = rule_word},
    {0, "baseline", "FILE", "not the findings that FILE, an earlier output, has",
     .text = &baseline},
    {0, "severity", "LEVEL", "the level from which findings count (warning)",
     .take = level_named, .to = &severity, .word = level_name},
    {0, "head", "N", "write only the first N rows or events", .number = &most, .least = 1,
     .most = UINT64_MAX},
    {0, "list", NULL, "print what can be chosen, read nothing", "explain", .flag = &lists},
    {0, "explain", "ID", "print what a rule is, read nothing", .text = &explained,
     .word = rule_word},
    {'J', "json", NULL, "the output as JSON", "csv sarif", .flag = &json},
    {0, "csv", NULL, "the table as CSV", "sarif", .flag = &csv},
    {0, "sarif", NULL, "the findings as SARIF 2.1.0", .flag = &sarif},
    RUN_FORMAT_ROWS,
    {0},
};

static const struct program program = {
    .about = "findings about a trace, each with the command that proves it",
    .operands = "[FILE...]",
    .examples = {"trace-advise --severity error solver.meta",
		 "trace-advise --explain mpi-balance"},
    .opts = opts,
    .reads = true,
    .fields_not = true,
    .whole = "a part of a trace is not judged",
};

/* Judges the inputs one after the other. */
static void
judge_all(struct advices *f, char **shown)
{
	static char *input = (char *)(uintptr_t) "-";
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	char **paths = common.path;
	size_t n = common.n;

	common.n = n ? 1 : 0;
	for (size_t i = 0; i < (n ? n : 1); i++) {
		common.path = paths + i;
		judge(f, n ? shown[i] : input, ignored,
		      processors > 2 ? (unsigned)processors : 2);
	}
	common.path = paths;
	common.n = n;
}

/* Runs without the sandbox, because no trace is read here. The programs that are started enter it. */
int
main(int argc, char **argv)
{
	static struct advices f;
	static char **shown;
	struct findings to;
	enum style style;
	struct out out;
	int status = ST_OK;

	opt_read(&program, argc, argv);
	put_init();
	signal(SIGUSR1, SIG_IGN);
	GROW(ignored, ignored_cap, nignored + 1);
	if (common.read.follow)
		opt_die("--follow: findings are about inputs that have ended");
	if (!lists && !explained)
		check_options(NULL, NULL);
	if ((lists || explained) && !out_open(&out, common.write.path))
		die("%s:", common.write.path);
	if (lists)
		put_rules(&out);
	else if (explained && !explain_rule(explained, &out))
		opt_die("--explain %s: no such rule; --list prints all", explained);
	if (lists || explained)
		return out_close(&out, ST_OK);
	shown = xcalloc(common.n + 1, sizeof *shown);
	if (common.n)
		memcpy(shown, common.path, common.n * sizeof *shown);
	style = sarif ? STYLE_SARIF : json ? STYLE_JSON : csv ? STYLE_CSV : STYLE_TEXT;
	open_findings(&to, style, common.write.path);
	f.trouble = !keep_inputs();
	judge_all(&f, shown);
	sort_findings(&f);
	if (baseline)
		drop_known(&f, baseline);
	f.n = f.n < most ? f.n : (size_t)most;
	for (size_t i = 0; i < f.n; i++)
		if (f.v[i].rule->severity >= severity)
			status = ST_NONE;
	put_findings(&f, style, &to);
	return findings_end(&to, f.trouble ? ST_TROUBLE : status);
}
