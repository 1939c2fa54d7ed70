// SLOWLOG LEN
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Logs;

namespace Garnet.Server.Commands.Logs;

/// <summary>Counts the entries of the slow log.</summary>
internal sealed class SlowlogLenCommand(CommandLogs logs)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LEN",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "2.2.12",
        Tips = ["request_policy:all_nodes", "response_policy:agg_sum", "nondeterministic_output"],
        MakeHandler = static parts => new SlowlogLenCommand(parts.Get<CommandLogs>()).Execute,
    };

    private void Execute(ref CommandContext context) => context.Reply.WriteInteger(logs.Slow.Length);
}
