// Reads a stream: nodes of entries packed in listpacks, then properties, then consumer groups. Keeps scratch memory; one thread at a time.
using System.Buffers.Binary;
using Garnet.Persistence.Rdb.Packed;

namespace Garnet.Persistence.Rdb.Values;

/// <summary>Parses the three stream formats.</summary>
internal sealed class RdbStreamReader
{
    private const int IdBytes = 16;
    private const int DeletedEntry = 1;
    private const int SameFields = 2;
    private readonly byte[] _digits = new byte[PackedElement.MaxDigits];
    private readonly byte[] _moreDigits = new byte[PackedElement.MaxDigits];
    private readonly RdbScratch _id = new();
    private readonly RdbScratch _node = new();
    private readonly RdbScratch _name = new();
    private RdbStreamId _last;
    private RdbStreamId _firstLive;
    private ulong _live;
    private long[] _activity = [];
    private int _consumers;

    /// <summary>Nodes validated; reset by the caller that reads the number.</summary>
    public int CheckedNodes { get; set; }

    /// <summary>Reads a stream in the given format.</summary>
    public void Read<TSink>(ref RdbSource source, RdbType form, scoped ref TSink sink, long[]? activity)
        where TSink : IRdbStreamSink, allows ref struct
    {
        _activity = activity ?? [];
        _consumers = 0;
        sink.BeginStream();
        _live = 0;
        _last = default;
        _firstLive = default;
        long nodes = source.ReadCount(2);
        for (long i = 0; i < nodes; i++)
            ReadNode(ref source, ref sink);
        RdbStreamProperties properties = ReadProperties(ref source, form);
        if (properties.Length != _live)
            throw source.Wrong("A stream's length is not the number of its entries");
        if (properties.LastId < _last)
            throw source.Wrong("A stream's properties contradict its entries");
        sink.Properties(properties);
        long groups = source.ReadCount(5);
        for (long i = 0; i < groups; i++)
            ReadGroup(ref source, form, properties, ref sink);
    }

    private static RdbStreamId ReadRawId(ref RdbSource source)
    {
        ReadOnlySpan<byte> bytes = source.Take(IdBytes);
        return ParseId(bytes);
    }

    private static RdbStreamId ParseId(ReadOnlySpan<byte> bytes) =>
        new(BinaryPrimitives.ReadUInt64BigEndian(bytes), BinaryPrimitives.ReadUInt64BigEndian(bytes[8..]));

    private static RdbStreamId ReadId(ref RdbSource source)
    {
        ulong ms = source.ReadLengthOrHighest();
        return new RdbStreamId(ms, source.ReadLengthOrHighest());
    }

    private RdbStreamProperties ReadProperties(ref RdbSource source, RdbType form)
    {
        ulong length = source.ReadLengthOrHighest();
        RdbStreamId last = ReadId(ref source);
        if (form == RdbType.Stream1)
            return new RdbStreamProperties(length, last, _firstLive, default, length);
        RdbStreamId first = ReadId(ref source);
        RdbStreamId deleted = ReadId(ref source);
        return new RdbStreamProperties(length, last, first, deleted, source.ReadLengthOrHighest());
    }

    // The node's ID, then a listpack: number of live entries, of deleted ones, of the node's fields, the field names, 0; then the entries.
    private void ReadNode<TSink>(ref RdbSource source, scoped ref TSink sink)
        where TSink : IRdbStreamSink, allows ref struct
    {
        ReadOnlySpan<byte> key = source.ReadString(_id);
        if (key.Length != IdBytes)
            throw source.Wrong("A stream's node has no ID");
        RdbStreamId node = ParseId(key);
        long offset = source.Offset;
        ReadOnlySpan<byte> blob = source.ReadString(_node);
        CheckedNodes++;
        var reader = new PackedReader(PackedForm.ListPack, blob, offset, _digits);
        long live = reader.NextInteger();
        long deleted = reader.NextInteger();
        long fields = reader.NextInteger();
        if (
            live < 0
            || deleted < 0
            || fields < 0
            || live + deleted <= 0
            || fields > blob.Length
            || live > blob.Length
            || deleted > blob.Length
        )
        {
            throw reader.Damaged();
        }

        PackedReader names = reader;
        for (long i = 0; i < fields; i++)
            reader.Next(_digits);
        if (reader.NextInteger() != 0)
            throw reader.Damaged();
        sink.BeginNode();
        for (long i = live + deleted; i > 0; i--)
        {
            if (!ReadEntry(ref reader, names, node, fields, ref sink))
                deleted--;
        }

        if (deleted != 0 || reader.MoveNext(_digits, out _))
            throw reader.Damaged();
    }

