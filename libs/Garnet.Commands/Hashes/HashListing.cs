// Shared implementation of HGETALL, HKEYS and HVALS. Stateless.
using Garnet.Engine.Execution;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>Replies with all fields of a hash.</summary>
internal static class HashListing
{
    /// <summary>Replies with fields and values, as a map.</summary>
    public static void ReplyWithPairs(ref CommandContext context)
    {
        if (!HashKey.TryOpenForReading(ref context, out HashValue hash))
            return;
        long fields = HashKey.VisibleFields(in context, in hash);
        if (context.MayReplyInPieces && hash.TakeSnapshotIfLarge() is { } snapshot)
        {
            context.Suspend(new FieldPieces(snapshot, fields, context.ExpiryNowMs, withFields: true, withValues: true));
            return;
        }

        context.Reply.WriteMap(checked((int)fields));
        foreach (HashField field in hash)
        {
            context.Reply.WriteBulk(field.Field);
            context.Reply.WriteBulk(field.Value);
        }
    }

    /// <summary>Replies with only the fields or only the values, as an array.</summary>
    public static void ReplyWithHalves(ref CommandContext context, bool values)
    {
        if (!HashKey.TryOpenForReading(ref context, out HashValue hash))
            return;
        long fields = HashKey.VisibleFields(in context, in hash);
        if (context.MayReplyInPieces && hash.TakeSnapshotIfLarge() is { } snapshot)
        {
            context.Suspend(new FieldPieces(snapshot, fields, context.ExpiryNowMs, !values, values));
            return;
        }

        context.Reply.WriteArray(checked((int)fields));
        foreach (HashField field in hash)
            context.Reply.WriteBulk(values ? field.Value : field.Field);
    }
}
