/* Files and pipes to read. */
#define _DEFAULT_SOURCE /* O_CLOEXEC */
#include "tool.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct input input_open(const char *path)
{
    struct input input = {.fd = STDIN_FILENO, .name = "standard input", .size = SIZE_UNKNOWN};
    struct stat status;
    if (strcmp(path, "-")) {
        input.name = path;
        input.fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    }
    if (input.fd < 0 || fstat(input.fd, &status))
        fail(EXIT_USAGE, "cannot read %s: %s", input.name, strerror(errno));
    if (S_ISDIR(status.st_mode))
        fail(EXIT_USAGE, "cannot read %s: %s", input.name, strerror(EISDIR));
    /* Files of /proc say that they are empty. */
    if (S_ISREG(status.st_mode) && status.st_size > 0) {
        off_t at = lseek(input.fd, 0, SEEK_CUR);
        input.size = at < status.st_size ? (uint64_t)(status.st_size - (at > 0 ? at : 0)) : 0;
    }
    return input;
}

size_t input_read(const struct input *input, uint8_t *bytes, size_t len)
{
    size_t done = 0;
    while (done < len) {
        ssize_t got = read(input->fd, bytes + done, len - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            fail(EXIT_USAGE, "cannot read %s: %s", input->name, strerror(errno));
        if (!got)
            break;
        done += (size_t)got;
    }
    return done;
}
