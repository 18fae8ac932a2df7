/* vg: the library on the command line. */
#include "tool.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRING_OF(text) #text
#define STRING(name)    STRING_OF(name)

static const struct {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"info", "what this build is, what this CPU can do, and which variant that makes", run_info},
    {"selftest", "known answers on every variant that this CPU runs", run_selftest},
    {"seal", "encrypt and authenticate a file or pipe", run_seal},
    {"open", "check and decrypt what seal wrote", run_open},
    {"speed", "time the chosen variant", run_speed},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_usage(FILE *file)
{
    fputs("usage: vg COMMAND [options]\n"
          "AES-GCM on files and pipes, and facts about this build.\n"
          "\n",
          file);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(file, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fputs("\n"
          "vg COMMAND --help says more; vg --version names the configuration.\n"
          "Environment: VG_CPU_FEATURES restricts the CPU features in use: a list of their names, or\n"
          "none. vg info shows what comes of it.\n"
          "\n"
          "  head -c 32 /dev/urandom >key\n"
          "  vg seal -k key letter letter.sealed\n"
          "  vg open -k key letter.sealed letter.opened\n",
          file);
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
        print_usage(stdout);
        finish_stdout();
        return EXIT_SUCCESS;
    }
    if (!strcmp(word, "--version")) {
        printf("vg 0, %s\n", STRING(VG_CONFIG_SYMBOL));
        finish_stdout();
        return EXIT_SUCCESS;
    }
    for (int i = 0; i < COMMANDS; i++) {
        if (!strcmp(word, commands[i].name)) {
            command_name = commands[i].name;
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    fail(EXIT_USAGE, "there is no command \"%s\"; see vg --help", word);
}
