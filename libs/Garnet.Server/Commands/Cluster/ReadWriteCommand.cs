// READWRITE
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Cluster;

/// <summary>Reverts READONLY.</summary>
internal static class ReadWriteCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "READWRITE",
        Arity = 1,
        Flags = CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast,
        Group = CommandGroup.Cluster,
        Categories = AclCategories.Connection,
        Traits = CommandTraits.OfConnection,
        Since = "3.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        context.Client.Modes.IsReadOnly = false;
        context.Reply.WriteOk();
    }
}
