// MEMORY STATS
using System.Globalization;
using System.Text;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Server.Eviction;
using Garnet.Server.Persistence;
using Garnet.Server.Replication;
using Garnet.Server.Statistics;
using Garnet.Store;

namespace Garnet.Server.Commands.Memory;

/// <summary>Reports memory usage by purpose.</summary>
internal sealed class MemoryStatsCommand(
    MemoryAccount memory,
    ServerStatistics statistics,
    ServerReplication replication,
    ClientRegistry clients,
    ServerPersistence persistence
)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "STATS",
        Arity = 2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Server,
        Since = "4.0.0",
        Tips = ["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
        MakeHandler = static parts =>
            new MemoryStatsCommand(
                parts.Get<MemoryAccount>(),
                parts.Get<ServerStatistics>(),
                parts.Get<ServerReplication>(),
                parts.Get<ClientRegistry>(),
                parts.Get<ServerPersistence>()
            ).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        HybridLogStore store = context.Store.Store;
        var figures = MemoryFigures.Of(store, memory, statistics);
        int[] databases = [.. Enumerable.Range(0, store.Databases.Count).Where(database => store.Databases.KeyCount(database) > 0)];
        long keys = databases.Sum(store.Databases.KeyCount);
        ref RespWriter reply = ref context.Reply;
        reply.WriteMap(34 + databases.Length);
        Write(ref reply, "peak.allocated"u8, figures.Peak);
        Write(ref reply, "total.allocated"u8, figures.Used);
        Write(ref reply, "startup.allocated"u8, memory.StartBytes);
        Write(ref reply, "replication.backlog"u8, replication.Effects.BacklogMemoryBytes);
        Write(ref reply, "replicas.repl.buffer"u8, replication.Syncs.Transfer?.MemoryBytes ?? 0);
        Write(ref reply, "clients.slaves"u8, 0);
        Write(ref reply, "clients.normal"u8, clients.Connected.Sum(static client => client.MemoryBytes));
        Write(ref reply, "cluster.links"u8, 0);
        Write(ref reply, "aof.buffer"u8, persistence.AppendOnly.Log?.StagedBytes ?? 0);
        Write(ref reply, "lua.caches"u8, 0);
        Write(ref reply, "functions.caches"u8, 0);
        foreach (int database in databases)
            WriteDatabase(ref reply, store, database, keys);
        Write(ref reply, "overhead.db.hashtable.lut"u8, store.Statistics.IndexBytes);
        Write(ref reply, "overhead.db.hashtable.rehashing"u8, 0);
        Write(ref reply, "overhead.total"u8, figures.Used - figures.Data);
        Write(ref reply, "db.dict.rehashing.count"u8, 0);
        Write(ref reply, "keys.count"u8, keys);
        Write(ref reply, "keys.bytes-per-key"u8, keys == 0 ? 0 : figures.Data / keys);
        Write(ref reply, "dataset.bytes"u8, figures.Data);
        WriteDouble(ref reply, "dataset.percentage"u8, Share(figures.Data, figures.Used));
        WriteDouble(ref reply, "peak.percentage"u8, Share(figures.Used, figures.Peak));
        Write(ref reply, "allocator.allocated"u8, figures.Live);
        Write(ref reply, "allocator.active"u8, figures.Allocated);
        Write(ref reply, "allocator.resident"u8, figures.Used);
        WriteDouble(ref reply, "allocator-fragmentation.ratio"u8, figures.FragmentationRatio);
        Write(ref reply, "allocator-fragmentation.bytes"u8, figures.Allocated - figures.Live);
        WriteDouble(ref reply, "allocator-rss.ratio"u8, figures.CountedRatio);
        Write(ref reply, "allocator-rss.bytes"u8, figures.Used - figures.Allocated);
        WriteDouble(ref reply, "rss-overhead.ratio"u8, figures.ResidentRatio);
        Write(ref reply, "rss-overhead.bytes"u8, figures.Resident - figures.Used);
        WriteDouble(ref reply, "fragmentation"u8, figures.ResidentRatio);
        Write(ref reply, "fragmentation.bytes"u8, figures.Resident - figures.Used);
        Write(ref reply, "index.bytes"u8, store.Statistics.IndexBytes);
        Write(ref reply, "dead.bytes"u8, store.Statistics.DeadRecordBytes);
        Write(ref reply, "connections.bytes"u8, figures.Connections);
    }

    // All databases share the index, so each is assigned a share by its number of keys; an expiry is eight bytes of its record.
    private static void WriteDatabase(ref RespWriter reply, HybridLogStore store, int database, long keys)
    {
        reply.WriteBulk(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"db.{database}")));
        reply.WriteMap(2);
        Write(
            ref reply,
            "overhead.hashtable.main"u8,
            (long)((double)store.Statistics.IndexBytes * store.Databases.KeyCount(database) / Math.Max(1, keys))
        );
        Write(ref reply, "overhead.hashtable.expires"u8, store.Databases.ExpiringKeyCount(database) * sizeof(long));
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
