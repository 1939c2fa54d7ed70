// READONLY
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Cluster;

/// <summary>
/// Records for CLIENT LIST that the client accepts reads from a replica of a cluster; has no other effect, as there is no cluster.
/// </summary>
internal static class ReadOnlyCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "READONLY",
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
        context.Client.Modes.IsReadOnly = true;
        context.Reply.WriteOk();
    }
}
