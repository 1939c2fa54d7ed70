// CLIENT GETNAME
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Connection;

/// <summary>Replies with the connection's name.</summary>
internal static class ClientGetNameCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GETNAME",
        Arity = 2,
        Flags = CommandFlags.AllowBusy | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "2.6.9",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Client.Names.Client.Length == 0)
            context.Reply.WriteNull();
        else
            context.Reply.WriteBulk(context.Client.Names.Client);
    }
}
