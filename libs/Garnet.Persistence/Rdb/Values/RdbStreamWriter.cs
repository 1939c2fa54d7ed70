// Writes a stream in the form that every version from Redis 7.0 on reads. Keeps scratch memory; one thread at a time.
using System.Buffers.Binary;
using Garnet.Persistence.Rdb.Packed;
using Garnet.Store;

namespace Garnet.Persistence.Rdb.Values;

/// <summary>
/// Writes entries in the nodes that hold them, those deleted with them as Valkey does, then the stream's properties and its groups. The usual form (19) has no time of a
/// consumer's last activity; the next one (21) has, but version 10 does not know it.
/// </summary>
internal sealed class RdbStreamWriter
{
    private const int DeletedEntry = 1;
    private const int SameFields = 2;
    private readonly ListPackBuilder _entries = new();
    private readonly ListPackBuilder _node = new();
    private readonly List<byte[]> _names = [];

    /// <summary>Writes a stream.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="breathe">Called between small steps, or null.</param>
    /// <param name="withActivity">Whether the form is the one with the time of each consumer's last activity.</param>
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
            WriteGroup(writer, stream, group, withActivity);
            breathe?.Invoke();
        }
    }

    /// <summary>Whether the usual form would lose something: a reader of it takes a consumer to have been active when it was last seen.</summary>
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
        StreamNodeWalk walk = stream.WalkNodes();
        while (walk.MoveNextNode())
        {
            StreamId first = default;
            bool isFirst = true;
            while (walk.MoveNext())
            {
                if (isFirst)
                    BeginNode(walk.Current, out first);
                isFirst = false;
                AddEntry(walk.Current, first, walk.IsDeleted);
            }

            WriteNode(writer, first, walk.Live, walk.Deleted);
            breathe?.Invoke();
        }
    }

    private void BeginNode(StreamEntry entry, out StreamId first)
    {
        first = entry.Id;
        _entries.Clear();
        _names.Clear();
        foreach (HashField field in entry)
            _names.Add(field.Field.ToArray());
    }

    // Flags, the ID less the node's, number of fields and these with values, or values alone; last the number of elements.
    private void AddEntry(StreamEntry entry, StreamId first, bool isDeleted)
    {
        bool isSame = HasNodeFields(entry);
        _entries.Add((isSame ? SameFields : 0) | (isDeleted ? DeletedEntry : 0));
        _entries.Add(unchecked((long)(entry.Id.Milliseconds - first.Milliseconds)));
        _entries.Add(unchecked((long)(entry.Id.Sequence - first.Sequence)));
        if (!isSame)
            _entries.Add(entry.Fields);
        foreach (HashField field in entry)
        {
            if (!isSame)
                _entries.Add(field.Field);
            _entries.Add(field.Value);
        }

        _entries.Add(isSame ? entry.Fields + 3 : (2 * entry.Fields) + 4);
    }

    private bool HasNodeFields(StreamEntry entry)
    {
        if (entry.Fields != _names.Count)
            return false;
        int i = 0;
        foreach (HashField field in entry)
        {
            if (!field.Field.SequenceEqual(_names[i++]))
                return false;
        }

        return true;
    }

    // The node's ID, then in one listpack: live entries, deleted ones, the first entry's fields, 0, the entries.
    private void WriteNode(RdbWriter writer, StreamId first, int live, int deleted)
    {
        Span<byte> id = stackalloc byte[16];
        FormatId(id, first);
        writer.WriteString(id);
        _node.Clear();
        _node.Add(live);
        _node.Add(deleted);
        _node.Add(_names.Count);
        foreach (byte[] name in _names)
            _node.Add(name);
        _node.Add(0);
        _node.Append(_entries);
        writer.WriteString(_node.Finish());
    }

    private static void WriteGroup(RdbWriter writer, StreamView stream, StreamGroup group, bool withActivity)
    {
        writer.WriteString(group.Name);
        WriteId(writer, group.LastId);
        writer.WriteLength(unchecked((ulong)group.EntriesRead));
        writer.WriteLength((ulong)group.Pending);
        Span<byte> id = stackalloc byte[16];
        foreach (PendingEntry pending in stream.Pending(group, StreamId.Min, StreamId.Max))
        {
            FormatId(id, pending.Id);
            writer.WriteRaw(id);
            writer.WriteInt64(pending.DeliveredAtMs);
            writer.WriteLength((ulong)pending.Deliveries);
        }

        writer.WriteLength((ulong)group.Consumers);
        foreach (StreamConsumer consumer in group)
        {
            writer.WriteString(consumer.Name);
            writer.WriteInt64(consumer.SeenTimeMs);
            if (withActivity)
                writer.WriteInt64(consumer.ActiveTimeMs);
            writer.WriteLength((ulong)consumer.Pending);
            foreach (PendingEntry pending in stream.Pending(group, consumer, StreamId.Min, StreamId.Max))
            {
                FormatId(id, pending.Id);
                writer.WriteRaw(id);
            }
        }
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
