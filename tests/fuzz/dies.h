/*
 * dies.h - what ends the program on bad input, such as a bad expression, as a call that
 * returns: exit() is ours here. Memory that was asked for on the way is given back where
 * the sanitizer tells of it; without one it is lost, which does no harm to a replay.
 */
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "base/die.h"

#define DIES_SLOTS (1u << 18)

static jmp_buf dies_back;
/* In the thread at hand: the fuzzer has another one, whose memory is its own. */
static _Thread_local bool dies_armed;
/* What is allocated, by hash, and which slots were ever taken. */
static const volatile void *dies_held[DIES_SLOTS];
static uint32_t dies_taken[DIES_SLOTS / 2], dies_used;

static uint32_t
dies_slot(const volatile void *p)
{
	return (uint32_t)((uintptr_t)p * 0x9E3779B97F4A7C15u >> 40) & (DIES_SLOTS - 1);
}

static void
dies_got(const volatile void *p, size_t n)
{
	uint32_t i = dies_slot(p);

	(void)n;
	if (!dies_armed || !p || dies_used == DIES_SLOTS / 2)
		return;
	while (dies_held[i])
		i = (i + 1) & (DIES_SLOTS - 1);
	dies_held[i] = p;
	dies_taken[dies_used++] = i;
}

static void
dies_freed(const volatile void *p)
{
	uint32_t i = dies_slot(p);

	for (; dies_armed && dies_held[i]; i = (i + 1) & (DIES_SLOTS - 1))
		if (dies_held[i] == p) {
			dies_held[i] =
			    dies_held; /* no block: what follows is still found */
			return;
		}
}

/* Ours, wherever the library calls it. */
_Noreturn void
exit(int status)
{
	if (dies_armed)
		longjmp(dies_back, 1);
	if (status == ST_TROUBLE)
		abort(); /* no input may end the program here */
	fflush(NULL);
	_Exit(status);
}

#if GNU_C
int __sanitizer_install_malloc_and_free_hooks(void (*got)(const volatile void *, size_t),
					      void (*freed)(const volatile void *))
    __attribute__((weak));
#endif

/* Asks to be told of allocations, where there is a sanitizer to ask. */
static void
dies_hook(void)
{
#if GNU_C
	if (__sanitizer_install_malloc_and_free_hooks) {
		__sanitizer_install_malloc_and_free_hooks(dies_got, dies_freed);
		return;
	}
#endif
	(void)dies_got;
	(void)dies_freed;
}

/* Calls run(arg). False where that ended the program; what it had allocated is freed. */
static bool
survives(void (*run)(void *arg), void *arg)
{
	static bool hooked;
	bool survived = false;

	if (!hooked)
		dies_hook();
	hooked = true;
	dies_armed = true;
	if (!setjmp(dies_back)) {
		run(arg);
		survived = true;
	}
	dies_armed = false;
	for (uint32_t i = 0; i < dies_used; i++) {
		const volatile void **p = &dies_held[dies_taken[i]];

		if (!survived && *p != dies_held)
			free((void *)(uintptr_t)*p);
		*p = NULL;
	}
	dies_used = 0;
	return survived;
}
