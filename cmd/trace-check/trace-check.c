/* trace-check - tell where a trace breaks the rules of its format */
#include "base/die.h"
#include "cli/opt.h"
#include "trace-check/check.h"

static struct check_run check;
static bool json, sarif, list, explain;
static const char *known;

static const char *
rule_on(void *c, const char *rules)
{
	return check_select(c, rules, true);
}

static const char *
rule_off(void *c, const char *rules)
{
	return check_select(c, rules, false);
}

static const char *
rule_name(size_t i)
{
	struct finding_rule r;

	return rule_words(i, &r) ? r.id : NULL;
}

static const struct opt opts[] = {
    {'W', "warn", "RULES", "check these rules, too; RULE=LEVEL changes a level",
     .take = rule_on, .to = &check, .word = rule_name},
    {'I', "ignore", "RULES", "not the rules whose names match", .take = rule_off,
     .to = &check, .word = rule_name},
    {0, "severity", "LEVEL", "the level from which findings count (warning)",
     .take = level_named, .to = &check.severity, .word = level_name},
    {0, "max", "N", "at most N findings of each rule; 0: all (10)", .number = &check.most,
     .most = UINT64_MAX},
    {0, "part", NULL, "the input is a part of a trace", .flag = &check.part},
    {0, "capacity", "ASU=SIZE", "SPC: the bytes of this ASU", .take = check_take_capacity,
     .to = &check},
    {0, "baseline", "FILE", "not the findings that FILE, an earlier output, has",
     .text = &known},
    {'q', "quiet", NULL, "print nothing; the status tells whether one matched", "J sarif o",
     .flag = &check.quiet},
    {'J', "json", NULL, "the output as JSON", "sarif", .flag = &json},
    {0, "sarif", NULL, "the findings as SARIF 2.1.0", .flag = &sarif},
    {0, "list", NULL, "print what can be chosen, read nothing", "explain", .flag = &list},
    {0, "explain", NULL, "print what a rule is, read nothing", .flag = &explain},
    {0},
};

static const struct program program = {
    .about = "tell where a trace breaks the rules of its format",
    .operands = "[FILE...]",
    .examples = {"trace-check --sarif Financial1.spc",
		 "trace-check --explain 'spc-time-*'"},
    .opts = opts,
    .reads = true,
    .fields_not = true,
};

int
main(int argc, char **argv)
{
	check_begin(&check);
	opt_read(&program, argc, argv);
	if (list || explain) {
		struct out o;

		if (!out_open(&o, common.write.path))
			die("%s:", common.write.path);
		return out_close(&o,
				 rules_list(&o, common.path, explain) ? ST_OK : ST_TROUBLE);
	}
	check.part |= common.read.chunks > 0;
	if (known)
		baseline_read(&check.known, known);
	findings_begin(&check.out,
		       sarif  ? FINDINGS_SARIF
		       : json ? FINDINGS_JSON
			      : FINDINGS_TEXT,
		       common.write.path, rule_words);
	return findings_end(&check.out,
			    check_read(&check, &common.read, common.path, common.n));
}
