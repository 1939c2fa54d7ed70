// Inserts keys into the store. One thread; each has its own.
using Garnet.Persistence.Rdb.Values;
using Garnet.Store;
using Garnet.Store.DataTypes;
using Garnet.Store.Eviction;
using Garnet.Store.Records;

namespace Garnet.Persistence.Rdb.Loading;

/// <summary>Reads keys with their values and inserts them through its own session.</summary>
internal sealed class RdbInserter : IDisposable
{
    // Keys whose index lines are prefetched before their insertion.
    private const int Ahead = 16;
    private readonly HybridLogStore _store;
    private readonly RdbLoadProgress _progress;
    private readonly StoreSession _session;
    private readonly RdbValueReader _values = new();
    private readonly RdbScratch _compressed = new();
    private readonly RdbScratch _number = new();
    private readonly RdbScratch[] _keys = [.. Enumerable.Range(0, Ahead).Select(_ => new RdbScratch())];
    private readonly ulong[] _hashes = new ulong[Ahead];
    private readonly bool _onlyChecks;
    private readonly int _firstDatabase;
    private long _inserted;
    private long _expired;
    private ReliefPatience _patience;

    /// <summary>Opens a session of the store.</summary>
    public RdbInserter(HybridLogStore store, RdbLoadOptions options, RdbLoadProgress progress)
    {
        _store = store;
        _progress = progress;
        _session = store.OpenSession();
        KeepsExpired = options.KeepsExpired;
        _onlyChecks = options.OnlyChecks;
        _firstDatabase = options.IntoPrepared ? store.Databases.Count : 0;
    }

    /// <summary>The file's version.</summary>
    public int Version
    {
        get => _values.Version;
        set => _values.Version = value;
    }

    /// <summary>Whether keys and fields past their expiry are inserted.</summary>
    public bool KeepsExpired { get; set; }

    /// <summary>Collections found without elements.</summary>
    public long EmptyKeys { get; private set; }

    /// <summary>Sizes the store's index for this many keys.</summary>
    public void ExpectKeys(long keys)
    {
        if (!_onlyChecks)
            _store.Growth.Expect(_session, keys);
    }

    /// <summary>Inserts the keys of a chunk.</summary>
    public void Insert(RdbChunk chunk)
    {
        _session.Database = _firstDatabase + chunk.Database;
        _session.EnterBatch();
        for (int first = 0; first < chunk.Keys; first += Ahead)
        {
            int count = Math.Min(Ahead, chunk.Keys - first);
            MakeRoom((first + count < chunk.Keys ? chunk.Starts[first + count] : chunk.End) - chunk.Starts[first]);
            for (int i = 0; i < count; i++)
            {
                RdbSource source = SourceOf(chunk, first + i);
                ulong hash = _session.Hash(RdbKeyHeader.Read(ref source, _keys[i]).Key);
                _hashes[i] = hash;
                _session.PrefetchBucket(hash);
            }

            for (int i = 0; i < count; i++)
            {
                RdbSource source = SourceOf(chunk, first + i);
                var header = RdbKeyHeader.Read(ref source, _keys[i]);
                if (header.Type == RdbType.String)
                    InsertString(ref source, header, _hashes[i]);
                else
                    InsertCollection(ref source, header);
                if (!source.IsAtEnd)
                    throw source.Wrong("A value was not read completely");
                _session.EndCommand();
            }
        }

        _session.LeaveBatch();
        Report();
    }

    /// <summary>Inserts the key at the source's position, however large it is; may wait for bytes.</summary>
    public void InsertOne(ref RdbSource source, int database)
    {
        _session.Database = _firstDatabase + database;
        var header = RdbKeyHeader.Read(ref source, _keys[0]);
        if (header.Type != RdbType.String)
            InsertCollection(ref source, header);
        else
            InsertLargeString(ref source, header);
        Report();
    }

    /// <inheritdoc/>
    public void Dispose() => _session.Dispose();

    // With a tier more than memory holds is loaded, and values move out meanwhile. In a batch, which it leaves while it waits.
    private void MakeRoom(long bytes)
    {
        if (_onlyChecks)
            return;
        while (_session.Memory.Relief(bytes, ref _patience) is { } relief)
        {
            _session.LeaveBatch();
            relief.Wait();
            _session.EnterBatch();
        }
    }

    private RdbSource SourceOf(RdbChunk chunk, int index)
    {
        int start = chunk.Starts[index];
        int end = index + 1 < chunk.Keys ? chunk.Starts[index + 1] : chunk.End;
        return new RdbSource(chunk.Buffer.AsSpan(start, end - start), chunk.Origin + start, _compressed);
    }

    // The value's bytes are in memory, so it is read under the key's latch.
    private void InsertString(scoped ref RdbSource source, in RdbKeyHeader header, ulong hash)
    {
        ReadOnlySpan<byte> value = _values.ReadString(ref source);
        if (IsDropped(header))
            return;
        RecordHandle record = OpenNew(ref source, header, hash);
        record.Set(RecordType.String, value, header.ExpiresAtMs, SlidingOf(header));
        SetAccess(ref record, header);
        _inserted++;
    }

    // A batch must not wait: the value is read first, into a block that grows as it fills.
    private void InsertLargeString(scoped ref RdbSource source, in RdbKeyHeader header)
    {
        ValueBlock block = ReceiveString(ref source);
        _session.EnterBatch();
        if (IsDropped(header))
        {
            block.Release();
        }
        else
        {
            RecordHandle record = OpenNew(ref source, header, _session.Hash(header.Key));
            record.SetBlock(block, header.ExpiresAtMs, SlidingOf(header));
            SetAccess(ref record, header);
            _inserted++;
        }

        _session.LeaveBatch();
    }

