// COMMANDLOG GET count type
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Server.Logs;

namespace Garnet.Server.Commands.Logs;

/// <summary>Replies with the newest entries of a log.</summary>
internal sealed class CommandlogGetCommand(CommandLogs logs)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GET",
        Arity = 4,
        Flags = CommandFlags.Admin | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "8.1.0",
        Tips = ["request_policy:all_nodes", "nondeterministic_output"],
        MakeHandler = static parts => new CommandlogGetCommand(parts.Get<CommandLogs>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (!IntegerText.TryParse(context[2], out long count) || count < -1)
            context.Reply.WriteError("ERR count should be greater than or equal to -1"u8);
        else if (CommandlogType.Find(ref context, logs, 3) is { } log)
            log.WriteNewest(ref context.Reply, count);
    }
}
