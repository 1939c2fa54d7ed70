// SCRIPT LOAD script
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Compiles a script and keeps it.</summary>
internal sealed class ScriptLoadCommand(ServerScripts scripts)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LOAD",
        Arity = 3,
        Flags = CommandFlags.NoScript | CommandFlags.Stale,
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Traits = CommandTraits.TakesLongArguments | CommandTraits.ReplicatedByOldServers,
        Since = "2.6.0",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        MakeHandler = static parts => new ScriptLoadCommand(parts.Get<ServerScripts>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (ScriptCompilation.Add(ref context, scripts, context[2], isLoaded: true, out Script script) is { } problem)
        {
            ArgumentText.WriteError(ref context, problem);
            return;
        }

        Span<byte> digits = stackalloc byte[ScriptHash.TextLength];
        script.Hash.Format(digits);
        context.Reply.WriteBulk(digits);
    }
}
