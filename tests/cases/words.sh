# words.sh - what programs say of a name, a number or a word that is not what was meant.
try 'a field that is none lists those that there are' "trace-filter 'lba > 5' Financial1.spc" '' \
	'no event had a field lba; there were time, loc, event, addr, size, dur, end, asu$' 2
try 'an event that is none, in another case' 'trace-filter -t w Financial1.spc' '' '^trace-filter: no event is called w; there is W$' 1
