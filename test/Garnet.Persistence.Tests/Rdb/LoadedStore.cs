// A store to load files into, with accessors for tests. One thread.
using System.Text;
using Garnet.Persistence.Rdb;
using Garnet.Store;
using Garnet.Store.Collections;
using Garnet.Testing;
using Xunit;

namespace Garnet.Persistence.Tests.Rdb;

/// <summary>A small store with its own clock.</summary>
internal sealed class LoadedStore : IDisposable
{
    /// <summary>The clock's time: 2100-01-01.</summary>
    public const long NowMs = 4_102_444_800_000;

    private readonly StoreSession _session;

    public LoadedStore(int databases = 16)
    {
        Store = new HybridLogStore(
            new StoreOptions { Databases = databases },
            new ManualTimeProvider(DateTimeOffset.FromUnixTimeMilliseconds(NowMs))
        );
        _session = Store.OpenSession();
    }

    public HybridLogStore Store { get; }

    /// <summary>Formats a score as in payloads.</summary>
    public static int FormatScore(double score, Span<byte> destination) =>
        System.Buffers.Text.Utf8Formatter.TryFormat(score, destination, out int length)
            ? length
            : throw new ArgumentException("There is no room for the text.", nameof(destination));

    /// <summary>Loads a file from memory that arrives in pieces.</summary>
    public RdbLoadResult Load(byte[] file, int workers = 2, RdbLoadOptions? options = null) =>
        new RdbLoader(Store, options ?? new RdbLoadOptions { Workers = workers }).Load(new PiecewiseStream(file));

    /// <summary>A string as Latin-1 text, or null.</summary>
    public string? Get(int database, string key) => Read(database, key).Value;

    /// <summary>A key's expiry, -1 for none.</summary>
    public long ExpiryOf(int database, string key) => Read(database, key).ExpiresAtMs;

    /// <summary>Seconds since the last access to a key.</summary>
    public long IdleSecondsOf(string key) => _session.Store.Accesses.IdleMs(AccessOf(key), _session.NowMs) / 1000;

    /// <summary>The access byte of a key of any type in the first database.</summary>
    public byte AccessOf(string key)
    {
        byte[] bytes = Encoding.Latin1.GetBytes(key);
        AccessReader reader = default;
        _session.Database = 0;
        _session.EnterBatch();
        Assert.Equal(ReadOutcome.Found, _session.Reads.ReadAny(bytes, _session.Hash(bytes), ref reader));
        _session.LeaveBatch();
        return reader.Access;
    }

    /// <summary>
    /// A collection's elements, members with scores, or fields with values and expiries; lists in their order, others sorted.
    /// </summary>
    public List<string> ElementsOf(int database, string key)
    {
        byte[] bytes = Encoding.Latin1.GetBytes(key);
        var elements = new List<string>();
        _session.Database = database;
        _session.EnterBatch();
        RecordHandle record = _session.Open(bytes, _session.Hash(bytes));
        CollectionImage image = record.Contents.OpenCollection();
        while (image.MoveNext())
        {
            string first = Encoding.Latin1.GetString(image.First.Span);
            elements.Add(
                image.Type switch
                {
                    RecordType.Hash => $"{first} {Encoding.Latin1.GetString(image.Second.Span)} {image.ExpiresAtMs}",
                    RecordType.SortedSet => FormattableString.Invariant($"{first} {image.Score:R}"),
                    _ => first,
                }
            );
        }

        if (record.Type != RecordType.List)
            elements.Sort(StringComparer.Ordinal);
        _session.LeaveBatch();
        return elements;
    }

    public void Dispose()
    {
        _session.Dispose();
        Store.Dispose();
    }

    private ValueReader Read(int database, string key)
    {
        byte[] bytes = Encoding.Latin1.GetBytes(key);
        ValueReader reader = default;
        _session.Database = database;
        _session.EnterBatch();
        _session.Reads.Read(bytes, _session.Hash(bytes), RecordType.String, ref reader);
        _session.LeaveBatch();
        return reader;
    }

    private struct AccessReader : IValueReader
    {
        public byte Access { get; private set; }

        public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => Access = info.Access;
    }

    private struct ValueReader : IValueReader
    {
        public string? Value { get; private set; }

        public long ExpiresAtMs { get; private set; }

        public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
        {
            Value = Encoding.Latin1.GetString(value);
            ExpiresAtMs = info.ExpiresAtMs;
        }
    }
}
