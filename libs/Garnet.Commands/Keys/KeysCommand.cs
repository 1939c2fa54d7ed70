// KEYS pattern
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;

namespace Garnet.Commands.Keys;

/// <summary>
/// Replies with all keys that match a pattern. Other clients continue meanwhile, including those of the same thread, so the reply may or
/// may not contain keys that are created or removed during the call.
/// </summary>
internal static class KeysCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "KEYS",
        Arity = 2,
        Flags = CommandFlags.ReadOnly | CommandFlags.WholeKeyspace,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Dangerous | AclCategories.Keyspace,
        Since = "1.0.0",
        Tips = ["request_policy:all_shards", "nondeterministic_output_order"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        // A long pattern is not kept beyond its request.
        GlobMatcher? matcher = context[1].Length <= GlobMatcher.MaxPatternBytes ? new GlobMatcher(context[1]) : null;
        if (matcher is null || !context.MayReplyInPieces)
        {
            ReplyAtOnce(ref context, matcher);
            return;
        }

        KeysReply keys = new(context.Client, matcher, isEveryKey: context[1].SequenceEqual("*"u8));
        keys.WriteReply(ref context.Reply);
        if (keys.HasMore)
            context.Suspend(keys);
    }

    private static void ReplyAtOnce(ref CommandContext context, GlobMatcher? matcher)
    {
        DeferredReply deferred = context.Scratch.Deferred;
        deferred.Clear();
        KeyReplyVisitor visitor = new(new RespWriter(deferred, context.Reply.ProtocolVersion))
        {
            Pattern = context[1],
            HasPattern = !context[1].SequenceEqual("*"u8),
            Matcher = matcher,
        };
        long cursor = 0;
        do cursor = context.Store.Reads.Scan(context.Store.Database, cursor, KeysReply.BucketsAtOnce, ref visitor);
        while (cursor != 0 && !context.Client.End.IsForced);
        visitor.Reply.Flush();
        context.Reply.WriteArray(visitor.Written);
        deferred.MoveTo(ref context.Reply);
    }
}
