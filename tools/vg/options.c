/* Options, and what is wrong with them. */
#include "tool.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *long_name(const struct option *options, int value)
{
    while (options->name && options->val != value)
        options++;
    return options->name;
}

int next_option(int argc, char **argv, const char *letters, const struct option *options)
{
    opterr = 0;
    int option = getopt_long(argc, argv, letters, options, NULL);
    if (option != '?' && option != ':')
        return option;
    const char *name = optopt ? long_name(options, optopt) : NULL;
    if (name)
        fail(EXIT_USAGE, "--%s %s; see vg %s --help", name, option == ':' ? "wants a value" : "takes no value",
             command_name);
    if (optopt)
        fail(EXIT_USAGE, "there is no option -%c; see vg %s --help", optopt, command_name);
    /* What follows "=" may be a key. */
    const char *word = argv[optind - 1];
    fail(EXIT_USAGE, "there is no option %.*s; see vg %s --help", (int)strcspn(word, "="), word, command_name);
}

void show_help(const char *text)
{
    fputs(text, stdout);
    finish_stdout();
    exit(EXIT_SUCCESS);
}

uint64_t parse_number(const char *option, const char *text, uint64_t least, uint64_t most)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (errno || *text < '0' || *text > '9' || *end || number < least || number > most)
        fail(EXIT_USAGE, "%s wants a number from %" PRIu64 " to %" PRIu64, option, least, most);
    return number;
}

void no_more_arguments(int argc, char **argv)
{
    if (optind < argc)
        fail(EXIT_USAGE, "takes options only, not \"%s\"; see vg %s --help", argv[optind], command_name);
}
