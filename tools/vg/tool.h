/* What the files of the command-line tool share.
 *
 * An error ends the program: fail prints one line and exits, and exit wipes secrets and removes what was half written.
 * No message carries a key, or a word that could be one. */
#ifndef VG_TOOL_H
#define VG_TOOL_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vg/vg.h>

enum { EXIT_USAGE = 1, EXIT_WRONG_TAG = 2 };

/* error.c */
extern const char *command_name; /* "" before it is known */
_Noreturn void fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Nothing if status is VG_OK, else say what it means here. */
void check(enum vg_status status);
/* Flush standard output and make sure that all of it was written. */
void finish_stdout(void);

/* options.c */
/* getopt_long, with one clear line for what is wrong; -1 after the last option. */
int next_option(int argc, char **argv, const char *letters, const struct option *options);
_Noreturn void show_help(const char *text);
/* A number from least to most, or fail. */
uint64_t parse_number(const char *option, const char *text, uint64_t least, uint64_t most);
/* No argument may be left after the options. */
void no_more_arguments(int argc, char **argv);

/* cpu.c */
/* The features of the CPU and its OS, whatever VG_CPU_FEATURES says. */
uint32_t hardware_features(void);
/* What VG_CPU_FEATURES is set to, NULL if it is not set or this build does not read it. */
const char *cpu_request_text(void);
/* Why the list is refused, in reason[size]; false if it is not. */
bool cpu_request_refused(const char *list, char *reason, size_t size);

/* hex.c */
bool is_hex(const char *text, size_t len);
/* Decode text[len]; false, with bytes in an unknown state, if a character is no hex digit or len is odd. */
bool hex_decode(const char *text, size_t len, uint8_t *bytes);

/* material.c: keys, nonces and AAD from where the options say. */
struct source {
    const char *text, *file, *env;
    char *hex;
};
enum { KEY_LEN_MAX = 32, NONCE_LEN_MAX = 4096 };
bool source_given(const struct source *source);
/* Not more than one place for each. */
void source_set_once(const struct source *source, const char *what);
size_t load_key(const struct source *source, uint8_t key[KEY_LEN_MAX]);
size_t load_nonce(const struct source *source, uint8_t nonce[NONCE_LEN_MAX]);
/* Text of the command line or hex becomes AAD at once; *len is its length. NULL if there is none. */
const uint8_t *load_short_aad(const struct source *source, size_t *len);

/* input.c */
struct input {
    int fd;
    const char *name;
    uint64_t size; /* SIZE_UNKNOWN for pipes and devices */
};
#define SIZE_UNKNOWN UINT64_MAX
struct input input_open(const char *path); /* "-" is standard input */
/* Read len bytes, or fewer at the end of the input. */
size_t input_read(const struct input *input, uint8_t *bytes, size_t len);

/* output.c: one output, which gets its name only when it is whole. */
struct output_options {
    const char *path; /* "-" is standard output */
    bool force;       /* replace an existing file */
    bool hold;        /* let nothing out before output_commit */
};
void output_open(const struct output_options *options, const struct input *input);
void output_write(const uint8_t *bytes, size_t len);
void output_commit(void);
void output_discard(void);

/* progress.c: a line on the terminal. */
void progress_start(uint64_t total, bool quiet); /* total may be SIZE_UNKNOWN */
void progress_add(size_t len);
void progress_end(void);
void progress_clear(void); /* make room for a message */

/* crypt.c */
struct job {
    struct source key, nonce, aad;
    const char *in, *out;
    bool force, quiet;
};
void seal_file(const struct job *job);
void open_file(const struct job *job);

/* json.c */
void json_string(const char *text);

/* One function for each command; it returns the exit status. */
int run_info(int argc, char **argv);
int run_selftest(int argc, char **argv);
int run_seal(int argc, char **argv);
int run_open(int argc, char **argv);
int run_speed(int argc, char **argv);

#endif
