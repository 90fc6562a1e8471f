# shellcheck shell=sh disable=SC2086
# convert_dumpi.sh - a part of tests/net.sh: traces of DUMPI, as trace-convert writes them.

# dumpi_again WAY FILE...: the directory that becomes of a trace: names and sums of its files.
dumpi_again() {
	rm -rf tmp.dumpi
	case $1 in
	text) shift; dumpi2txt -H "$@" | trace-convert -T dumpi -o tmp.dumpi ;;
	bare) shift; dumpi2txt "$@" | trace-convert -T dumpi -o tmp.dumpi ;;
	sends) shift; trace-convert -T dumpi -e 'event ~ "send"' -o tmp.dumpi "$@" ;;
	*) shift; trace-convert -T dumpi -o tmp.dumpi "$@" ;;
	esac
	[ ! -d tmp.dumpi ] || (cd tmp.dumpi && find . -type f | sort | xargs cksum)
	rm -rf tmp.dumpi
}

inputs_convert_dumpi() {
	printf '0.5\t0\tMPI_Init\t-\t-\t0.25\n1\t2/1\tMPI_Send\t-\t4096\t0.5\tpeer=1\n2\t1\tMPI_Waitall\t7\t-\t-\trequests=1,MPI_REQUEST_NULL\tstatuses.bytes=8,9\n' > dc-hand.txt
	printf '1\t1\tMPI_None\t-\t-\t0\n' | cat dc-hand.txt - > dc-wrong.txt
}

commands_convert_dumpi() {
	for way in text bare once sends; do
		p "each '*-0001.bin' dumpi_again $way"
		p "each 'rs*-0010.bin' dumpi_again $way"
		p "each 'rd*.bin' dumpi_again $way"
		p "dumpi_again $way rb*.bin"
	done
	p "dumpi_again once dc-hand.txt; dumpi_again once dc-wrong.txt; dumpi_again once dc-hand.txt calls-0001.bin"
}
