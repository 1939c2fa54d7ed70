// MEMORY STATS
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Server.Commands.Server;

/// <summary>Tells what the data takes, as far as it is known.</summary>
internal static class MemoryStatsCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "STATS",
        Arity = 2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Server,
        Categories = AclCategories.Slow,
        Since = "4.0.0",
        Tips = ["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        HybridLogStore store = context.Server.Store;
        long used = store.Statistics.AllocatedBytes;
        context.Server.Statistics.NoteMemory(used);
        long peak = context.Server.Statistics.PeakMemoryBytes;
        long data = store.Statistics.LiveRecordBytes + store.Statistics.BlockBytes;
        long keys = 0;
        for (int database = 0; database < store.Databases; database++)
            keys += store.KeyCount(database);
        context.Reply.WriteMap(11);
        Write(ref context.Reply, "peak.allocated"u8, peak);
        Write(ref context.Reply, "total.allocated"u8, used);
        Write(ref context.Reply, "overhead.total"u8, used - data);
        Write(ref context.Reply, "keys.count"u8, keys);
        Write(ref context.Reply, "keys.bytes-per-key"u8, keys == 0 ? 0 : used / keys);
        Write(ref context.Reply, "dataset.bytes"u8, data);
        WritePercentage(ref context.Reply, "dataset.percentage"u8, data, used);
        WritePercentage(ref context.Reply, "peak.percentage"u8, used, peak);
        Write(ref context.Reply, "index.bytes"u8, store.Statistics.IndexBytes);
        Write(ref context.Reply, "dead.bytes"u8, store.Statistics.DeadRecordBytes);
        Write(ref context.Reply, "resident.bytes"u8, Environment.WorkingSet);
    }

    private static void Write(ref RespWriter reply, ReadOnlySpan<byte> name, long value)
    {
        reply.WriteBulk(name);
        reply.WriteInteger(value);
    }

    private static void WritePercentage(ref RespWriter reply, ReadOnlySpan<byte> name, long part, long whole)
    {
        reply.WriteBulk(name);
        reply.WriteDouble(whole == 0 ? 0 : part * 100.0 / whole);
    }
}
