/* sniffers.c - the table of sniffers. */
#include "cli/cli_formats.h"
#include "input/sniff.h"

#define DECLARED_SNIFFER(name) extern const struct sniffer sniff_##name;
SNIFFED(DECLARED_SNIFFER)

#define ROW(name) &sniff_##name,
const struct sniffer *const sniffers[] = {SNIFFED(ROW) NULL};
