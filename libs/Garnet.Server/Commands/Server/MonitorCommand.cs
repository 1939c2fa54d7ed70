// MONITOR
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Server;

/// <summary>Has the connection see every command that is executed from now on.</summary>
internal static class MonitorCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "MONITOR",
        Arity = 1,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Categories = AclCategories.Admin | AclCategories.Dangerous | AclCategories.Slow,
        Since = "1.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Client.IsExecuting)
        {
            context.Reply.WriteError("ERR MONITOR isn't allowed for DENY BLOCKING client"u8);
            return;
        }

        // A client that is in monitor mode already gets no reply, as in Valkey.
        if (context.Server.Monitors.IsWatcher(context.Client))
            return;
        context.Server.Monitors.Add(context.Client);
        context.Reply.WriteOk();
    }
}
