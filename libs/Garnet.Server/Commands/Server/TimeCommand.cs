// TIME
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Server;

/// <summary>Replies with the server's time: Unix seconds, and microseconds within the second.</summary>
internal sealed class TimeCommand(ServerClock clock)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "TIME",
        Arity = 1,
        Flags = CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast,
        Group = CommandGroup.Server,
        Since = "2.6.0",
        Tips = ["nondeterministic_output"],
        MakeHandler = static parts => new TimeCommand(parts.Get<ServerClock>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        long microseconds = context.Client.Transactions.TimeMicroseconds(clock.Time);
        context.Reply.WriteArray(2);
        context.Reply.WriteBulkInteger(microseconds / 1_000_000);
        context.Reply.WriteBulkInteger(microseconds % 1_000_000);
    }
}
