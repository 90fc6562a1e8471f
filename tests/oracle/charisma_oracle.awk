# Turns charisma-dump -H output back into the records' own fields, one line an event:
# TYPE_NAME, record_type=N, field=value..., in the order of the header file's structs.
# -v no_client=N is the value of the field where there is no client; that of appl_id where there is no
# application is -1. Times become time stamps again, columns fields, names of values numbers.
BEGIN {
	FS = OFS = "\t"
	for (i = 0; i < 256; i++)
		ord[sprintf("%c", i)] = i
	n = split("IPSC PARAGON CM5 MASPAR HECTOR NCUBE SP2 CRAY_T3D", name, " ")
	for (i = 1; i <= n; i++)
		system_type[name[i]] = i
	n = split("READ RW WRITE CREATE TRUNC APPEND", name, " ")
	for (i = 1; i <= n; i++)
		open_flag[name[i]] = 2 ^ (i - 1)
	n = split("ASYNCHRONOUS WRITE CLIENTREQUEST", name, " ")
	for (i = 1; i <= n; i++)
		operation[name[i]] = 2 ^ (i - 1)
}
function hex(s,   i, v) {
	for (i = 3; i <= length(s); i++)
		v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
	return v
}
function flags(s, table,   i, n, part, v) {
	n = split(s, part, ",")
	for (i = 1; i <= n; i++)
		v += part[i] in table ? table[part[i]] : part[i] ~ /^0x/ ? hex(part[i]) : part[i]
	return v + 0
}
function text(s,   i, c, out) {
	if (s == "\"\"") return ""
	if (s == "\\x2d") return "-"
	if (s == "\\x22\"") return "\"\""
	if (s !~ /[\200-\377]/) return s
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		out = out (ord[c] >= 127 ? sprintf("\\x%02x", ord[c]) : c)
	}
	return out
}
# Seconds with nine decimals, as ticks.
function ticks(s,   sign, part) {
	sign = s ~ /^-/ ? -1 : 1
	sub(/^-/, "", s)
	split(s, part, ".")
	return sign * (part[1] * (1000000000 / ns) + part[2] / ns)
}
function stamp(s) { return sprintf("%.0f", zero + ticks(s)) }
function field(name, value) { out = out OFS name "=" value }
# A field that stands in the arguments under its own name, where the layout has it.
function arg(name) { if (name in v) field(name, v[name]) }
function time(name) { field(name, name in v ? v[name] : stamp($1)) }
function app() { field("appl_id", "appl_id" in v ? v["appl_id"] : $2 ~ /^app:/ ? substr($2, 5) : -1) }
function client() { field("client_id", $2 == "-" || $2 ~ /^app/ ? no_client : $2) }
function record(n, name) {
	type = n
	out = "TRACE_" name "_RECORD" OFS "record_type=" n
}
/^##meta\tlayout=/ { short = /=ipsc860/; next }
/^##meta\ttimestamp=/ { sub(/.*=/, ""); zero = $0; next }
/^##meta\ttimestamp_unit=/ { sub(/.*=/, ""); unit = $0; ns = sprintf("%.0f", unit * 1e9); next }
/^#/ { next }
{
	split("", v)
	for (i = 7; i <= NF; i++)
		v[substr($i, 1, index($i, "=") - 1)] = substr($i, index($i, "=") + 1)
}
$3 == "header" {
	record(0, "HEADER")
	for (i = 7; i <= NF; i++) {
		name_is = substr($i, 1, index($i, "=") - 1)
		value = v[name_is]
		if (name_is == "system_type" && value in system_type) value = system_type[value]
		if (name_is == "release_data") value = text(value)
		field(name_is, value)
	}
}
$3 == "app-load" {
	record(1, "APP_LOAD"); time("timestamp")
	field("name", text(v["name"])); field("path", text(v["path"]))
	arg("user_id"); arg("initial_load_size"); app()
	n = split(v["clients"], part, ","); field("num_clients", n); arg("clients")
}
$3 == "app-exit" { record(2, "APP_EXIT"); time("timestamp"); app() }
$3 == "join" { record(3, "CLIENT_JOIN"); time("timestamp"); app(); client() }
$3 == "leave" { record(4, "APP_CLIENT_LEAVE"); time("timestamp"); app(); client() }
$3 == "open" {
	if (v["by"] == "app") { record(5, "APP_OPEN"); time("timestamp"); app() }
	else { record(6, "CLIENT_OPEN"); time("timestamp"); client() }
	field("name", text(v["name"])); field("path", text(v["path"]))
	arg("file_id"); arg("file_desc"); arg("file_size"); arg("creation_date")
	field("open_flags", flags(v["open_flags"], open_flag))
}
$3 == "close" {
	if (v["by"] == "app") { record(7, "APP_CLOSE"); time("timestamp"); app() }
	else { record(8, "CLIENT_CLOSE"); time("timestamp"); client() }
	arg("file_desc"); arg("file_size")
}
$3 == "read" || $3 == "write" {
	op = flags(v["operation_type"], operation)
	record(9, "RW"); time("starttime")
	if ("endtime" in v) field("endtime", v["endtime"])
	else if (op % 2) field("endtime", 0)
	else field("endtime", sprintf("%.0f", zero + ticks($1) + ticks($6)))
	arg("file_desc"); field("operation_type", op); arg("async_id")
	# On the iPSC/860 the record has neither.
	n = "request" in v ? substr(v["request"], index(v["request"], "/") + 1) : 1
	if (!short) { app(); field("num_clients", n) }
	arg("request")
	if (n > 0) {
		field("offset", $4); arg("memory_offset"); field("IO_size", $5)
		client()
	}
}
$3 == "extend" || $3 == "truncate" {
	if ($3 == "extend") record(10, "EXTEND"); else record(11, "TRUNCATE")
	time("timestamp"); client(); arg("file_id")
	arg("original_size"); arg("new_size")
}
$3 == "link" || $3 == "unlink" {
	if ($3 == "link") record(12, "LINK"); else record(13, "UNLINK")
	time("timestamp"); client(); arg("file_id")
	arg("new_link_count")
}
$3 == "async-end" {
	record(14, "ASYNCH_END")
	if ("end_time" in v) { arg("call_time"); arg("end_time") }
	else { field("call_time", stamp(v["call_time"])); field("end_time", stamp($1)) }
	arg("async_id"); client(); app()
}
$3 == "fcntl" {
	record(15, "FCNTL"); time("timestamp"); client()
	arg("file_desc"); arg("request"); arg("arg")
}
{ print out }
