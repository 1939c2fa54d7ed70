// MEMORY STATS
using Garnet.Protocol;
using Garnet.Server.Eviction;
using Garnet.Server.Sessions;
using Garnet.Store;

namespace Garnet.Server.Commands.Server;

/// <summary>Tells what takes memory.</summary>
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
        RespServer server = context.Server;
        StoreStatistics store = server.Store.Statistics;
        long allocated = store.AllocatedBytes;
        long used = server.Memory.UsedBytes;
        server.Statistics.NoteMemory(used);
        long peak = server.Statistics.PeakMemoryBytes;
        long live = store.LiveBytes;
        long resident = ResidentMemory.Bytes;
        long data = store.LiveRecordBytes + store.LiveBlockBytes + store.LiveTreeBytes;
        long keys = 0;
        for (int database = 0; database < server.Store.Databases; database++)
            keys += server.Store.KeyCount(database);
        context.Reply.WriteMap(21);
        Write(ref context.Reply, "peak.allocated"u8, peak);
        Write(ref context.Reply, "total.allocated"u8, used);
        Write(ref context.Reply, "startup.allocated"u8, server.Memory.StartBytes);
        Write(ref context.Reply, "clients.normal"u8, server.Clients.Connected.Sum(static client => client.MemoryBytes));
        Write(ref context.Reply, "aof.buffer"u8, server.AppendOnly.Log?.StagedBytes ?? 0);
        Write(ref context.Reply, "overhead.total"u8, used - data);
        Write(ref context.Reply, "keys.count"u8, keys);
        Write(ref context.Reply, "keys.bytes-per-key"u8, keys == 0 ? 0 : Math.Max(0, live - server.Memory.StartBytes) / keys);
        Write(ref context.Reply, "dataset.bytes"u8, data);
        WriteDouble(ref context.Reply, "dataset.percentage"u8, Share(data, used));
        WriteDouble(ref context.Reply, "peak.percentage"u8, Share(used, peak));
        Write(ref context.Reply, "allocator.allocated"u8, live);
        Write(ref context.Reply, "allocator.active"u8, allocated);
        Write(ref context.Reply, "allocator.resident"u8, resident);
        WriteDouble(ref context.Reply, "allocator-fragmentation.ratio"u8, live == 0 ? 1 : (double)allocated / live);
        Write(ref context.Reply, "allocator-fragmentation.bytes"u8, allocated - live);
        WriteDouble(ref context.Reply, "fragmentation"u8, used == 0 ? 1 : (double)resident / used);
        Write(ref context.Reply, "fragmentation.bytes"u8, resident - used);
        Write(ref context.Reply, "index.bytes"u8, store.IndexBytes);
        Write(ref context.Reply, "dead.bytes"u8, store.DeadRecordBytes);
        Write(ref context.Reply, "connections.bytes"u8, server.Memory.ConnectionBytes);
    }

    private static double Share(long part, long whole) => whole == 0 ? 0 : part * 100.0 / whole;

    private static void Write(ref RespWriter reply, ReadOnlySpan<byte> name, long value)
    {
        reply.WriteBulk(name);
        reply.WriteInteger(value);
    }

    private static void WriteDouble(ref RespWriter reply, ReadOnlySpan<byte> name, double value)
    {
        reply.WriteBulk(name);
        reply.WriteDouble(value);
    }
}
