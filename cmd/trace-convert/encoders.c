/* encoders.c - the table of encoders. */
#include "trace-convert/encode.h"

extern const struct encoder dumpi_encoder, charisma_encoder, spc_encoder, ovni_encoder,
    laplace_text_encoder, laplace_encoder;

const struct encoder *const encoders[] = {
    &dumpi_encoder,	   &charisma_encoder, &spc_encoder, &ovni_encoder,
    &laplace_text_encoder, &laplace_encoder,  NULL,
};
