/* check_laplace.h - the rules of Laplace, by file: check_laplace.c holds those about references, laplace_kernel.c those
 * about kernel events. */
#ifndef SPOOR_CHECK_LAPLACE_H
#define SPOOR_CHECK_LAPLACE_H

#include "trace-check/check_state.h"
#include "trace-check/rules_laplace.h"

enum {
	LAPLACE_RULES(RULE_NAME)
};

struct laplace_kernel;

/* Starts the checks of kernel events. kernel_free frees the result. */
struct laplace_kernel *kernel_new(void);
/* Takes an event. Returns false if it is no kernel event. */
bool kernel_take(struct check_run *c, struct laplace_kernel *k, struct source *s,
		 const struct batch *b, uint32_t i);
void kernel_free(struct laplace_kernel *k);

#endif
