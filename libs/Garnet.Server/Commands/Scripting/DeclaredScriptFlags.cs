// The flags of commands that run scripts and functions, as these declare them.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Finds the script of a call, and says with which flags gates are asked about it.</summary>
internal sealed class DeclaredScriptFlags(ServerScripts scripts)
{
    /// <summary>
    /// The flags of a command that runs a script or function: as in Valkey what the script declares replaces the command's own.
    /// </summary>
    public CommandFlags Of(ref CommandContext context)
    {
        ScriptFlags declared = DeclaredFlags(ref context);
        CommandFlags flags = context.Command.Flags;
        if ((declared & ScriptFlags.Undeclared) != 0)
            return flags;
        flags &= ~(CommandFlags.Stale | CommandFlags.DenyOom | CommandFlags.Write | CommandFlags.MayReplicate);
        if (ScriptPermission.Writes(declared))
            flags |= CommandFlags.Write;
        if (ScriptPermission.NeedsMemory(declared))
            flags |= CommandFlags.DenyOom;
        if ((declared & ScriptFlags.AllowStale) != 0)
            flags |= CommandFlags.Stale;
        return flags;
    }

    private ScriptFlags DeclaredFlags(ref CommandContext context)
    {
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
}