    // Flags, the ID minus the node's, then values for the node's fields, or a number of fields and these with their values; last the number
    // of elements.
    private bool ReadEntry<TSink>(scoped ref PackedReader reader, PackedReader names, RdbStreamId node, long fields, scoped ref TSink sink)
        where TSink : IRdbStreamSink, allows ref struct
    {
        int before = reader.Count;
        long flags = reader.NextInteger();
        long ms = reader.NextInteger();
        long sequence = reader.NextInteger();
        var id = new RdbStreamId(unchecked(node.Ms + (ulong)ms), unchecked(node.Sequence + (ulong)sequence));
        bool isLive = (flags & DeletedEntry) == 0;
        bool hasOwnFields = (flags & SameFields) == 0;
        if (id <= _last)
            throw reader.Damaged();
        if (hasOwnFields)
            fields = reader.NextInteger();
        if (fields <= 0)
            throw reader.Damaged();
        Note(id, isLive);
        sink.BeginEntry(id);
        ReadFields(ref reader, names, fields, hasOwnFields, ref sink);
        sink.EndEntry(id, !isLive);
        int elements = reader.Count - before;
        return reader.NextInteger() == elements ? isLive : throw reader.Damaged();
    }

    private void ReadFields<TSink>(
        scoped ref PackedReader reader,
        PackedReader names,
        long fields,
        bool hasOwnFields,
        scoped ref TSink sink
    )
        where TSink : IRdbStreamSink, allows ref struct
    {
        for (long i = 0; i < fields; i++)
        {
            PackedElement name = hasOwnFields ? reader.Next(_digits) : names.Next(_digits);
            PackedElement value = reader.Next(_moreDigits);
            sink.Field(name.Text, value.Text);
        }
    }

    private void Note(RdbStreamId id, bool isLive)
    {
        _last = id;
        if (!isLive)
            return;
        if (_live++ == 0)
            _firstLive = id;
    }

    // The number of entries that a group has read up to an ID, for the format without it: known only at the stream's ends.
    private static long EntriesUpTo(RdbStreamId id, in RdbStreamProperties stream)
    {
        if (stream.EntriesAdded == 0 || id < stream.FirstId)
            return 0;
        if (id == stream.LastId)
            return (long)stream.EntriesAdded;
        return id == stream.FirstId ? 1 : -1;
    }

    private void ReadGroup<TSink>(ref RdbSource source, RdbType form, in RdbStreamProperties properties, scoped ref TSink sink)
        where TSink : IRdbStreamSink, allows ref struct
    {
        ReadOnlySpan<byte> name = source.ReadString(_name);
        RdbStreamId last = ReadId(ref source);
        long entriesRead = form == RdbType.Stream1 ? EntriesUpTo(last, properties) : unchecked((long)source.ReadLengthOrHighest());
        if (!sink.BeginGroup(name, last, entriesRead))
            throw source.Wrong("A stream has a duplicate consumer group");
        long pending = source.ReadCount(IdBytes + 9);
        for (long i = 0; i < pending; i++)
        {
            RdbStreamId id = ReadRawId(ref source);
            long deliveredAtMs = source.ReadInt64();
            if (!sink.Pending(id, deliveredAtMs, source.ReadLengthOrHighest()))
                throw source.Wrong("An entry is pending twice");
        }

        long consumers = source.ReadCount(10);
        for (long i = 0; i < consumers; i++)
            ReadConsumer(ref source, form, ref sink);
        if (!sink.EndGroup())
            throw source.Wrong("A pending entry has no consumer");
    }

    private void ReadConsumer<TSink>(ref RdbSource source, RdbType form, scoped ref TSink sink)
        where TSink : IRdbStreamSink, allows ref struct
    {
        ReadOnlySpan<byte> name = source.ReadString(_name);
        long seenAtMs = source.ReadInt64();
        long activeAtMs =
            form == RdbType.Stream3 ? source.ReadInt64()
            : _consumers < _activity.Length ? _activity[_consumers]
            : seenAtMs;
        _consumers++;
        if (!sink.BeginConsumer(name, seenAtMs, activeAtMs))
            throw source.Wrong("A consumer group has a duplicate consumer");
        long pending = source.ReadCount(IdBytes);
        for (long i = 0; i < pending; i++)
        {
            if (!sink.ConsumerPending(ReadRawId(ref source)))
                throw source.Wrong("An entry is pending for a consumer that it was not delivered to");
        }
    }
}
