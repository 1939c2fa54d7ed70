// KEYS pattern
using Garnet.Protocol;

namespace Garnet.Server.Commands.Keys;

/// <summary>Replies with all keys that match a pattern. Others go on meanwhile, so keys that come and go during the call may be shown or not.</summary>
internal static class KeysCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "KEYS",
        Arity = 2,
        Flags = CommandFlags.ReadOnly | CommandFlags.WholeKeyspace,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Dangerous | AclCategories.Keyspace | AclCategories.Read | AclCategories.Slow,
        Since = "1.0.0",
        Tips = ["request_policy:all_shards", "nondeterministic_output_order"],
        Handler = Execute,
    };

    private const int BucketsAtOnce = 256;

    private static void Execute(ref CommandContext context)
    {
        AsideReply aside = context.Worker.Aside;
        aside.Clear();
        KeyReplyVisitor visitor = new(new RespWriter(aside, context.Reply.ProtocolVersion))
        {
            Pattern = context[1],
            HasPattern = !context[1].SequenceEqual("*"u8),
        };
        long cursor = 0;
        do
            cursor = context.Store.Scan(context.Store.Database, cursor, BucketsAtOnce, ref visitor);
        while (cursor != 0 && !context.Client.IsClosing);
        visitor.Reply.Flush();
        context.Reply.WriteArray(visitor.Written);
        aside.MoveTo(ref context.Reply);
    }
}
