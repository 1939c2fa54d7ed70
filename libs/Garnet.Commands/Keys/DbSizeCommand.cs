// DBSIZE
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>Replies with the number of keys in the database; expired keys count until they are removed.</summary>
internal static class DbSizeCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DBSIZE",
        Arity = 1,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast | CommandFlags.WholeKeyspace,
        Group = CommandGroup.Server,
        Categories = AclCategories.Keyspace,
        Since = "1.0.0",
        Tips = ["request_policy:all_shards", "response_policy:agg_sum"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) =>
        context.Reply.WriteInteger(context.Store.Store.Databases.KeyCount(context.Store.Database));
}
