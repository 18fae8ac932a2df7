/* One line on the terminal that says how far a message is. */
#define _DEFAULT_SOURCE /* clock_gettime */
#include "tool.h"
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static struct {
    bool shown, drawn;
    uint64_t total, done, started, last; /* the times in ns */
} progress;

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void draw(uint64_t time)
{
    struct winsize window = {0};
    double mb = (double)progress.done / 1e6, seconds = (double)(time - progress.started) / 1e9;
    double speed = seconds > 0 ? mb / seconds : 0;
    ioctl(STDERR_FILENO, TIOCGWINSZ, &window);
    int room = (window.ws_col ? window.ws_col : 80) - 40;
    fputs("\r\033[K", stderr);
    if (progress.total == SIZE_UNKNOWN) {
        fprintf(stderr, "%.1f MB %.1f MB/s", mb, speed);
    } else {
        double part = progress.total ? (double)progress.done / (double)progress.total : 1;
        part = part < 1 ? part : 1;
        if (room >= 10) {
            int full = (int)(part * room);
            fputc('[', stderr);
            for (int i = 0; i < room; i++)
                fputc(i < full ? '=' : ' ', stderr);
            fputs("] ", stderr);
        }
        fprintf(stderr, "%3.0f%% %.1f MB %.1f MB/s", 100 * part, mb, speed);
    }
    fflush(stderr);
    progress.drawn = true;
    progress.last = time;
}

void progress_start(uint64_t total, bool quiet)
{
    progress.shown = !quiet && isatty(STDERR_FILENO);
    progress.total = total;
    progress.started = progress.last = now();
}

void progress_add(size_t len)
{
    progress.done += len;
    if (!progress.shown)
        return;
    uint64_t time = now();
    if (time - progress.last >= 100000000)
        draw(time);
}

void progress_end(void)
{
    if (!progress.shown)
        return;
    draw(now());
    fputc('\n', stderr);
    progress.shown = progress.drawn = false;
}

void progress_clear(void)
{
    if (progress.drawn)
        fputs("\r\033[K", stderr);
    progress.shown = progress.drawn = false;
}
