// What a near cache keeps and forgets. No server.
using System.Globalization;
using System.Text;
using Xunit;

namespace Garnet.Client.Tests;

public sealed class NearCacheTableTests
{
    private static readonly RespValue Value = new() { Kind = RespKind.BulkString, Bytes = new byte[100] };

    [Fact]
    public void A_reply_is_kept_for_the_next_reader()
    {
        NearCacheTable table = new(10, 10_000);
        NearCacheEntry entry = Begin(table, "k");
        Assert.Same(entry, table.FindOrBegin("k"u8, out RespValue? value, out bool isNew));
        Assert.False(isNew);
        Assert.Null(value);
        table.Keep(entry, Value);
        table.FindOrBegin("k"u8, out value, out _);
        Assert.Same(Value, value);
        Assert.Equal(new RespNearCacheStatistics(1, 2, 0, 1, NearCacheTable.EntryBytes + 1 + 100), table.Statistics);
    }

    [Fact]
    public void A_reply_that_an_invalidation_has_overtaken_is_not_kept()
    {
        NearCacheTable table = new(10, 10_000);
        NearCacheEntry entry = Begin(table, "k");
        table.Invalidate("k"u8);
        NearCacheEntry next = Begin(table, "k");
        table.Keep(entry, Value);
        Assert.Equal(0, table.Statistics.Entries);
        table.Drop(entry);
        table.Keep(next, Value);
        Assert.Equal(1, table.Statistics.Entries);
        entry = Begin(table, "j");
        table.Clear();
        table.Keep(entry, Value);
        Assert.Equal(0, table.Statistics.Entries);
        Assert.Equal(0, table.Statistics.Bytes);
    }

    [Fact]
    public void What_was_read_since_stays_when_others_are_forgotten()
    {
        NearCacheTable table = new(maxEntries: 100, maxBytes: 1 << 20);
        for (int i = 0; i < 1000; i++)
        {
            table.Keep(Begin(table, string.Create(CultureInfo.InvariantCulture, $"k{i}")), Value);
            table.FindOrBegin("k0"u8, out RespValue? value, out _);
            Assert.Same(Value, value);
            Assert.InRange(table.Statistics.Entries, 1, 100);
        }
    }

    [Fact]
    public void Bytes_are_bounded_and_a_value_too_large_is_not_kept()
    {
        NearCacheTable table = new(maxEntries: 1000, maxBytes: 2000);
        for (int i = 0; i < 100; i++)
        {
            table.Keep(Begin(table, string.Create(CultureInfo.InvariantCulture, $"k{i}")), Value);
            Assert.InRange(table.Statistics.Bytes, 1, 2000);
        }

        int entries = table.Statistics.Entries;
        table.Keep(Begin(table, "large"), new RespValue { Kind = RespKind.BulkString, Bytes = new byte[2000] });
        Assert.Equal(entries, table.Statistics.Entries);
        Begin(table, "large");
    }

    private static NearCacheEntry Begin(NearCacheTable table, string key)
    {
        NearCacheEntry entry = table.FindOrBegin(Encoding.ASCII.GetBytes(key), out _, out bool isNew);
        Assert.True(isNew);
        return entry;
    }
}
