/* flip FILE FROM TO STEP - FILE with one byte, at each of these places, set to 0, 1 and 255, as FILE.N.0 and so on. */
#include <stdio.h>
#include <stdlib.h>

int
main(int argc, char **argv)
{
	static unsigned char b[1 << 16], to[] = {0, 1, 255};
	FILE *f = fopen(argv[1], "rb");
	size_t n = argc == 5 && f ? fread(b, 1, sizeof b, f) : 0;

	for (size_t i = strtoul(argv[2], 0, 10); i < n && i <= strtoul(argv[3], 0, 10);
	     i += strtoul(argv[4], 0, 10))
		for (int k = 0; k < 3; k++) {
			char name[256];
			unsigned char was = b[i];

			sprintf(name, "%s.%zu.%d", argv[1], i, to[k]);
			if (was == to[k] || !(f = fopen(name, "wb")))
				continue;
			b[i] = to[k];
			if (fwrite(b, 1, n, f) != n || fclose(f))
				return 1;
			b[i] = was;
		}
	return !n;
}
