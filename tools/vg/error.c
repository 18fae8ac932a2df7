/* How the tool ends when something is wrong. */
#include "tool.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *command_name = "";

void fail(int status, const char *format, ...)
{
    va_list arguments;
    progress_clear();
    fprintf(stderr, *command_name ? "vg: %s: " : "vg: %s", command_name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(status);
}

void check(enum vg_status status)
{
    char reason[300];
    const char *list = cpu_request_text();
    if (!status)
        return;
    if (status == VG_ERR_CPU && list && cpu_request_refused(list, reason, sizeof reason))
        fail(EXIT_USAGE, "VG_CPU_FEATURES: %s", reason);
    if (status == VG_ERR_CPU)
        fail(EXIT_USAGE, "%s; vg info says what each one needs", vg_status_text(status));
    fail(EXIT_USAGE, "%s", vg_status_text(status));
}

void finish_stdout(void)
{
    if (fflush(stdout) || ferror(stdout))
        fail(EXIT_USAGE, "cannot write to standard output: %s", strerror(errno));
}
