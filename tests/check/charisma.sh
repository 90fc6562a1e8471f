# shellcheck shell=bash
# The rules of CHARISMA: `rule ID BAD GOOD`. A line of a word is an event, as in a text stream with blanks, its time in
# microseconds; or a change of the bytes: `@OFFSET HEX`, `@cut BYTES`, `@again` for a second header record.
load='1 app:5 app-load - - - name=a path=/p clients=1'
opens='2 1 open - - - by=client name=f path=/d file_id=77 file_desc=3 file_size=0 creation_date=1 open_flags='
open=${opens}RW
rw='by=client file_desc=3 operation_type='
close='90 1 close - - - by=client file_desc=3 file_size='
exit='99 app:5 app-exit - - -'
async=ASYNCHRONOUS,CLIENTREQUEST
good="$load\n$open\n3 1 write 0 100 0.000001 ${rw}WRITE,CLIENTREQUEST\n${close}100\n$exit"
rule charisma-magic "$good\n@0 45672301" "$good" '-f charisma'
rule charisma-version "$good\n@4 02" "$good"
rule charisma-header "$good\n@8 0100" "$good"
rule charisma-header-again "$good\n@again" "$good"
rule charisma-type "$load\n$open\n@155 4d00" "$good"
rule charisma-torn "$good\n@cut 3" "$good"
rule charisma-systype "$good\n@42 c8" "$good"
rule charisma-unit "$good\n@147 0000000000000000" "$good"
rule charisma-date "$good\n@18 3f420f0000000000" "$good"
rule charisma-config "$good\n@127 fcffffff" "$good"
rule charisma-time-start "$good\n@26 e803000000000000" "$good"
rule charisma-time-node "$load\n$open\n50 1 fcntl - - - file_desc=3\n20 1 fcntl - - - file_desc=3\n${close}0\n$exit" "$good"
rule charisma-rw-times "$load\n$open\n9 1 write 0 1 -0.000005 ${rw}WRITE,CLIENTREQUEST\n${close}1\n$exit" "$good"
rule charisma-time-far "$load\n$open\n9000000000000 1 fcntl - - - file_desc=3\n" "$good"
rule charisma-app-load "$load\n$open\n${close}0\n98 app:9 app-exit - - -\n$exit" "$good"
rule charisma-app-unique "$load\n$load\n$exit" "$good"
rule charisma-app-exit "$load" "$good"
rule charisma-exit-quiet "$load\n$exit\n$open" "$good"
rule charisma-clients "1 app:5 app-load - - - name=a path=/p clients=1,2,1\n$exit" '1 app:5 app-load - - - name=a path=/p clients=1,2,3'
rule charisma-client-unique "$load\n1 app:6 app-load - - - name=b path=/p clients=1" "$load\n$exit\n99 app:6 app-load - - - name=b path=/p clients=1"
rule charisma-client-known "$load\n$exit\n2 9 open - - - by=client name=f file_id=7 file_desc=3 open_flags=READ" "$load\n3 9 join - - - appl_id=5\n4 9 open - - - by=client name=f file_id=7 file_desc=3 open_flags=READ\n$exit"
rule charisma-join "$load\n3 2 join - - - appl_id=5\n4 2 join - - - appl_id=5\n$exit" "$load\n3 2 join - - - appl_id=5\n4 2 leave - - - appl_id=5\n5 2 join - - - appl_id=5\n$exit"
rule charisma-strings '1 app:5 app-load - - - name=a\\x01b path=/p clients=1' '1 app:5 app-load - - - name=a.b path=/p clients=1'
rule charisma-fd-open "$load\n${close}0\n$exit" "$load\n3 2 join - - - appl_id=5\n$open\n4 2 read 0 0 0.000001 ${rw}CLIENTREQUEST\n$exit"
rule charisma-fd-twice "$load\n$open\n$open\n$exit" "$load\n$open\n${close}0\n91 1 open - - - by=client name=f path=/d file_id=77 file_desc=3 file_size=0 creation_date=1 open_flags=RW\n$exit"
rule charisma-fd-close "$load\n$open\n${close}0\n${close}0\n$exit" "$good"
rule charisma-fd-left "$load\n$open\n$exit" "$good"
rule charisma-open-mode "$load\n${opens}READ,WRITE\n${close}0\n$exit" "$load\n${opens}READ,CREATE\n${close}0\n$exit"
rule charisma-open-trunc "$load\n${opens}READ,TRUNC\n${close}0\n$exit" "$load\n${opens}RW,TRUNC\n${close}0\n$exit"
rule charisma-mode-read "$load\n${opens}READ\n3 1 write 0 10 0.000001 ${rw}WRITE,CLIENTREQUEST\n$exit" "$load\n${opens}WRITE\n3 1 write 0 10 0.000001 ${rw}WRITE,CLIENTREQUEST\n$exit"
rule charisma-size "$load\n$open\n3 1 write 0 100 0.000001 ${rw}WRITE,CLIENTREQUEST\n${close}50\n$exit" "$good"
rule charisma-read-end "$load\n$open\n3 1 read 0 100 0.000001 ${rw}CLIENTREQUEST\n${close}0\n$exit" "$load\n$open\n3 1 write 0 100 0.000001 ${rw}WRITE,CLIENTREQUEST\n4 1 read 0 100 0.000001 ${rw}CLIENTREQUEST\n$exit"
rule charisma-file-name "$load\n$open\n3 1 open - - - by=client name=g path=/d file_id=77 file_desc=4 file_size=0 creation_date=1 open_flags=READ\n$exit" "$load\n$open\n3 1 open - - - by=client name=f path=/d file_id=77 file_desc=4 file_size=0 creation_date=1 open_flags=READ\n$exit"
rule charisma-op-bits "$load\n$open\n3 1 write 0 1 0.000001 ${rw}WRITE,CLIENTREQUEST,0xf8\n$exit" "$good"
rule charisma-rw-one "$load\n$open\n3 1 read 0 1 0.000001 ${rw}CLIENTREQUEST request=1/2\n3 1 read 9 1 0.000001 ${rw}CLIENTREQUEST request=2/2\n$exit" "$good"
rule charisma-rw-none "$load\n2 app:5 open - - - by=app name=f file_id=77 file_desc=64 open_flags=READ\n3 app:5 read - - 0.000001 by=app file_desc=64 operation_type=0 appl_id=5 request=0/0\n$exit" "$good"
rule charisma-rw-app "$load\n$open\n3 1 read 0 0 0.000001 by=app file_desc=3 operation_type=0 appl_id=6\n$exit" "$load\n2 app:5 open - - - by=app name=f file_id=77 file_desc=64 open_flags=READ\n3 1 read 0 0 0.000001 by=app file_desc=64 operation_type=0 appl_id=5\n$exit"
rule charisma-async-end "$load\n9 1 async-end - - - by=client call_time=0.000008 async_id=7 appl_id=5\n$exit" "$load\n$open\n3 1 read 0 0 - $rw$async async_id=7\n9 1 async-end - - - by=client call_time=0.000008 async_id=7\n$exit"
rule charisma-async-left "$load\n$open\n3 1 read 0 0 - $rw$async async_id=7\n$exit" "$good"
rule charisma-async-again "$load\n$open\n3 1 read 0 0 - $rw$async async_id=7\n4 1 read 0 0 - $rw$async async_id=7\n$exit" "$load\n$open\n3 1 read 0 0 - $rw$async async_id=7\n9 1 async-end - - - by=client call_time=0.000008 async_id=7\n10 1 read 0 0 - $rw$async async_id=7\n$exit"
rule charisma-async-time "$load\n$open\n9 1 read 0 0 - $rw$async async_id=7\n4 1 async-end - - - by=client call_time=0.000003 async_id=7\n$exit" "$good"
rule charisma-async-sync "$load\n$open\n3 1 read 0 0 0.000001 ${rw}CLIENTREQUEST async_id=7\n$exit" "$good"
rule charisma-close-async "$load\n$open\n3 1 read 0 0 - $rw$async async_id=7\n${close}0\n95 1 async-end - - - by=client call_time=0.000008 async_id=7\n$exit" "$good"
rule charisma-offset "$load\n$open\n3 1 write 9223372036854775807 9 0.000001 ${rw}WRITE,CLIENTREQUEST\n$exit" "$load\n$open\n3 1 write 9223372036854775800 7 0.000001 ${rw}WRITE,CLIENTREQUEST\n$exit"
rule charisma-trunc "$load\n3 1 truncate - - - file_id=77 original_size=5 new_size=9\n$exit" "$load\n3 1 truncate - - - file_id=77 original_size=9 new_size=5\n4 1 extend - - - file_id=77 original_size=5 new_size=9\n$exit"
rule charisma-trunc-orig "$load\n$open\n3 1 truncate - - - file_id=77 original_size=50 new_size=9\n$exit" "$load\n3 1 truncate - - - file_id=77 original_size=9 new_size=5\n4 1 extend - - - file_id=77 original_size=5 new_size=9\n$exit"
rule charisma-link "$load\n3 1 unlink - - - file_id=77 new_link_count=0\n4 1 open - - - by=client name=f path=/d file_id=77 file_desc=3 open_flags=READ\n$exit" "$load\n3 1 link - - - file_id=77 new_link_count=2\n4 1 unlink - - - file_id=77 new_link_count=1\n$exit"
rule charisma-layout "$load\n@155 4d00" "$good"
