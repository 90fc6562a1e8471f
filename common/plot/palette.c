/* palette.c - the colours of pictures: see palette.h. */
#include "plot/palette.h"

const uint32_t colour_light[COLOURS + 1] = {0x0072b2, 0xe69f00, 0x009e73,
					    0xd55e00, 0xcc79a7, 0x56b4e9,
					    0xb8a900, 0x8c6d31, 0x9a9a9a};
const uint32_t colour_dark[COLOURS + 1] = {0x3b9cdb, 0xe69f00, 0x009e73, 0xd55e00, 0xcc79a7,
					   0x9ad1f5, 0xb8a900, 0x8c6d31, 0x9a9a9a};
const uint32_t step_light[STEPS] = {
    0x440154, 0x481a6c, 0x472f7d, 0x414487, 0x39568c, 0x31688e, 0x2a788e, 0x23888e,
    0x1f988b, 0x22a884, 0x35b779, 0x54c568, 0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725};
/* The darkest would not be seen. */
const uint32_t step_dark[STEPS] = {
    0x6a4c93, 0x66559c, 0x5d62a3, 0x526ea6, 0x39568c, 0x31688e, 0x2a788e, 0x23888e,
    0x1f988b, 0x22a884, 0x35b779, 0x54c568, 0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725};

unsigned
colour_256(uint32_t rgb)
{
	unsigned at = 16;

	for (int shift = 16; shift >= 0; shift -= 8) {
		unsigned v = rgb >> shift & 255, level = v < 48	   ? 0
							 : v < 115 ? 1
								   : (v - 35) / 40;

		at += level * (shift == 16 ? 36 : shift == 8 ? 6 : 1);
	}
	return at;
}
