// Whether a script or function may run. Stateless.
using Garnet.Server.CommandModel;
using Garnet.Server.Scripting;
using Garnet.Server.Sessions;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Scripts that declare what they do are rejected before they run; the commands of others are, one by one.</summary>
internal static class ScriptPermission
{
    // What a small write takes. Nothing at all could be reserved even while memory is exhausted.
    private const int RecordBytes = 64;

    /// <summary>Whether a script with these flags may run now; writes the error if not.</summary>
    public static bool IsAllowed(ref CommandContext context, ScriptFlags flags, bool isReadOnly)
    {
        bool isDeclared = (flags & ScriptFlags.Undeclared) == 0;
        ReadOnlySpan<byte> denial = isDeclared ? Denial(context.Client, flags) : UndeclaredDenial(context.Client);
        if (denial.IsEmpty && isDeclared && isReadOnly && Writes(flags))
            denial = "ERR Can not execute a script with write flag using *_ro command."u8;
        if (denial.IsEmpty)
            return true;
        context.Reply.WriteError(denial);
        return false;
    }

    /// <summary>
    /// Whether a command that runs a script or function may be queued now, as its flags say; if not, rejects it and with it the
    /// transaction. One that is not known, or declares nothing, is judged when it runs.
    /// </summary>
    public static bool MayBeQueued(ref CommandContext context)
    {
        ScriptFlags flags = DeclaredFlags(ref context);
        if ((flags & ScriptFlags.Undeclared) != 0 || Denial(context.Client, flags) is not { IsEmpty: false } denial)
            return true;
        CommandRejection.Reject(ref context, context.Command, denial);
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
    private static ReadOnlySpan<byte> UndeclaredDenial(ClientSession client) =>
        client.IsReplaying ? default : client.Server.Replication.Denial(CommandFlags.None);

    // As for a command with the flags that the script declares.
    private static ReadOnlySpan<byte> Denial(ClientSession client, ScriptFlags flags)
    {
        if (client.IsReplaying)
            return default;
        if (NeedsMemory(flags) && !client.Store.Memory.TryReserve(RecordBytes))
            return ErrorText.OutOfMemory;
        if (Writes(flags) && !client.Server.Persistence.WriteDenial.IsEmpty)
            return client.Server.Persistence.WriteDenial;
        return client.Server.Replication.Denial(
            (Writes(flags) ? CommandFlags.Write : CommandFlags.None)
                | ((flags & ScriptFlags.AllowStale) != 0 ? CommandFlags.Stale : CommandFlags.None)
        );
    }
}
