// RANDOMKEY
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>Replies with a random key.</summary>
internal static class RandomKeyCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "RANDOMKEY",
        Arity = 1,
        Flags = CommandFlags.ReadOnly | CommandFlags.WholeKeyspace,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Keyspace,
        Since = "1.0.0",
        Tips = ["request_policy:all_shards", "response_policy:special", "nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        KeyReplyVisitor visitor = new(context.Reply) { Expiring = context.Store };
        bool found = context.Store.Reads.TryRandomKey(context.Store.Database, ref visitor);
        context.Reply = visitor.Reply;
        if (!found)
            context.Reply.WriteNull();
    }
}
