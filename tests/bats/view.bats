#!/usr/bin/env bats
# view.bats - a name means the same to -F, to group keys and to filters, in every form of the same events.

load ../helpers

agree() { # FIELDS FILE...: at least so many
	local least=$1
	shift
	status_is 0 sh "$ROOT/tests/view.sh" "$@"
	echo "$output"
	[ "${output%% fields*}" -ge "$least" ]
}

@test "SPC and Laplace: every field is the same to all programs" {
	agree 40 "$FIX/spc/Financial1-head.spc" "$FIX/laplace/merged-head.ref" "$FIX/laplace/seed.kern"
}

@test "ovni: every field is the same to all programs, metadata of places too" {
	agree 60 "$FIX/ovni/all.obs" "$FIX/runs/tasks"
}

@test "DUMPI: every field is the same to all programs, names of values and arrays too" {
	agree 90 "$FIX/dumpi/small-0002.bin"
}

@test "CHARISMA: every field is the same to all programs" {
	agree 40 "$FIX/charisma/cm5.chr"
}
