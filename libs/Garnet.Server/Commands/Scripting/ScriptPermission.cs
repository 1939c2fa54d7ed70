// Whether a script or function may run.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Server.Replication;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Scripts that declare what they do are rejected before they run; the commands of others are, one by one.</summary>
internal sealed class ScriptPermission(ServerReplication replication)
{
    // What a small write takes. Nothing at all could be reserved even while memory is exhausted.
    private const int RecordBytes = 64;

    /// <summary>
    /// Whether a script with these flags may run now; writes the error if not. The gates have let its command pass, by the flags that it
    /// declares; what they did not ask is its memory, and what else scripts as such need.
    /// </summary>
    public bool IsAllowed(ref CommandContext context, ScriptFlags flags, bool isReadOnly)
    {
        ReadOnlySpan<byte> denial =
            (flags & ScriptFlags.Undeclared) != 0 ? UndeclaredDenial(ref context) : DeclaredDenial(ref context, flags, isReadOnly);
        if (denial.IsEmpty)
            return true;
        context.Reply.WriteError(denial);
        return false;
    }

    internal static bool Writes(ScriptFlags flags) => (flags & ScriptFlags.NoWrites) == 0;

    internal static bool NeedsMemory(ScriptFlags flags) => Writes(flags) && (flags & ScriptFlags.AllowOom) == 0;

    // Even one that calls nothing.
    private ReadOnlySpan<byte> UndeclaredDenial(ref CommandContext context) =>
        (context.Asked & GateMask.Stale) != 0 && replication.IsStale ? ErrorText.PrimaryDown : default;

    private static ReadOnlySpan<byte> DeclaredDenial(ref CommandContext context, ScriptFlags flags, bool isReadOnly)
    {
        bool isAsked = (context.Asked & GateMask.Memory) != 0;
        if (isAsked && NeedsMemory(flags) && !context.Store.Memory.TryReserve(RecordBytes))
            return ErrorText.OutOfMemory;
        return isReadOnly && Writes(flags) ? "ERR Can not execute a script with write flag using *_ro command."u8 : default;
    }
}
