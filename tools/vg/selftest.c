/* vg selftest */
#include "tool.h"
#include <stdio.h>
#include <stdlib.h>

static const char help[] = "usage: vg selftest\n"
                           "Known answers of FIPS 197 and SP 800-38D, both directions, on every variant of this build\n"
                           "that this CPU runs, and a forged tag that must be refused. Needs no files.\n"
                           "Exit status: 0, or 1 with one line that says why.\n";

static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};

int run_selftest(int argc, char **argv)
{
    while (next_option(argc, argv, ":h", options) >= 0)
        show_help(help);
    no_more_arguments(argc, argv);
#if VG_SELF_TEST
    struct vg_variant_info variant;
    check(vg_self_test());
    printf("self-test passed on");
    for (size_t i = 0; vg_variants(i, &variant); i++)
        if (!variant.missing)
            printf(" %s", variant.name);
    putchar('\n');
    finish_stdout();
    return EXIT_SUCCESS;
#else
    fail(EXIT_USAGE, "this build leaves the self-test out; configure it with VG_SELF_TEST=y");
#endif
}