    // Built without a key first, so that no latch is held while its elements are read.
    private void InsertCollection(scoped ref RdbSource source, in RdbKeyHeader header)
    {
        if (RdbValueReader.IsStream(header.Type))
        {
            InsertStream(ref source, header);
            return;
        }

        if (header.Type == RdbType.Module)
        {
            InsertCustom(ref source, header);
            return;
        }

        var sink = new RdbStoreSink(_session, KeepsExpired ? long.MinValue : _session.NowMs);
        try
        {
            bool hasElements = _values.ReadCollection(ref source, header.Type, ref sink);
            if (!hasElements)
                EmptyKeys++;
            else if (!sink.HasElements)
                _expired++;
            else if (!IsDropped(header))
                Store(ref source, header, ref sink);
        }
        finally
        {
            sink.Discard();
        }
    }

    private void InsertStream(scoped ref RdbSource source, in RdbKeyHeader header)
    {
        var sink = new RdbStreamSink(_session);
        try
        {
            _values.ReadStream(ref source, header.Type, ref sink, header.Activity);
            if (IsDropped(header))
                return;
            bool isAlone = EnterAlone();
            RecordHandle record = OpenNew(ref source, header, _session.Hash(header.Key));
            RdbStreamSink.StoreTo(sink.Take(), ref record, header.ExpiresAtMs);
            SetAccess(ref record, header);
            EndInsertion(isAlone);
        }
        finally
        {
            sink.Discard();
        }
    }

    private void InsertCustom(scoped ref RdbSource source, in RdbKeyHeader header)
    {
        byte[] payload = RdbCustomReader.Read(ref source, _store.Types, out CustomType type);
        if (IsDropped(header))
            return;
        bool isAlone = EnterAlone();
        RecordHandle record = OpenNew(ref source, header, _session.Hash(header.Key));
        new CustomValue(record).Set(type, payload, header.ExpiresAtMs);
        SetAccess(ref record, header);
        EndInsertion(isAlone);
    }

    private void Store(scoped ref RdbSource source, in RdbKeyHeader header, scoped ref RdbStoreSink sink)
    {
        bool isAlone = EnterAlone();
        RecordHandle record = OpenNew(ref source, header, _session.Hash(header.Key));
        RdbStoreSink.StoreTo(sink.Take(), ref record, header.ExpiresAtMs);
        SetAccess(ref record, header);
        EndInsertion(isAlone);
    }

    // A key that is read separately gets its own batch; those of a chunk share one.
    private bool EnterAlone()
    {
        bool isAlone = !_session.IsInBatch;
        if (isAlone)
            _session.EnterBatch();
        return isAlone;
    }

    private void EndInsertion(bool isAlone)
    {
        _inserted++;
        if (isAlone)
            _session.LeaveBatch();
    }

    private ValueBlock ReceiveString(ref RdbSource source)
    {
        byte form = source.ReadStringForm(out int length);
        ReadOnlySpan<byte> whole = default;
        if (form == RdbString.Compressed)
            length = source.BeginCompressed(out whole);
        else if (form >= RdbString.Int8)
            length = (whole = source.ReadNumber(form, _number)).Length;
        var block = ValueBlock.Allocate(_store, length);
        try
        {
            if (form == RdbString.Compressed)
                source.Decompress(whole, block.Span);
            else if (form >= RdbString.Int8)
                whole.CopyTo(block.Span);
            else
                Receive(ref source, block);
        }
        catch
        {
            block.Release();
            throw;
        }

        return block;
    }

    private static void Receive(ref RdbSource source, ValueBlock block)
    {
        for (int received = 0; received < block.Length; )
        {
            ReadOnlySpan<byte> piece = source.ReadPiece(block.Length - received);
            piece.CopyTo(block.Span[received..]);
            received += piece.Length;
            block.CountArrived(received);
        }
    }

    private RecordHandle OpenNew(scoped ref RdbSource source, in RdbKeyHeader header, ulong hash)
    {
        RecordHandle record = _session.Open(header.Key, hash);
        return record.Exists
            ? throw source.Wrong($"The key {RdbText.Quote(header.Key)} occurs twice in database {_session.Database - _firstDatabase}")
            : record;
    }

    // As in Valkey, a frequency counts only with an LFU policy, and idle time only without one.
    private void SetAccess(ref RecordHandle record, in RdbKeyHeader header)
    {
        if (header.Frequency < 0 && header.IdleSeconds < 0)
            return;
        bool countsFrequency = _store.Eviction.CountsFrequency;
        if (countsFrequency && header.Frequency >= 0)
            record.Usage.SetAccess((byte)header.Frequency);
        else if (!countsFrequency && header.IdleSeconds >= 0)
            record.Usage.SetAccess(_session.Accesses.ByteOf(header.IdleSeconds * 1000, _session));
    }

    // Without an expiry nothing can slide.
    private static SlidingExpiry SlidingOf(in RdbKeyHeader header) => header.ExpiresAtMs < 0 ? default : header.Sliding;

    // Whether a key that was read is not to be inserted.
    private bool IsDropped(in RdbKeyHeader header)
    {
        if (_onlyChecks)
            return true;
        if (KeepsExpired || header.ExpiresAtMs < 0 || header.ExpiresAtMs >= _session.NowMs)
            return false;
        _expired++;
        return true;
    }

    private void Report()
    {
        _progress.Add(_inserted, _expired);
        _inserted = 0;
        _expired = 0;
    }
}
