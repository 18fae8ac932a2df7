/* VG_CPU_FEATURES: any text against any CPU. What is granted is what the CPU has; what is refused is a word of it. */
#include "../harness/plan.h"
#include <stdlib.h>
#include <string.h>

static const struct message none;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plan p = {data, size};
    char list[300];
    const char *bad = NULL;
    uint32_t have = (uint32_t)plan_below(&p, 1 << VG_CPU_FEATURE_COUNT), features = 0x55555555;
    size_t len = p.left < sizeof list - 1 ? p.left : sizeof list - 1, bad_len = 0;
    memcpy(list, p.at, len);
    list[len] = 0;
    len = strlen(list);
    int no_word = strspn(list, " ,\t") == len;
    enum vg_status status = vg_cpu_parse(list, have, &features, &bad, &bad_len);
    if (status == VG_OK) {
        FUZZ_CHECK(!(features & ~have) && !bad, &none);
        for (unsigned bit = 0; bit < VG_CPU_FEATURE_COUNT; bit++)
            FUZZ_CHECK(!(features >> bit & 1) || no_word || strstr(list, vg_cpu_feature_name(bit)), &none);
        return 0;
    }
    FUZZ_CHECK(status == VG_ERR_CPU && bad >= list && bad_len && bad_len <= len, &none);
    FUZZ_CHECK((size_t)(bad - list) <= len - bad_len && !memchr(bad, ' ', bad_len) && !memchr(bad, ',', bad_len),
               &none);
    return 0;
}
