// SLOWLOG RESET
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Logs;

namespace Garnet.Server.Commands.Logs;

/// <summary>Empties the slow log.</summary>
internal sealed class SlowlogResetCommand(CommandLogs logs)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "RESET",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "2.2.12",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        MakeHandler = static parts => new SlowlogResetCommand(parts.Get<CommandLogs>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        logs.Slow.Clear();
        context.Reply.WriteOk();
    }
}
