/* The Valkey module that benchmark/modules.py measures: REP.NAME does what INCR does and replicates INCR. With the argument "skip" the
 * module sets the option to skip the validation of command names. */
#include "valkeymodule.h"
#include <string.h>

static int repName(ValkeyModuleCtx *ctx, ValkeyModuleString **argv, int argc) {
    if (argc != 2) return ValkeyModule_WrongArity(ctx);
    ValkeyModuleKey *key = ValkeyModule_OpenKey(ctx, argv[1], VALKEYMODULE_READ | VALKEYMODULE_WRITE);
    int type = ValkeyModule_KeyType(key);
    long long value = 0;
    if (type != VALKEYMODULE_KEYTYPE_EMPTY) {
        if (type != VALKEYMODULE_KEYTYPE_STRING) {
            ValkeyModule_CloseKey(key);
            return ValkeyModule_ReplyWithError(ctx, VALKEYMODULE_ERRORMSG_WRONGTYPE);
        }
        size_t length;
        const char *text = ValkeyModule_StringDMA(key, &length, VALKEYMODULE_READ);
        ValkeyModuleString *copy = ValkeyModule_CreateString(ctx, text, length);
        int parsed = ValkeyModule_StringToLongLong(copy, &value);
        ValkeyModule_FreeString(ctx, copy);
        if (parsed != VALKEYMODULE_OK || value == 0x7fffffffffffffffLL) {
            ValkeyModule_CloseKey(key);
            return ValkeyModule_ReplyWithError(ctx, "ERR value is not an integer or out of range");
        }
    }
    ValkeyModuleString *sum = ValkeyModule_CreateStringFromLongLong(ctx, value + 1);
    ValkeyModule_StringSet(key, sum);
    ValkeyModule_FreeString(ctx, sum);
    ValkeyModule_CloseKey(key);
    ValkeyModule_Replicate(ctx, "INCR", "s", argv[1]);
    return ValkeyModule_ReplyWithLongLong(ctx, value + 1);
}

int ValkeyModule_OnLoad(ValkeyModuleCtx *ctx, ValkeyModuleString **argv, int argc) {
    if (ValkeyModule_Init(ctx, "replicating", 1, VALKEYMODULE_APIVER_1) == VALKEYMODULE_ERR) return VALKEYMODULE_ERR;
    if (argc > 0 && strcmp(ValkeyModule_StringPtrLen(argv[0], NULL), "skip") == 0)
        ValkeyModule_SetModuleOptions(ctx, VALKEYMODULE_OPTIONS_SKIP_COMMAND_VALIDATION);
    return ValkeyModule_CreateCommand(ctx, "rep.name", repName, "write deny-oom fast", 1, 1, 1);
}
