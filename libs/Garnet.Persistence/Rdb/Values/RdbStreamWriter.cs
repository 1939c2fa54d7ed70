// Writes a stream in the format that every version since Redis 7.0 reads. Keeps scratch memory; one thread at a time.
using System.Buffers.Binary;
using Garnet.Persistence.Rdb.Packed;
using Garnet.Store.Collections.Streams;

namespace Garnet.Persistence.Rdb.Values;

/// <summary>
/// Writes entries in their nodes, including deleted ones as Valkey does, then the stream's properties and its groups. The usual format (19)
/// has no time of a consumer's last activity; the next one (21) has, but version 10 does not include it.
/// </summary>
internal sealed class RdbStreamWriter
{
    private const int DeletedEntry = 1;
    private const int SameFields = 2;
    private const int PendingPerYield = 64;
    private readonly ListPackBuilder _node = new();

    /// <summary>Writes a stream.</summary>
    /// <param name="writer">The output.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="breathe">Called between small steps, or null.</param>
    /// <param name="withActivity">Whether to use the format with the time of each consumer's last activity.</param>
    public void Write(RdbWriter writer, StreamView stream, Action? breathe, bool withActivity)
    {
        writer.WriteLength((ulong)stream.Nodes);
        WriteNodes(writer, stream, breathe);
        writer.WriteLength((ulong)stream.Length);
        WriteId(writer, stream.LastId);
        WriteId(writer, stream.FirstId);
        WriteId(writer, stream.MaxDeletedId);
        writer.WriteLength((ulong)stream.EntriesAdded);
        writer.WriteLength((ulong)stream.GroupCount);
        foreach (StreamGroup group in stream.Groups)
        {
            WriteGroup(writer, stream, group, breathe, withActivity);
            breathe?.Invoke();
        }
    }

    /// <summary>
    /// Whether the usual format would lose information: its readers set a consumer's activity time to the time it was last seen.
    /// </summary>
    public static bool NeedsActivity(StreamView stream)
    {
        foreach (StreamGroup group in stream.Groups)
        {
            foreach (StreamConsumer consumer in group)
            {
                if (consumer.ActiveTimeMs != consumer.SeenTimeMs)
                    return true;
            }
        }

        return false;
    }

    private void WriteNodes(RdbWriter writer, StreamView stream, Action? breathe)
    {
        Span<byte> id = stackalloc byte[16];
        StreamNodeWalk walk = stream.WalkNodes();
        while (walk.MoveNextNode())
        {
            FormatId(id, walk.Id);
            writer.WriteString(id);
            BeginNode(ref walk);
            while (walk.MoveNext())
                AddEntry(ref walk);
            writer.WriteString(_node.Finish());
            breathe?.Invoke();
        }
    }

    // Number of live entries, of deleted ones, the fields of the first entry, 0.
    private void BeginNode(scoped ref StreamNodeWalk walk)
    {
        _node.Clear();
        _node.Add(walk.Live);
        _node.Add(walk.Deleted);
        _node.Add(walk.Fields);
        _node.Add(walk.Names);
        _node.Add(0);
    }

    // Flags, the ID minus the node's, the values alone or the number of fields and these with values; last the number of elements.
    private void AddEntry(scoped ref StreamNodeWalk walk)
    {
        _node.Add((walk.HasNodeFields ? SameFields : 0) | (walk.IsDeleted ? DeletedEntry : 0));
        int elements = _node.Add(walk.Entry);
        _node.Add(1 + elements);
    }

    private static void WriteGroup(RdbWriter writer, StreamView stream, StreamGroup group, Action? breathe, bool withActivity)
    {
        writer.WriteString(group.Name);
        WriteId(writer, group.LastId);
        writer.WriteLength(unchecked((ulong)group.EntriesRead));
        writer.WriteLength((ulong)group.Pending);
        Span<byte> id = stackalloc byte[16];
        int written = 0;
        foreach (PendingEntry pending in stream.Pending(group.Number, StreamId.Min, StreamId.Max))
        {
            FormatId(id, pending.Id);
            writer.WriteRaw(id);
            writer.WriteInt64(pending.DeliveredAtMs);
            writer.WriteLength((ulong)pending.Deliveries);
            YieldSometimes(ref written, breathe);
        }

        writer.WriteLength((ulong)group.Consumers);
        foreach (StreamConsumer consumer in group)
        {
            writer.WriteString(consumer.Name);
            writer.WriteInt64(consumer.SeenTimeMs);
            if (withActivity)
                writer.WriteInt64(consumer.ActiveTimeMs);
            writer.WriteLength((ulong)consumer.Pending);
            foreach (PendingEntry pending in stream.Pending(group.Number, consumer.Number, StreamId.Min, StreamId.Max))
            {
                FormatId(id, pending.Id);
                writer.WriteRaw(id);
                YieldSometimes(ref written, breathe);
            }

            YieldSometimes(ref written, breathe);
        }
    }

    private static void YieldSometimes(ref int written, Action? breathe)
    {
        if (++written % PendingPerYield == 0)
            breathe?.Invoke();
    }

    private static void WriteId(RdbWriter writer, StreamId id)
    {
        writer.WriteLength(id.Milliseconds);
        writer.WriteLength(id.Sequence);
    }

    private static void FormatId(Span<byte> bytes, StreamId id)
    {
        BinaryPrimitives.WriteUInt64BigEndian(bytes, id.Milliseconds);
        BinaryPrimitives.WriteUInt64BigEndian(bytes[8..], id.Sequence);
    }
}
