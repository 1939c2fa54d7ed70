// Reads a value of any type and encoding and passes it on piece by piece. Keeps scratch memory; one thread at a time.
using System.Buffers.Binary;
using Garnet.Persistence.Rdb.Packed;

namespace Garnet.Persistence.Rdb.Values;

/// <summary>Parses values written by any version of Redis or Valkey. Invalid data throws an <see cref="RdbFormatException"/>.</summary>
internal sealed class RdbValueReader
{
    /// <summary>The first version of Redis not shared by Valkey; from here to Valkey's first own version they are Redis's.</summary>
    internal const int FirstForeignVersion = 12;

    private const long NoExpiry = -1;
    private readonly byte[] _digits = new byte[PackedElement.MaxDigits];
    private readonly byte[] _moreDigits = new byte[PackedElement.MaxDigits];
    private readonly RdbScratch _first = new();
    private readonly RdbScratch _second = new();
    private readonly RdbStreamReader _streams = new();
    private int _checked;

    /// <summary>
    /// The RDB version of the data: types from 22 on have different meanings in Redis's versions (12 to 79) and in Valkey's.
    /// </summary>
    public int Version { get; set; } = RdbWriter.UsualVersion;

    /// <summary>Reads a string; the bytes are valid until the next call.</summary>
    public ReadOnlySpan<byte> ReadString(scoped ref RdbSource source) => source.ReadString(_first);

    /// <summary>
    /// Reads a stream, which may be empty; <paramref name="activity"/> is the property before it (<see cref="RdbActivity"/>), or null.
    /// </summary>
    public void ReadStream<TSink>(scoped ref RdbSource source, RdbType type, scoped ref TSink sink, long[]? activity = null)
        where TSink : IRdbStreamSink, allows ref struct => _streams.Read(ref source, type, ref sink, activity);

    /// <summary>The number of listpacks, intsets and stream nodes validated since the last call.</summary>
    public int TakeChecked()
    {
        int count = _checked + _streams.CheckedNodes;
        _checked = _streams.CheckedNodes = 0;
        return count;
    }

    /// <summary>Whether a type is a stream.</summary>
    public static bool IsStream(RdbType type) => type is RdbType.Stream1 or RdbType.Stream2 or RdbType.Stream3;

    /// <summary>Reads the value of any type but string and stream; false when it has no elements, which a key cannot have.</summary>
    public bool ReadCollection<TSink>(scoped ref RdbSource source, RdbType type, scoped ref TSink sink)
        where TSink : IRdbCollectionSink, allows ref struct
    {
        switch (type)
        {
            case RdbType.List:
                return ReadList(ref source, ref sink);
            case RdbType.Set:
                return ReadSet(ref source, ref sink);
            case RdbType.SortedSetText or RdbType.SortedSet:
                return ReadSortedSet(ref source, ref sink, isText: type == RdbType.SortedSetText);
            case RdbType.Hash:
                return ReadHash(ref source, ref sink, hasExpiries: false);
            case RdbType.HashZipMap:
                return ReadPackedHash(ref source, ref sink, PackedForm.ZipMap);
            case RdbType.ListZipList:
                sink.BeginList();
                bool hasElements = ReadPackedNode(ref source, ref sink, PackedForm.ZipList);
                sink.EndList(staysQuickList: true);
                return hasElements;
            case RdbType.SetIntSet:
                return ReadIntSet(ref source, ref sink);
            case RdbType.SortedSetZipList or RdbType.SortedSetListPack:
                return ReadPackedSortedSet(
                    ref source,
                    ref sink,
                    type == RdbType.SortedSetZipList ? PackedForm.ZipList : PackedForm.ListPack
                );
            case RdbType.HashZipList or RdbType.HashListPack:
                return ReadPackedHash(ref source, ref sink, type == RdbType.HashZipList ? PackedForm.ZipList : PackedForm.ListPack);
            case RdbType.SetListPack:
                return ReadPackedSet(ref source, ref sink);
            case RdbType.ListQuickList or RdbType.ListQuickList2:
                return ReadQuickList(ref source, ref sink, hasContainers: type == RdbType.ListQuickList2);
            case RdbType.OldModule:
                throw source.Wrong("A value written by a module of a release candidate of Redis 4.0 cannot be read");
            default:
                return ReadExpiringHash(ref source, type, ref sink);
        }
    }

