// MONITOR
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Monitoring;

namespace Garnet.Server.Commands.Server;

/// <summary>Streams every executed command to the connection from now on.</summary>
internal sealed class MonitorCommand(MonitorFeed monitors)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "MONITOR",
        Arity = 1,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Traits = CommandTraits.OfConnection,
        Since = "1.0.0",
        MakeHandler = static parts => new MonitorCommand(parts.Get<MonitorFeed>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (context.Client.Transactions.IsExecuting)
        {
            context.Reply.WriteError("ERR MONITOR isn't allowed for DENY BLOCKING client"u8);
            return;
        }

        // A client that is already in monitor mode gets no reply, as in Valkey.
        if (context.Client.Modes.IsMonitor)
            return;
        monitors.Add(context.Client);
        context.Reply.WriteOk();
    }
}
