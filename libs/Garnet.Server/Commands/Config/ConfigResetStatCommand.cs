// CONFIG RESETSTAT
using Garnet.Server.CommandModel;
using Garnet.Server.Sessions;
using Garnet.Server.Statistics;

namespace Garnet.Server.Commands.Config;

/// <summary>Resets the counters in INFO.</summary>
internal static class ConfigResetStatCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "RESETSTAT",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "2.0.0",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        RespServer server = context.Server;
        server.Batches.ResetStatistics();
        server.Statistics.Reset(new CounterBaseline(server.Replication, server.Persistence, server.Scripts));
        server.Store.Statistics.Reset();
        context.Reply.WriteOk();
    }
}
