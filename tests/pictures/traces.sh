#!/bin/sh
# traces.sh - writes the made traces of the README's pictures: bursts.spc, disk.csv.
awk 'BEGIN { for (t = 0; t < 120; t++) { n = t % 20 == 8 || t % 20 == 9 ? 400 : 20
	for (i = 0; i < n; i++) printf "0,%d,4096,r,%.6f\n", i, t + i / n } }' > bursts.spc
awk 'BEGIN { print "time,loc,event,dur"; x = 1
	for (i = 0; i < 240; i++) { x = x * 16807 % 2147483647; slow = x % 10 == 0; x = x * 16807 % 2147483647
		printf "%.3f,sda,read,%.9f\n", i / 20, (slow ? 0.01 : 0.0001) * (0.8 + 0.4 * x / 2147483647) } }' > disk.csv
