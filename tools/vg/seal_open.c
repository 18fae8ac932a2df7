/* vg seal and vg open: their options. */
#include "tool.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLACES                                                                                                         \
    "Key, one of:\n"                                                                                                   \
    "  -k, --key-file FILE   16, 24 or 32 bytes, or hex digits that end with a newline\n"                              \
    "      --key-env NAME    an environment variable that holds hex\n"                                                 \
    "      --key-hex HEX     on the command line: other users see it in ps, shells keep it\n"                          \
    "                        in their history; for tests only\n"                                                       \
    "Nonce, at most one of; see Format for what happens without:\n"                                                    \
    "  -n, --nonce-hex HEX\n"                                                                                          \
    "      --nonce-file FILE bytes, or hex digits that end with a newline; at most 4096 bytes\n"                       \
    "      --nonce-env NAME  an environment variable that holds hex\n"                                                 \
    "AAD, at most one of (the same for seal and open; it is not stored):\n"                                            \
    "  -a, --aad TEXT\n"                                                                                               \
    "      --aad-hex HEX\n"                                                                                            \
    "      --aad-file FILE   of any length\n"                                                                          \
    "Output:\n"                                                                                                        \
    "  -o, --output OUT      another way to name OUT\n"                                                                \
    "  -f, --force           replace OUT if it exists; IN and OUT may be the same file\n"                              \
    "  -q, --quiet           no progress bar (there is none but on a terminal)\n"                                      \
    "  -h, --help\n"                                                                                                   \
    "\n"                                                                                                               \
    "Format: without a nonce, seal draws 12 random bytes and puts them in front:\n"                                    \
    "  nonce[12] ciphertext tag[16]\n"                                                                                 \
    "and open reads them there. With a nonce given to both:\n"                                                         \
    "  ciphertext tag[16]\n"                                                                                           \
    "The ciphertext has as many bytes as the text: 68719476704 at most.\n"

static const char seal_help[] =
    "usage: vg seal KEY [NONCE] [AAD] [options] [IN [OUT]]\n"
    "Encrypt and authenticate IN with AES-GCM. IN and OUT are standard input and output where\n"
    "they are missing or \"-\".\n"
    "\n" PLACES "\n"
    "Never seal two texts with one key and one nonce: that gives both away. Random nonces are\n"
    "good for 2^32 texts under one key (SP 800-38D, section 8.3).\n"
    "OUT gets its name when it is whole. Exit status: 0, or 1 with one line that says why.\n";

static const char open_help[] =
    "usage: vg open KEY [NONCE] [AAD] [options] [IN [OUT]]\n"
    "Check and decrypt what vg seal wrote. IN and OUT are standard input and output where they\n"
    "are missing or \"-\".\n"
    "\n" PLACES "\n"
    "Nothing comes out before the tag was found right. A file gets its name then, and is a\n"
    "temporary file of mode 0600 beside it until then; for a pipe or device the text waits in\n"
    "memory, and if it is over 1 MiB in an unlinked file in TMPDIR (/tmp).\n"
    "Exit status: 0; 2 if the tag is wrong; 1 for everything else. One line says why.\n";

enum { KEY_ENV = 256, KEY_HEX, NONCE_FILE, NONCE_ENV, AAD_HEX, AAD_FILE };

static const struct option options[] = {
    {"key-file", required_argument, NULL, 'k'},
    {"key-env", required_argument, NULL, KEY_ENV},
    {"key-hex", required_argument, NULL, KEY_HEX},
    {"nonce-hex", required_argument, NULL, 'n'},
    {"nonce-file", required_argument, NULL, NONCE_FILE},
    {"nonce-env", required_argument, NULL, NONCE_ENV},
    {"aad", required_argument, NULL, 'a'},
    {"aad-hex", required_argument, NULL, AAD_HEX},
    {"aad-file", required_argument, NULL, AAD_FILE},
    {"output", required_argument, NULL, 'o'},
    {"force", no_argument, NULL, 'f'},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static void read_places(struct job *job, int argc, char **argv)
{
    for (; optind < argc; optind++) {
        const char **place = job->in ? &job->out : &job->in;
        if (*place)
            fail(EXIT_USAGE, "one input and one output at most; see vg %s --help", command_name);
        *place = argv[optind];
    }
    job->in = job->in ? job->in : "-";
    job->out = job->out ? job->out : "-";
}

static struct job read_options(int argc, char **argv, const char *help)
{
    struct job job = {0};
    int option;
    while ((option = next_option(argc, argv, ":k:n:a:o:fqh", options)) >= 0) {
        bool key = option == 'k' || option == KEY_ENV || option == KEY_HEX;
        bool nonce = option == 'n' || option == NONCE_FILE || option == NONCE_ENV;
        bool aad = option == 'a' || option == AAD_HEX || option == AAD_FILE;
        struct source *source = key ? &job.key : nonce ? &job.nonce : &job.aad;
        if (key || nonce || aad)
            source_set_once(source, key ? "key" : nonce ? "nonce" : "AAD");
        if (option == 'k' || option == NONCE_FILE || option == AAD_FILE)
            source->file = optarg;
        else if (option == KEY_ENV || option == NONCE_ENV)
            source->env = optarg;
        else if (option == KEY_HEX || option == 'n' || option == AAD_HEX)
            source->hex = optarg;
        else if (option == 'a')
            source->text = optarg;
        else if (option == 'o')
            job.out = optarg;
        else if (option == 'h')
            show_help(help);
        job.force |= option == 'f';
        job.quiet |= option == 'q';
    }
    read_places(&job, argc, argv);
    return job;
}

int run_seal(int argc, char **argv)
{
    struct job job = read_options(argc, argv, seal_help);
    if (!strcmp(job.out, "-") && isatty(STDOUT_FILENO))
        fail(EXIT_USAGE, "the output is binary, and this is a terminal; name a file with -o");
    seal_file(&job);
    return EXIT_SUCCESS;
}

int run_open(int argc, char **argv)
{
    struct job job = read_options(argc, argv, open_help);
    open_file(&job);
    return EXIT_SUCCESS;
}
