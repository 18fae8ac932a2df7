/* The output of seal and open.
 *
 * A file is written under a temporary name in its own directory and renamed when it is whole; what is not a regular
 * file is written directly. While output is held, what would go out directly waits in memory, and in an unlinked file
 * from HELD_LEN bytes on. */
#define _GNU_SOURCE /* mkostemp, realpath, explicit_bzero */
#include "tool.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HELD_LEN        (1 << 20)
#define NO_REPLACE_FLAG 1 /* RENAME_NOREPLACE, which C libraries hide or lack */

static struct {
    int fd;             /* where bytes end up: the temporary file, or the output itself */
    const char *target; /* the output's name for messages */
    const char *name;   /* the name of what is being written to: the target or the spool */
    bool hold, replaces;
    mode_t mode;
    char path[PATH_MAX], temporary[PATH_MAX];
    int spool; /* the unlinked file, -1 while memory is enough */
    size_t held_len;
    uint8_t held[HELD_LEN];
} output = {.fd = -1, .spool = -1};

/* 1 while output.temporary names a file of ours; read by the signal handler. */
static volatile sig_atomic_t temporary_exists;

static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
enum { SIGNALS = sizeof signals / sizeof *signals };

static void on_signal(int number)
{
    if (temporary_exists)
        unlink(output.temporary);
    /* SA_RESETHAND: this time it ends the process, as soon as the handler returns. */
    raise(number);
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, old;
    sigfillset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++)
        if (!sigaction(signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    /* A closed pipe and a limit on file sizes are errors of write, with a message. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

_Noreturn static void fail_writing(void)
{
    if (errno == EPIPE)
        fail(EXIT_USAGE, "cannot write to %s: its reader has gone", output.name);
    fail(EXIT_USAGE, "cannot write to %s: %s", output.name, strerror(errno));
}

/* mkostemp, with no moment at which a signal would leave the file behind. The name is gone again if keep is false. */
static int make_temporary(char *template, bool keep)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    int fd = mkostemp(template, O_CLOEXEC);
    if (fd >= 0 && keep)
        temporary_exists = 1;
    else if (fd >= 0)
        unlink(template);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return fd;
}

static void open_new_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    int folder_len = slash ? (int)(slash - path) + 1 : 0;
    int len = snprintf(output.temporary, sizeof output.temporary, "%.*s.vg-XXXXXX", folder_len, path);
    if (len < 0 || (size_t)len >= sizeof output.temporary || strlen(path) >= sizeof output.path) {
        errno = ENAMETOOLONG;
        fail_writing();
    }
    memmove(output.path, path, strlen(path) + 1);
    output.fd = make_temporary(output.temporary, true);
    if (output.fd < 0)
        fail_writing();
}

void output_open(const struct output_options *options, const struct input *input)
{
    struct stat status, from;
    bool exists = true;
    bool standard = !strcmp(options->path, "-");
    output.name = output.target = standard ? "standard output" : options->path;
    catch_signals();
    if (standard) {
        output.fd = STDOUT_FILENO;
        exists = !fstat(output.fd, &status);
        if (exists && S_ISREG(status.st_mode) && !fstat(input->fd, &from) && from.st_dev == status.st_dev &&
            from.st_ino == status.st_ino)
            fail(EXIT_USAGE, "standard output is the input file; name the output with -o");
    } else if (stat(options->path, &status)) {
        exists = false;
        if (errno != ENOENT)
            fail_writing();
    } else if (!S_ISREG(status.st_mode)) {
        output.fd = open(options->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (output.fd < 0)
            fail_writing();
    }
    if (output.fd >= 0) {
        output.hold = options->hold;
        return;
    }
    if (exists && !options->force)
        fail(EXIT_USAGE, "%s exists already; replace it with --force, or name another output", output.name);
    mode_t mask = umask(0);
    umask(mask);
    output.mode = exists ? status.st_mode & 0777 : 0666 & ~mask;
    output.replaces = options->force;
    if (!exists) {
        open_new_file(options->path);
        return;
    }
    /* A link stays, and the file that it leads to is replaced. */
    char *target = realpath(options->path, NULL);
    if (!target)
        fail_writing();
    open_new_file(target);
    free(target);
}

static void write_all(int fd, const uint8_t *bytes, size_t len)
{
    while (len) {
        ssize_t put = write(fd, bytes, len);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            fail_writing();
        bytes += put;
        len -= (size_t)put;
    }
}

static void open_spool(void)
{
    static char template[PATH_MAX];
    static char what[PATH_MAX + 40];
    const char *folder = getenv("TMPDIR");
    snprintf(what, sizeof what, "a file in %s (TMPDIR)", folder && *folder ? folder : "/tmp");
    output.name = what;
    int len = snprintf(template, sizeof template, "%s/vg-XXXXXX", folder && *folder ? folder : "/tmp");
    if (len < 0 || (size_t)len >= sizeof template) {
        errno = ENAMETOOLONG;
        fail_writing();
    }
    output.spool = make_temporary(template, false);
    if (output.spool < 0)
        fail_writing();
    write_all(output.spool, output.held, output.held_len);
    output.held_len = 0;
}

void output_write(const uint8_t *bytes, size_t len)
{
    if (!output.hold) {
        write_all(output.fd, bytes, len);
        return;
    }
    if (output.spool < 0 && len <= HELD_LEN - output.held_len) {
        memcpy(output.held + output.held_len, bytes, len);
        output.held_len += len;
        return;
    }
    if (output.spool < 0)
        open_spool();
    write_all(output.spool, bytes, len);
}

static void release_spool(void)
{
    struct input spool = {.fd = output.spool, .name = output.name, .size = SIZE_UNKNOWN};
    size_t len;
    if (lseek(spool.fd, 0, SEEK_SET))
        fail(EXIT_USAGE, "cannot read %s: %s", spool.name, strerror(errno));
    output.name = output.target;
    while ((len = input_read(&spool, output.held, HELD_LEN)))
        write_all(output.fd, output.held, len);
    output.held_len = HELD_LEN;
}

static void rename_temporary(void)
{
    if (fchmod(output.fd, output.mode) || (output.replaces && fsync(output.fd)))
        fail_writing();
    if (close(output.fd))
        fail_writing();
    long wrong = syscall(SYS_renameat2, AT_FDCWD, output.temporary, AT_FDCWD, output.path,
                         output.replaces ? 0 : NO_REPLACE_FLAG);
    /* Some file systems do not know the flag; output_open has looked. */
    if (wrong && (errno == EINVAL || errno == ENOSYS))
        wrong = rename(output.temporary, output.path);
    if (wrong)
        fail_writing();
    temporary_exists = 0;
}

void output_commit(void)
{
    if (temporary_exists) {
        rename_temporary();
        return;
    }
    if (output.spool >= 0)
        release_spool();
    else
        write_all(output.fd, output.held, output.held_len);
    if (close(output.fd))
        fail_writing();
}

void output_discard(void)
{
    if (temporary_exists)
        unlink(output.temporary);
    temporary_exists = 0;
    explicit_bzero(output.held, output.held_len);
    output.held_len = 0;
}