    // From type 22 on the version decides the meaning.
    private bool ReadExpiringHash<TSink>(scoped ref RdbSource source, RdbType type, scoped ref TSink sink)
        where TSink : IRdbCollectionSink, allows ref struct
    {
        bool isForeign = Version is >= FirstForeignVersion and < RdbWriter.FirstValkeyVersion;
        return type switch
        {
            RdbType.HashExpiring when !isForeign => ReadHash(ref source, ref sink, hasExpiries: true),
            RdbType.HashExpiring when isForeign => ReadForeignHash(ref source, ref sink, least: 1),
            RdbType.ForeignHashExpiring when isForeign => ReadForeignHash(ref source, ref sink, least: source.ReadInt64()),
            RdbType.ForeignHashListPackCandidate when isForeign => ReadPackedExpiringHash(ref source, ref sink),
            RdbType.ForeignHashListPackExpiring when isForeign && source.ReadInt64() is var _ => ReadPackedExpiringHash(
                ref source,
                ref sink
            ),
            _ => throw source.Wrong($"The value's type {(byte)type} is unknown in version {Version}"),
        };
    }

    private bool ReadList<TSink>(scoped ref RdbSource source, scoped ref TSink sink)
        where TSink : IRdbCollectionSink, allows ref struct
    {
        long count = source.ReadCount(1);
        sink.BeginList();
        for (long i = 0; i < count; i++)
            sink.AddElement(source.ReadString(_first));
        sink.EndList(staysQuickList: false);
        return count > 0;
    }

    private bool ReadSet<TSink>(scoped ref RdbSource source, scoped ref TSink sink)
        where TSink : IRdbCollectionSink, allows ref struct
    {
        long count = source.ReadCount(1);
        sink.BeginSet(count);
        for (long i = 0; i < count; i++)
        {
            if (!sink.AddMember(source.ReadString(_first)))
                throw source.Wrong("A set has a duplicate member");
        }

        return count > 0;
    }

    private bool ReadSortedSet<TSink>(scoped ref RdbSource source, scoped ref TSink sink, bool isText)
        where TSink : IRdbCollectionSink, allows ref struct
    {
        long count = source.ReadCount(isText ? 2 : 9);
        sink.BeginSortedSet(count);
        for (long i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> member = source.ReadString(_first);
            double score = isText ? ReadScoreText(ref source) : source.ReadDouble();
            AddScored(ref source, ref sink, member, score);
        }

        if (!sink.EndSortedSet())
            throw source.Wrong("A sorted set has a duplicate member");
        return count > 0;
    }

    private static void AddScored<TSink>(scoped ref RdbSource source, scoped ref TSink sink, scoped ReadOnlySpan<byte> member, double score)
        where TSink : IRdbCollectionSink, allows ref struct
    {
        if (double.IsNaN(score))
            throw source.Wrong("A score is not a number");
        if (!sink.AddScored(member, score))
            throw source.Wrong("A sorted set has a duplicate member");
    }

    // A byte gives the length of the text, or 253: not a number, 254 and 255: the infinities.
    private double ReadScoreText(scoped ref RdbSource source)
    {
        int length = source.ReadByte();
        switch (length)
        {
            case 253:
                return double.NaN;
            case 254:
                return double.PositiveInfinity;
            case 255:
                return double.NegativeInfinity;
        }

        Span<byte> text = _second.SetLength(length);
        for (int read = 0; read < length; )
        {
            ReadOnlySpan<byte> piece = source.ReadPiece(length - read);
            piece.CopyTo(text[read..]);
            read += piece.Length;
        }

        return ScoreText.TryRead(text, out double score) ? score : throw source.Wrong("A score is not a number");
    }

