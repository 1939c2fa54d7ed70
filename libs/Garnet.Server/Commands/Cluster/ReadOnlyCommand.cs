// READONLY
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Cluster;

/// <summary>
/// Notes that the client is content with a replica of a cluster, for CLIENT LIST; without a cluster it reads and writes as before.
/// </summary>
internal static class ReadOnlyCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "READONLY",
        Arity = 1,
        Flags = CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast,
        Group = CommandGroup.Cluster,
        Categories = AclCategories.Connection | AclCategories.Fast,
        Since = "3.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        context.Client.IsReadOnly = true;
        context.Reply.WriteOk();
    }
}
