// Whether a script or function may run. Stateless.
using Garnet.Server.CommandModel;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Scripts that declare what they do are rejected before they run; the commands of others are, one by one.</summary>
internal static class ScriptPermission
{
    /// <summary>Whether a script with these flags may run now; writes the error if not.</summary>
    public static bool IsAllowed(ref CommandContext context, ScriptFlags flags, bool isReadOnly)
    {
        if ((flags & ScriptFlags.Undeclared) != 0)
            return true;
        bool writes = (flags & ScriptFlags.NoWrites) == 0;
        bool mayFail = writes && (flags & ScriptFlags.AllowOom) == 0;
        if (!context.Client.IsReplaying)
        {
            if (mayFail && !context.Store.Memory.TryReserve(0))
            {
                context.Reply.WriteError(ErrorText.OutOfMemory);
                return false;
            }

            if (!IsAllowedByState(ref context, writes, (flags & ScriptFlags.AllowStale) != 0))
                return false;
        }

        if (writes && isReadOnly)
        {
            context.Reply.WriteError("ERR Can not execute a script with write flag using *_ro command."u8);
            return false;
        }

        return true;
    }

    // As for a command with the flags that the script declares.
    private static bool IsAllowedByState(ref CommandContext context, bool writes, bool allowsStale)
    {
        CommandFlags flags = (writes ? CommandFlags.Write : CommandFlags.None) | (allowsStale ? CommandFlags.Stale : CommandFlags.None);
        if (writes && !context.Server.Persistence.WriteDenial.IsEmpty)
        {
            context.Reply.WriteError(context.Server.Persistence.WriteDenial);
            return false;
        }

        if (context.Server.Replication.Denial(flags) is not { IsEmpty: false } denial)
            return true;
        context.Reply.WriteError(denial);
        return false;
    }
}
