/* Does the self-test pass here, and does it notice each of its answers coming out wrong? */
#include "harness/check.h"
#include "harness/setups.h"
#include <internal.h>
#include <vg/vg.h>

#if VG_SELF_TEST
Test(self_test, passes)
{
    CHECK(vg_self_test() == VG_OK, "status %d", (int)vg_self_test());
}

Test(self_test, every_wrong_answer_is_noticed)
{
    enum { MOST = 10000 };
    struct setup setups[SETUPS_MAX];
    unsigned answers = 0;
    while (answers < MOST && vg_self_test_with(answers + 1) == VG_ERR_SELF_TEST)
        answers++;
    /* Each variant answers for each key size: a block, a published message and a few of its own at the least. */
    CHECK(answers >= setups_find(setups) / (1 + VG_CONTEXT_ADAPTIVE) * key_sizes_count * 4 && answers < MOST,
          "%u answers", answers);
    for (unsigned beyond = answers + 1; beyond < answers + 20; beyond++)
        CHECK(vg_self_test_with(beyond) == VG_OK, "fault %u of %u answers", beyond, answers);
}
#endif
