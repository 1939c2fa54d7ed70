// CLIENT TRACKINGINFO
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Connection;

/// <summary>Reports the state of key tracking: off.</summary>
internal static class ClientTrackingInfoCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "TRACKINGINFO",
        Arity = 2,
        Flags = CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "6.2.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        context.Reply.WriteMap(3);
        context.Reply.WriteBulk("flags"u8);
        context.Reply.WriteSet(1);
        context.Reply.WriteBulk("off"u8);
        context.Reply.WriteBulk("redirect"u8);
        context.Reply.WriteInteger(-1);
        context.Reply.WriteBulk("prefixes"u8);
        context.Reply.WriteArray(0);
    }
}
