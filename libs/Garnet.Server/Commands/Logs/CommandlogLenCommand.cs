// COMMANDLOG LEN type
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Logs;

namespace Garnet.Server.Commands.Logs;

/// <summary>Counts the entries of a log.</summary>
internal sealed class CommandlogLenCommand(CommandLogs logs)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LEN",
        Arity = 3,
        Flags = CommandFlags.Admin | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "8.1.0",
        Tips = ["request_policy:all_nodes", "response_policy:agg_sum", "nondeterministic_output"],
        MakeHandler = static parts => new CommandlogLenCommand(parts.Get<CommandLogs>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (CommandlogType.Find(ref context, logs, 2) is { } log)
            context.Reply.WriteInteger(log.Length);
    }
}
