// Parts of the hybrid cache on their own: forms of bytes, counting of changes, tables. Random ones print their seed.
using System.Text;
using Garnet.Caching.Coherence;
using Garnet.Caching.Hybrid;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Caching.Tests.Hybrid;

public sealed class HybridPartsTests(ITestOutputHelper output)
{
    [Fact]
    public void An_entry_is_read_as_it_was_written_and_nothing_else_is_an_entry()
    {
        EntrySettings settings = new(9000, null, 5000, 700, default);
        Guid[] tokens = [Guid.NewGuid(), Guid.NewGuid(), Guid.NewGuid()];
        byte[] bytes = StoredEntry.Encode(isNull: false, settings, ["*", "ключ", ""], tokens, "payload"u8);
        StoredEntry entry = StoredEntry.Read(bytes)!;
        Assert.Equal(["*", "ключ", ""], entry.Tags);
        Assert.Equal(tokens, entry.Tokens);
        Assert.Equal("payload", Encoding.UTF8.GetString(entry.Payload.Span));
        Assert.Equal((false, true, 700, 5000), (entry.IsNull, entry.HasLimit, entry.StaleMs, entry.SlidingMs));
        Assert.Equal(bytes[4..12], entry.Nonce.ToArray());
        Assert.Equal(bytes[4..12], StoredEntry.NonceOf(bytes).ToArray());
        Assert.NotEqual(bytes[4..12], StoredEntry.Encode(false, settings, [], [], default)[4..12]);
        // Cut anywhere in its header, it is none.
        int header = bytes.Length - "payload".Length;
        for (int length = 0; length < header; length++)
            Assert.Null(StoredEntry.Read(bytes.AsMemory(0, length)));
        Assert.Equal(0, StoredEntry.Read(bytes.AsMemory(0, header))!.Payload.Length);
        // Times that cannot be are not calculated with.
        foreach (int at in (int[])[13, 21])
        {
            foreach (long ms in (long[])[-1, long.MinValue, long.MaxValue])
            {
                byte[] hostile = [.. bytes];
                System.Buffers.Binary.BinaryPrimitives.WriteInt64LittleEndian(hostile.AsSpan(at), ms);
                Assert.Null(StoredEntry.Read(hostile));
            }
        }

        Assert.Equal(0, StoredEntry.NonceOf(null).Length);
        Assert.Equal(1, StoredEntry.NonceOf(bytes.AsMemory(0, 5)).Length);
    }

    [Fact]
    public void Bytes_of_any_kind_are_read_without_harm()
    {
        Random random = new(TestSeed.ChooseAnew(output));
        byte[] entry = StoredEntry.Encode(
            false,
            new EntrySettings(1, 1, 1, 1, default),
            ["a", "b"],
            [Guid.NewGuid(), Guid.NewGuid()],
            "x"u8
        );
        byte[] change = [.. "7 "u8, .. new CacheChange(Guid.NewGuid(), 3, ["t"], ["k", "l"]).Encode()];
        for (int i = 0; i < 20_000; i++)
        {
            byte[] bytes = [.. i % 2 == 0 ? entry : change];
            for (int flips = random.Next(1, 4); flips > 0; flips--)
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            int length = random.Next(bytes.Length + 1);
            StoredEntry.Read(bytes.AsMemory(0, length));
            CacheChange.TryRead(bytes.AsSpan(0, length), out _, out _);
        }

        Assert.True(CacheChange.TryRead(change, out long number, out CacheChange read));
        Assert.Equal((7, 3), (number, read.Id));
        Assert.Equal(["t"], read.Tags);
        Assert.Equal(["k", "l"], read.Keys);
    }

    [Fact]
    public void A_lease_is_extended_when_all_changes_before_it_are_applied()
    {
        CacheSession session = Session(10);
        Assert.False(session.IsLive(0));
        Assert.True(session.Renewed(10, 0));
        Assert.True(session.IsLive(99));
        Assert.False(session.IsLive(100));
        // 11 and 12 were made before the renewal was executed, and have not been heard of yet.
        Assert.True(session.Renewed(12, 50));
        Assert.False(session.IsLive(100));
        session.Applied(12);
        Assert.False(session.IsLive(100));
        session.Applied(11);
        Assert.True(session.IsLive(149));
        Assert.False(session.IsLive(150));
        // One that was executed before a change which is known already.
        session.Applied(13);
        Assert.True(session.Renewed(12, 80));
        Assert.True(session.IsLive(179));
        // What is still missing at the next renewal is lost.
        Assert.True(session.Renewed(15, 90));
        session.Applied(15);
        Assert.False(session.Renewed(15, 100));
        Assert.False(session.IsLive(185));
        session.End();
        Assert.True(session.IsEnded);
        Assert.False(session.IsLive(0));
        session.Applied(14);
        Assert.False(session.IsLive(0));
    }

    [Fact]
    public async Task A_removal_passes_no_token_on_its_way()
    {
        List<TaskCompletionSource<Guid[]>> asked = [];
        TagTable table = new(_ =>
        {
            asked.Add(new TaskCompletionSource<Guid[]>());
            return asked[^1].Task;
        });
        ValueTask<TagGeneration[]> first = table.GetAsync(["t"]);
        ValueTask<TagGeneration[]> joined = table.GetAsync(["t"]);
        table.End("t");
        ValueTask<TagGeneration[]> second = table.GetAsync(["t"]);
        Guid old = Guid.NewGuid(),
            current = Guid.NewGuid();
        asked[0].SetResult([old]);
        asked[1].SetResult([current]);
        Assert.Equal(2, asked.Count);
        TagGeneration ended = (await first)[0];
        Assert.True(ended.IsEnded);
        Assert.Same(ended, (await joined)[0]);
        Assert.Equal(current, await (await second)[0].Token);
        Assert.False((await second)[0].IsEnded);
        table.EndAll();
        Assert.True((await second)[0].IsEnded);
        // A failure is that of all who wait, and the next call asks again.
        ValueTask<TagGeneration[]> failing = table.GetAsync(["t"]);
        asked[2].SetException(new TimeoutException());
        await Assert.ThrowsAsync<TimeoutException>(async () => await failing);
        ValueTask<TagGeneration[]> again = table.GetAsync(["t"]);
        asked[3].SetResult([current]);
        Assert.Equal(current, await (await again)[0].Token);
    }

    private static CacheSession Session(long number) =>
        new("m", number, leaseTicks: 100, new TagTable(static _ => throw new InvalidOperationException()), beganAt: 0);
}
