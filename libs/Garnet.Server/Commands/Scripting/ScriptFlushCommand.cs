// SCRIPT FLUSH [ASYNC | SYNC]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Forgets all scripts; what they took is collected later in both modes.</summary>
internal sealed class ScriptFlushCommand(ServerScripts scripts)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "FLUSH",
        Arity = -2,
        Flags = CommandFlags.NoScript | CommandFlags.Stale,
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Traits = CommandTraits.TakesLongArguments | CommandTraits.ReplicatedByOldServers,
        Since = "2.6.0",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        MakeHandler = static parts => new ScriptFlushCommand(parts.Get<ServerScripts>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (context.Count > 3 || (context.Count == 3 && !context.Is(2, "ASYNC"u8) && !context.Is(2, "SYNC"u8)))
        {
            context.Reply.WriteError("ERR SCRIPT FLUSH only support SYNC|ASYNC option"u8);
            return;
        }

        scripts.Cache.Clear();
        context.Reply.WriteOk();
    }
}
