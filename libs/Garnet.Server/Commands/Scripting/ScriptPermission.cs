// Whether a script or function may run. Stateless.
using Garnet.Server.CommandModel;
using Garnet.Server.Execution;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Scripts that declare what they do are rejected before they run; the commands of others are, one by one.</summary>
internal static class ScriptPermission
{
    // What a small write takes. Nothing at all could be reserved even while memory is exhausted.
    private const int RecordBytes = 64;

    /// <summary>
    /// Whether a script with these flags may run now; writes the error if not. The gates have let its command pass, by the flags that it
    /// declares; what they did not ask is its memory, and what else scripts as such need.
    /// </summary>
    public static bool IsAllowed(ref CommandContext context, ScriptFlags flags, bool isReadOnly)
    {
        ReadOnlySpan<byte> denial =
            (flags & ScriptFlags.Undeclared) != 0 ? UndeclaredDenial(ref context) : DeclaredDenial(ref context, flags, isReadOnly);
        if (denial.IsEmpty)
            return true;
        context.Reply.WriteError(denial);
        return false;
    }

    /// <summary>
    /// The flags of a command that runs a script or function: as in Valkey what the script declares replaces the command's own.
    /// </summary>
    public static CommandFlags FlagsOf(ref CommandContext context)
    {
        ScriptFlags declared = DeclaredFlags(ref context);
        CommandFlags flags = context.Command.Flags;
        if ((declared & ScriptFlags.Undeclared) != 0)
            return flags;
        flags &= ~(CommandFlags.Stale | CommandFlags.DenyOom | CommandFlags.Write | CommandFlags.MayReplicate);
        if (Writes(declared))
            flags |= CommandFlags.Write;
        if (NeedsMemory(declared))
            flags |= CommandFlags.DenyOom;
        if ((declared & ScriptFlags.AllowStale) != 0)
            flags |= CommandFlags.Stale;
        return flags;
    }

    private static ScriptFlags DeclaredFlags(ref CommandContext context)
    {
        ServerScripts scripts = context.Server.Scripts;
        ReadOnlySpan<byte> argument = context[1];
        if (context.Command.Descriptor.Name.StartsWith('F'))
            return scripts.Functions.Catalog.FindFunction(argument)?.Flags ?? ScriptFlags.Undeclared;
        if (context.Command.Descriptor.Name.StartsWith("EVALSHA", StringComparison.Ordinal))
        {
            bool isHash = ScriptHash.TryParse(argument, out ScriptHash hash);
            return isHash && scripts.Cache.Find(hash) is { } script ? script.Flags : ScriptFlags.Undeclared;
        }

        return ScriptShebang.Read(argument, out ScriptFlags flags, out _) is null ? flags : ScriptFlags.Undeclared;
    }

    private static bool Writes(ScriptFlags flags) => (flags & ScriptFlags.NoWrites) == 0;

    private static bool NeedsMemory(ScriptFlags flags) => Writes(flags) && (flags & ScriptFlags.AllowOom) == 0;

    // Even one that calls nothing.
    private static ReadOnlySpan<byte> UndeclaredDenial(ref CommandContext context) =>
        (context.Asked & GateMask.Stale) != 0 && context.Server.Replication.IsStale ? ErrorText.PrimaryDown : default;

    private static ReadOnlySpan<byte> DeclaredDenial(ref CommandContext context, ScriptFlags flags, bool isReadOnly)
    {
        bool isAsked = (context.Asked & GateMask.Memory) != 0;
        if (isAsked && NeedsMemory(flags) && !context.Store.Memory.TryReserve(RecordBytes))
            return ErrorText.OutOfMemory;
        return isReadOnly && Writes(flags) ? "ERR Can not execute a script with write flag using *_ro command."u8 : default;
    }
}
