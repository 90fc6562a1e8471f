# spoor - for GNU make and bmake. cmd/NAME.c or cmd/NAME/NAME.c is a program. libspoor.a has common/, the decoders;
# libcmd.a has cmd/lib/, what several filters use, and the other files of cmd/NAME/.
VERSION = 0.1
PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
MANDIR = $(PREFIX)/share/man
DOCDIR = $(PREFIX)/share/doc/spoor
BASHDIR = $(PREFIX)/share/bash-completion/completions
ZSHDIR = $(PREFIX)/share/zsh/site-functions
STRIP = -s

CC = cc
AR = ar
CFLAGS = -O2 -g
WARN = -Wall -Wextra -pedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes

B = build
BIN = bin

# What each decoder reads: names of FORMATS in common/cli/cli_formats.h. It links no other reader. A program
# without a line reads all formats.
READS_charisma-dump = charisma
READS_dumpi2txt = dumpi
READS_laplace-bin2txt = laplace laplace_text
READS_laplace-merge = laplace laplace_text
READS_ovni-dump = ovni
READS_spc-cat = spc
# These read no trace themselves.
READS_trace-diff = none
READS_trace-report = none
READS_trace-advise = none

# Rules for every source, written anew each time: neither make has a glob that the other understands.
# The compiler's notes on headers (.d) are taken in at the end of the same file.
RULES != CC='$(CC)' B='$(B)' BIN='$(BIN)' sh tests/make/rules.sh > /dev/null && echo $(B)/rules.mk || \
	{ echo 'make: tests/make/rules.sh, which writes the rules, is missing or failed' >&2; echo what-rules.sh-writes; }

# A line for each file; with V=1 whole commands, with -s nothing. Of the two ways to ask for -s the
# first is GNU make's; to the other make each is a variable that it does not have.
SILENT = $(findstring s,$(firstword -$(MAKEFLAGS)))$(.MAKEFLAGS:M-s)
SAY = @[ "$(V)$(SILENT)" ] || echo
# For make demo a line for each program is enough.
DEMO = $(filter demo,$(MAKECMDGOALS))$(.TARGETS:Mdemo)
SAY_CC = @[ "$(V)$(SILENT)$(DEMO)" ] || echo
Q_ = @
Q = $(Q_$(V))

# GNU make runs a line with $(MAKE) in it also where it should only print, ask or touch: these are then
# arguments of true.
FLAGS = $(firstword -$(MAKEFLAGS))
DRY = $(if $(findstring n,$(FLAGS))$(findstring q,$(FLAGS))$(findstring t,$(FLAGS)),true)

LIBS = $(B)/libcmd.a $(B)/libspoor.a

all: programs

include $(RULES)

# On all processors, if the user gave no -j and this is the first make. (bmake takes no notice.)
MAKEFLAGS += $(if $(filter 0,$(MAKELEVEL)),$(JOBS))

# `make -j clean all` is first one, then the other. (GNU make takes the condition, bmake the order.)
.PHONY $(if $(filter clean,$(MAKECMDGOALS)),.NOTPARALLEL):
.ORDER: clean all

ALL_CFLAGS = -std=c11 -D_XOPEN_SOURCE=700 -D_FILE_OFFSET_BITS=64 -DSPOOR_VERSION='"$(VERSION)"' -Icommon -Icmd/lib -Icmd -pthread \
	$(WARN) $(KNOWN) $(CPPFLAGS) $(CFLAGS)

programs: $(PROGRAMS)

$(B)/libspoor.a: $(LIB_OBJECTS)
	$(SAY) AR $@
	@rm -f $@
	$(Q)$(AR) rcD $@ $(LIB_OBJECTS)
	@ranlib -D $@ 2>/dev/null || ranlib $@

$(B)/libcmd.a: $(CMD_OBJECTS)
	$(SAY) AR $@
	@mkdir -p $(B)
	@rm -f $@
	$(Q)$(AR) rcD $@ $(CMD_OBJECTS)
	@ranlib -D $@ 2>/dev/null || ranlib $@