    private bool ReadHash<TSink>(scoped ref RdbSource source, scoped ref TSink sink, bool hasExpiries)
        where TSink : IRdbCollectionSink, allows ref struct
    {
        long count = source.ReadCount(hasExpiries ? 10 : 2);
        sink.BeginHash(hasExpiries ? long.MaxValue : count);
        for (long i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> field = source.ReadString(_first);
            ReadOnlySpan<byte> value = source.ReadString(_second);
            long expiresAtMs = hasExpiries ? source.ReadInt64() : NoExpiry;
            if (expiresAtMs < NoExpiry)
                throw source.Wrong("A field's expiry is invalid");
            AddField(ref source, ref sink, field, value, expiresAtMs);
        }

        return count > 0;
    }

    // Redis 7.4: expiries are stored as their distance from the earliest one plus one; 0 for none.
    private bool ReadForeignHash<TSink>(scoped ref RdbSource source, scoped ref TSink sink, long least)
        where TSink : IRdbCollectionSink, allows ref struct
    {
        long count = source.ReadCount(3);
        sink.BeginHash(count);
        for (long i = 0; i < count; i++)
        {
            ulong distance = source.ReadLength();
            long expiresAtMs = distance == 0 ? NoExpiry : (long)((ulong)least + distance - 1);
            ReadOnlySpan<byte> field = source.ReadString(_first);
            ReadOnlySpan<byte> value = source.ReadString(_second);
            if (expiresAtMs < NoExpiry)
                throw source.Wrong("A field's expiry is invalid");
            AddField(ref source, ref sink, field, value, expiresAtMs);
        }

        return count > 0;
    }

    private static void AddField<TSink>(
        scoped ref RdbSource source,
        scoped ref TSink sink,
        scoped ReadOnlySpan<byte> field,
        scoped ReadOnlySpan<byte> value,
        long expiresAtMs
    )
        where TSink : IRdbCollectionSink, allows ref struct
    {
        if (!sink.AddField(field, value, expiresAtMs))
            throw source.Wrong("A hash has a duplicate field");
    }

    private bool ReadQuickList<TSink>(scoped ref RdbSource source, scoped ref TSink sink, bool hasContainers)
        where TSink : IRdbCollectionSink, allows ref struct
    {
        const ulong plain = 1;
        const ulong packed = 2;
        long nodes = source.ReadCount(hasContainers ? 2 : 1);
        sink.BeginList();
        int filled = 0;
        bool hasLargeElement = false;
        for (long i = 0; i < nodes; i++)
        {
            ulong container = hasContainers ? source.ReadLength() : packed;
            if (container == plain)
            {
                ReadOnlySpan<byte> element = source.ReadString(_first);
                if (element.IsEmpty)
                    throw source.Wrong("A list has a plain node with an empty element");
                sink.BeginNode(isPlain: true);
                sink.AddElement(element);
                hasLargeElement = true;
            }
            else if (container == packed)
            {
                sink.BeginNode(isPlain: false);
                filled += ReadPackedNode(ref source, ref sink, hasContainers ? PackedForm.ListPack : PackedForm.ZipList) ? 1 : 0;
            }
            else
            {
                throw source.Wrong($"A list's container {container} is unknown");
            }
        }

        sink.EndList(staysQuickList: false);
        return hasLargeElement || filled > 0;
    }

    private bool ReadPackedNode<TSink>(scoped ref RdbSource source, scoped ref TSink sink, PackedForm form)
        where TSink : IRdbCollectionSink, allows ref struct
    {
        PackedReader reader = Open(ref source, form);
        while (reader.MoveNext(_digits, out PackedElement element))
            sink.AddElement(element.Text);
        return reader.Count > 0;
    }

