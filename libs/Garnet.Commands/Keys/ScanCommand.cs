// SCAN cursor [MATCH pattern] [COUNT count] [TYPE type]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Commands.Keys;

/// <summary>Iterates over the keys of the database, some per call. Expired keys that pass the filters are removed along the way.</summary>
internal static class ScanCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SCAN",
        Arity = -2,
        Flags = CommandFlags.ReadOnly | CommandFlags.WholeKeyspace,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Keyspace,
        Since = "2.8.0",
        Tips = ["nondeterministic_output", "request_policy:special", "response_policy:special"],
        Handler = Execute,
    };

    // Number of buckets that a call may visit without finding a key, however small COUNT is: all databases share the index, and a visit is
    // cheap.
    private const long MinBuckets = 1024;
    private const int BucketsAtOnce = 16;
    private const int KeysPerBucket = 4;

    private static void Execute(ref CommandContext context)
    {
        if (!ScanCursor.TryGet(ref context, 1, out ulong cursor) || !ScanOptions.TryParse(ref context, 2, null, out ScanOptions options))
            return;
        DeferredReply deferred = context.Scratch.Deferred;
        deferred.Clear();
        KeyReplyVisitor visitor = new(new RespWriter(deferred, context.Reply.ProtocolVersion))
        {
            Pattern = options.Pattern,
            HasPattern = options.HasPattern,
            Type = options.Type,
            Expiring = context.Store,
        };
        if (context.Store.Store.Databases.KeyCount(context.Store.Database) == 0)
            cursor = 0;
        else
            cursor = Scan(context.Store, cursor, options.Count, ref visitor);
        visitor.Reply.Flush();
        ScanReply.Write(ref context, cursor, visitor.Written);
    }

    private static ulong Scan(StoreSession store, ulong cursor, long count, ref KeyReplyVisitor visitor)
    {
        long buckets = Math.Max(MinBuckets, count > long.MaxValue / 10 ? long.MaxValue : count * 10);
        do
        {
            long wanted = (count - visitor.Visited + KeysPerBucket - 1) / KeysPerBucket;
            int step = (int)Math.Clamp(wanted, 1, BucketsAtOnce);
            cursor = (ulong)store.Reads.Scan(store.Database, (long)cursor, step, ref visitor);
            buckets -= step;
        } while (cursor != 0 && visitor.Visited < count && buckets > 0);
        return cursor;
    }
}