harnesses: $(HARNESSES)

check: all
	@$(DRY) MAKE='$(MAKE)' CC='$(CC)' sh tests/make/check.sh

quick: all
	@$(DRY) MAKE='$(MAKE)' CC='$(CC)' sh tests/make/quick.sh

check-full: all
	@$(DRY) MAKE='$(MAKE)' sh tests/make/full.sh $(PARTS)

fuzz: all
	@$(DRY) MAKE='$(MAKE)' sh tests/fuzz/run.sh $(SECONDS)

bench: all
	@CC='$(CC)' sh tests/bench/run.sh $(EVENTS)

demo: all
	@sh tests/make/demo.sh

#: make                builds the programs in bin/
#: make demo           builds, runs the examples of README.md and compares what they print
#: make install        programs, pages and completions, under PREFIX (/usr/local); DESTDIR is put in front
#: make uninstall      removes them
#: make check          runs every test, and installs what is missing where it may
#: make quick          runs the tests of what was changed, in seconds
#: make check-full     runs all tests at full length, in hours
#: make lint           checks the sources, the scripts and the pages
#: make fuzz           looks for new failures of the readers
#: make bench          measures the speeds that README.md promises
#: make dist, make deb a tar file of the sources, a Debian package
#: make clean          removes build/ and bin/
help:
	@sed -n 's/^#: //p' Makefile

lint: all
	@$(DRY) B='$(B)' sh tests/make/lint.sh

install: all
	mkdir -p $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(MANDIR)/man5 \
		$(DESTDIR)$(MANDIR)/man7
	for p in $(PROGRAMS); do install $(STRIP) -m 755 $$p $(DESTDIR)$(BINDIR) || exit 1; done
	for s in 1 5 7; do for m in man/*.$$s; do \
		[ ! -f "$$m" ] || install -m 644 $$m $(DESTDIR)$(MANDIR)/man$$s || exit 1; \
	done; done
	mkdir -p $(DESTDIR)$(BASHDIR) $(DESTDIR)$(ZSHDIR)
	for p in $(PROGRAMS); do \
		sh tests/make/completion.sh bash $$p > $(DESTDIR)$(BASHDIR)/$${p##*/} && \
		sh tests/make/completion.sh zsh $$p > $(DESTDIR)$(ZSHDIR)/_$${p##*/} || exit 1; \
	done
	mkdir -p $(DESTDIR)$(DOCDIR)
	install -m 644 README.md CHANGELOG.md $(DESTDIR)$(DOCDIR)
	sh tests/make/examples.sh $(DESTDIR)$(DOCDIR)/examples
	sh tests/make/display.sh MAKEFILE man/spoor-make.7 > $(DESTDIR)$(DOCDIR)/examples/Makefile

uninstall:
	for p in $(PROGRAMS); do rm -f $(DESTDIR)$(BINDIR)/$${p##*/} \
		$(DESTDIR)$(BASHDIR)/$${p##*/} $(DESTDIR)$(ZSHDIR)/_$${p##*/}; done
	for m in man/*.[157]; do rm -f $(DESTDIR)$(MANDIR)/man$${m##*.}/$${m##*/}; done
	rm -rf $(DESTDIR)$(DOCDIR)
	for d in $(BINDIR) $(MANDIR)/man1 $(MANDIR)/man5 $(MANDIR)/man7 $(MANDIR) $(BASHDIR) \
		$$(dirname $(BASHDIR)) $(ZSHDIR) $$(dirname $(ZSHDIR)) $$(dirname $(DOCDIR)) $(PREFIX)/share $(PREFIX); do \
		rmdir $(DESTDIR)$$d 2> /dev/null; done; :

dist:
	@sh tests/make/dist.sh $(VERSION)

deb:
	@$(DRY) MAKE='$(MAKE)' sh tests/make/deb.sh $(VERSION)

clean:
	rm -rf $(B) $(BIN)

.PHONY: all programs harnesses check quick check-full fuzz bench demo help lint install uninstall dist deb clean