    private bool ReadPackedSet<TSink>(scoped ref RdbSource source, scoped ref TSink sink)
        where TSink : IRdbCollectionSink, allows ref struct
    {
        PackedReader reader = Open(ref source, PackedForm.ListPack);
        sink.BeginPackedSet(reader.Bytes);
        while (reader.MoveNext(_digits, out PackedElement member))
        {
            if (!sink.AddMember(member.Text))
                throw source.Wrong("A set has a duplicate member");
        }

        return reader.Count > 0;
    }

    private bool ReadPackedSortedSet<TSink>(scoped ref RdbSource source, scoped ref TSink sink, PackedForm form)
        where TSink : IRdbCollectionSink, allows ref struct
    {
        PackedReader reader = Open(ref source, form);
        sink.BeginPackedSortedSet(reader.Bytes);
        while (reader.MoveNext(_digits, out PackedElement member))
        {
            PackedElement text = reader.Next(_moreDigits);
            double score = text.IsInteger ? text.Integer : ScoreText.ReadPacked(text.Text);
            AddScored(ref source, ref sink, member.Text, score);
        }

        return reader.Count > 0;
    }

    private bool ReadPackedHash<TSink>(scoped ref RdbSource source, scoped ref TSink sink, PackedForm form)
        where TSink : IRdbCollectionSink, allows ref struct
    {
        PackedReader reader = Open(ref source, form);
        if (form == PackedForm.ZipMap)
            sink.BeginHash(0);
        else
            sink.BeginPackedHash(reader.Bytes);
        while (reader.MoveNext(_digits, out PackedElement field))
            AddField(ref source, ref sink, field.Text, reader.Next(_moreDigits).Text, NoExpiry);
        return reader.Count > 0;
    }

    private bool ReadPackedExpiringHash<TSink>(scoped ref RdbSource source, scoped ref TSink sink)
        where TSink : IRdbCollectionSink, allows ref struct
    {
        PackedReader reader = Open(ref source, PackedForm.ListPack);
        sink.BeginHash(0);
        while (reader.MoveNext(_digits, out PackedElement field))
        {
            PackedElement value = reader.Next(_moreDigits);
            long expiresAtMs = reader.NextInteger();
            if (expiresAtMs < 0)
                throw source.Wrong("A field's expiry is invalid");
            AddField(ref source, ref sink, field.Text, value.Text, expiresAtMs == 0 ? NoExpiry : expiresAtMs);
        }

        return reader.Count > 0;
    }

    // u32 width of a number, u32 count, the numbers in ascending order, all little endian.
    private bool ReadIntSet<TSink>(scoped ref RdbSource source, scoped ref TSink sink)
        where TSink : IRdbCollectionSink, allows ref struct
    {
        const int header = 8;
        ReadOnlySpan<byte> blob = source.ReadString(_first);
        _checked++;
        if (blob.Length < header)
            throw source.Wrong("An intset is damaged");
        uint width = BinaryPrimitives.ReadUInt32LittleEndian(blob);
        uint count = BinaryPrimitives.ReadUInt32LittleEndian(blob[4..]);
        if (width is not (2 or 4 or 8) || (ulong)count * width != (ulong)(blob.Length - header))
            throw source.Wrong("An intset is damaged");
        sink.BeginSet(count);
        long before = 0;
        for (int i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> bytes = blob.Slice(header + (i * (int)width), (int)width);
            long number = width switch
            {
                2 => BinaryPrimitives.ReadInt16LittleEndian(bytes),
                4 => BinaryPrimitives.ReadInt32LittleEndian(bytes),
                _ => BinaryPrimitives.ReadInt64LittleEndian(bytes),
            };
            if ((i > 0 && number <= before) || !sink.AddMember(new PackedElement(number, _digits).Text))
                throw source.Wrong("An intset is out of order");
            before = number;
        }

        return count > 0;
    }

    private PackedReader Open(scoped ref RdbSource source, PackedForm form)
    {
        long offset = source.Offset;
        ReadOnlySpan<byte> blob = source.ReadString(_first);
        _checked += form == PackedForm.ListPack ? 1 : 0;
        return new PackedReader(form, blob, offset, _moreDigits);
    }
}
