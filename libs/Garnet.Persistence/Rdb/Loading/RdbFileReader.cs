// Reads a file front to back: header, properties, keys in chunks for others to insert, end and checksum. One thread.
using Garnet.Store;

namespace Garnet.Persistence.Rdb.Loading;

/// <summary>The part of loading that depends on the file's order. Keys too large for a chunk are inserted on this thread.</summary>
internal sealed class RdbFileReader(
    HybridLogStore store,
    RdbInput input,
    RdbLoadOptions options,
    RdbLoadProgress progress,
    RdbLoadWorkers workers,
    RdbInserter inserter
)
{
    private const int HeaderBytes = 9;
    private const int VersionDigits = 3;
    private const int FirstCheckedVersion = 5;
    private const int LastKnownVersion = 80;

    // A key and a value of a few bytes. If they take less, the index grows as they arrive.
    private const int MinBytesPerKey = 16;
    private readonly RdbLoadResult _result = new();
    private readonly RdbScratch _name = new();
    private readonly RdbScratch _value = new();
    private readonly RdbScratch _compressed = new();
    private long _expectedKeys;
    private int _database;

    /// <summary>Reads the file to its end; on return all keys have been handed to workers but perhaps not inserted yet.</summary>
    public RdbLoadResult Read()
    {
        ReadHeader();
        bool isAtEnd = false;
        while (!isAtEnd)
        {
            if (!TryShipChunk())
                isAtEnd = ReadOne();
            progress.SetLoaded(input.Offset);
        }

        ReadChecksum();
        progress.SetLoaded(input.Offset);
        _result.Bytes = input.Offset;
        return _result;
    }

    // "REDIS" and four digits, or "VALKEY" and three.
    private void ReadHeader()
    {
        if (!input.Fill(HeaderBytes))
            throw new RdbFormatException(0, "The file is too short for an RDB file");
        ReadOnlySpan<byte> header = input.Buffer.AsSpan(0, HeaderBytes);
        _result.IsValkey = header.StartsWith("VALKEY"u8);
        if (!_result.IsValkey && !header.StartsWith("REDIS0"u8))
            throw new RdbFormatException(0, $"The file is not an RDB file: it begins with {RdbText.Quote(header)}");
        int version = 0;
        foreach (byte digit in header[^VersionDigits..])
        {
            version = char.IsAsciiDigit((char)digit)
                ? (version * 10) + digit - '0'
                : throw new RdbFormatException(HeaderBytes - VersionDigits, "The file's version is not a number");
        }

        if (
            version < 1
            || (version > LastKnownVersion && !options.TakesLaterVersions)
            || _result.IsValkey != (version >= RdbWriter.FirstValkeyVersion)
        )
        {
            throw new RdbFormatException(HeaderBytes - VersionDigits, $"The file's version {version} is unknown");
        }

        _result.Version = version;
        inserter.Version = version;
        workers.SetVersion(version);
        input.Position = HeaderBytes;
    }

    // Frames as many keys as the buffer holds and ships them with it; false when no key begins here, or the first is not complete within a
    // buffer.
    private bool TryShipChunk()
    {
        RdbChunk chunk = workers.TakeFree();
        if (Frame(chunk) == 0)
        {
            input.FillAll();
            if (Frame(chunk) == 0)
            {
                workers.PutFree(chunk);
                return false;
            }
        }

        chunk.Origin = input.Origin;
        chunk.Database = _database;
        input.Position = chunk.End;
        chunk.Buffer = input.Exchange(chunk.Buffer);
        workers.Put(chunk);
        return true;
    }

    private int Frame(RdbChunk chunk)
    {
        var framer = new RdbFramer(input.Buffer.AsSpan(0, input.End), _result.Version);
        chunk.Keys = 0;
        chunk.End = input.Position;
        while (chunk.Keys < RdbChunk.MaxKeys)
        {
            int end = framer.EndOfKey(chunk.End);
            if (end < 0)
                break;
            chunk.Starts[chunk.Keys++] = chunk.End;
            chunk.End = end;
        }

        return chunk.Keys;
    }

    // Reads the next item, key or not; true when it was the end.
    private bool ReadOne()
    {
        var source = new RdbSource(input, _compressed);
        byte mark = source.Peek();
        bool isAtEnd = mark == RdbOpcode.End;
        ReadOnlySpan<byte> next = input.Buffer.AsSpan(input.Position, input.End - input.Position);
        bool isOfKey = RdbSliding.StandsAt(next) || RdbActivity.StandsAt(next);
        if (
            isOfKey
            || mark < RdbOpcode.Lowest
            || mark is RdbOpcode.ExpiryMs or RdbOpcode.ExpirySeconds or RdbOpcode.Idle or RdbOpcode.Frequency
        )
        {
            inserter.InsertOne(ref source, _database);
        }
        else
        {
            source.ReadByte();
            ReadMark(ref source, mark);
        }

        source.Return();
        return isAtEnd;
    }

    private void ReadMark(ref RdbSource source, byte mark)
    {
        switch (mark)
        {
            case RdbOpcode.End:
                break;
            case RdbOpcode.Select:
                ulong database = source.ReadLength();
                int databases = store.Databases.Count;
                if (database >= (ulong)databases)
                    throw source.Wrong($"The file has keys in database {database}, but only {databases} databases are configured");
                _database = (int)database;
                break;
            case RdbOpcode.Resize:
                Expect(source.ReadLength(), source.Remaining);
                source.ReadLength();
                break;
            case RdbOpcode.Aux:
                string name = System.Text.Encoding.Latin1.GetString(source.ReadString(_name));
                _result.SetAux(name, System.Text.Encoding.Latin1.GetString(source.ReadString(_value)));
                // Properties of a file precede its keys.
                if (name == options.KeepsExpiredWith)
                {
                    workers.KeepExpired();
                    inserter.KeepsExpired = true;
                }

                break;
            case RdbOpcode.Function:
                _result.FunctionList.Add(source.ReadString(_value).ToArray());
                break;
            case RdbOpcode.ModuleAux:
                source.ReadLength();
                RdbModule.SkipItems(ref source, _value);
                break;
            case RdbOpcode.SlotInfo:
                for (int i = 0; i < 3; i++)
                    source.ReadLength();
                break;
            case RdbOpcode.SlotImport:
                throw source.Wrong("The file has slots whose import had not finished");
            default:
                throw source.Wrong("The file has functions of a release candidate of Redis 7.0");
        }
    }

    // The file's count is a hint, believed only as far as that many keys could follow.
    private void Expect(ulong keys, long bytesBehind)
    {
        if (bytesBehind == long.MaxValue)
            return;
        _expectedKeys = (long)Math.Min((ulong)_expectedKeys + Math.Min(keys, (ulong)bytesBehind), (ulong)(bytesBehind / MinBytesPerKey));
        if (_expectedKeys > 0)
            inserter.ExpectKeys(_expectedKeys);
    }

    private void ReadChecksum()
    {
        if (_result.Version < FirstCheckedVersion)
            return;
        ulong computed = input.Checksum;
        input.IsHashing = false;
        var source = new RdbSource(input, _compressed);
        ulong stored = source.ReadUInt64();
        source.Return();
        if (stored == 0 || !options.VerifiesChecksum)
            return;
        if (stored != computed)
        {
            throw new RdbFormatException(
                input.Offset - sizeof(ulong),
                $"The file's checksum is {stored:x16}, but the computed one is {computed:x16}"
            );
        }

        _result.IsChecked = true;
    }
}
