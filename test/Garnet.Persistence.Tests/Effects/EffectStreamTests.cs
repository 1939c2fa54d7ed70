// The stream of effects: positions, readers, what is kept, and readers that fall behind.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Garnet.Persistence.Effects;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Persistence.Tests.Effects;

public sealed class EffectStreamTests(ITestOutputHelper output)
{
    private const string Select0 = "*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n";
    private const string Select12 = "*2\r\n$6\r\nSELECT\r\n$2\r\n12\r\n";

    [Fact]
    public void The_last_reader_that_closes_or_is_dropped_is_told()
    {
        EffectStream stream = new();
        Assert.True(stream.ReadersClosedAsync().IsCompleted);
        using EffectReader reader = stream.TryOpen(0, new Silent())!;
        EffectReader late = stream.TryOpen(0, new Silent())!;
        late.MaxLag = 1;
        Task closed = stream.ReadersClosedAsync();
        reader.Dispose();
        Assert.False(closed.IsCompleted);
        stream.AppendVerbatim(new byte[EffectStream.BlockBytes]);
        Assert.True(late.IsLost);
        Assert.True(closed.IsCompleted);
        late.Dispose();
        Assert.True(stream.ReadersClosedAsync().IsCompleted);
    }

    [Fact]
    public void Every_byte_has_a_position()
    {
        EffectStream stream = new(1000);
        stream.Append(0, "aaa"u8);
        Assert.Equal(1000 + Select0.Length + 3, stream.Position);
        stream.Append(0, "bbb"u8);
        stream.AppendVerbatim("ping"u8);
        stream.Append(12, "ccc"u8);
        using EffectReader reader = stream.TryOpen(1000, new Silent())!;
        Assert.Equal(Select0 + "aaabbbping" + Select12 + "ccc", ReadAll(reader));
        Assert.Equal(stream.Position, reader.Position);
        Assert.Equal(0, reader.Lag);
    }

    [Fact]
    public void A_database_is_selected_again_after_it_is_forgotten()
    {
        EffectStream stream = new();
        stream.Append(0, "a"u8);
        stream.ForgetDatabase();
        stream.Append(0, "b"u8);
        stream.AppendVerbatim("c"u8, database: 12);
        stream.Append(12, "d"u8);
        using EffectReader reader = stream.TryOpen(0, new Silent())!;
        Assert.Equal(Select0 + "a" + Select0 + "bcd", ReadAll(reader));
    }

    [Fact]
    public void What_no_reader_needs_is_kept_up_to_a_limit()
    {
        EffectStream stream = new() { KeptBytes = 3 * EffectStream.BlockBytes };
        byte[] effect = new byte[EffectStream.BlockBytes / 4];
        for (int i = 0; i < 100; i++)
            stream.Append(0, effect);
        long kept = stream.Position - stream.FirstPosition;
        Assert.InRange(kept, 3L * EffectStream.BlockBytes, 5L * EffectStream.BlockBytes);
        Assert.InRange(stream.MemoryBytes, kept, kept + EffectStream.BlockBytes);
        Assert.Null(stream.TryOpen(stream.FirstPosition - 1, new Silent()));
        Assert.Null(stream.TryOpen(stream.Position + 1, new Silent()));
        stream.KeptBytes = 0;
        Assert.InRange(stream.Position - stream.FirstPosition, 0, EffectStream.BlockBytes);
    }

    [Fact]
    public void A_reader_holds_what_it_has_not_consumed()
    {
        EffectStream stream = new();
        using EffectReader slow = stream.TryOpen(0, new Silent())!;
        byte[] effect = new byte[EffectStream.BlockBytes - 100];
        for (int i = 0; i < 10; i++)
            stream.Append(0, effect);
        Assert.Equal(0, stream.FirstPosition);
        Assert.Equal(stream.Position, slow.Lag);
        ReadAll(slow);
        Assert.InRange(stream.FirstPosition, stream.Position - EffectStream.BlockBytes, stream.Position);
    }

    [Fact]
    public void A_reader_too_far_behind_is_dropped_and_told()
    {
        EffectStream stream = new();
        Silent listener = new();
        using EffectReader slow = stream.TryOpen(0, listener)!;
        slow.MaxLag = 3 * EffectStream.BlockBytes;
        stream.Append(0, "first"u8);
        ReadOnlyMemory<byte> seen = slow.Peek();
        byte[] effect = new byte[EffectStream.BlockBytes - 100];
        for (int i = 0; i < 10; i++)
            stream.Append(0, effect);
        Assert.True(slow.IsLost);
        Assert.True(slow.Peek().IsEmpty);
        // Memory that it may still be sending is not used again.
        Assert.Equal(Select0 + "first", Encoding.ASCII.GetString(seen.Span));
        Assert.InRange(stream.FirstPosition, stream.Position - (2 * EffectStream.BlockBytes), stream.Position);
        Assert.True(listener.LearnedOfLoss);
    }

    [Fact]
    public void Lent_bytes_stay_where_they_are_until_they_are_returned()
    {
        EffectStream stream = new();
        using EffectReader reader = stream.TryOpen(0, new Silent())!;
        stream.Append(0, "first"u8);
        int count = reader.Peek().Length;
        EffectLoan loan = reader.Lend(count);
        reader.Advance(count);
        byte[] effect = new byte[EffectStream.BlockBytes - 100];
        for (int i = 0; i < 10; i++)
            AppendAndRead(stream, effect, reader);
        Assert.Equal(0, stream.FirstPosition);
        Assert.Equal(Select0 + "first", Encoding.ASCII.GetString(Bytes(loan)));
        loan.Return();
        AppendAndRead(stream, effect, reader);
        Assert.InRange(stream.FirstPosition, stream.Position - (2 * EffectStream.BlockBytes), stream.Position);
    }

    // A connection may take its time to end, and whoever reads no more has no limit.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_is_lent_holds_little_when_its_reader_has_gone(bool isDropped)
    {
        const int HeldBlocks = 18;
        EffectStream stream = new();
        using EffectReader slow = stream.TryOpen(0, new Silent())!;
        slow.MaxLag = isDropped ? 3 * EffectStream.BlockBytes : long.MaxValue;
        stream.Append(0, "first"u8);
        int count = slow.Peek().Length;
        EffectLoan loan = slow.Lend(count);
        slow.Advance(count);
        byte[] effect = new byte[EffectStream.BlockBytes - 100];
        WeakReference second = AppendBlock(stream);
        if (!isDropped)
            slow.Dispose();
        for (int i = 0; i < 2 * HeldBlocks; i++)
            stream.Append(0, effect);
        Assert.Equal(isDropped, slow.IsLost);
        Assert.InRange(stream.FirstPosition, stream.Position - (HeldBlocks * EffectStream.BlockBytes), stream.Position);
        // Neither do the loan and the dropped reader hold what follows, which is not used again.
        GC.Collect();
        Assert.Equal(!isDropped, second.IsAlive);
        Assert.Equal(Select0 + "first", Encoding.ASCII.GetString(Bytes(loan)));
        loan.Return();
    }

    [Fact]
    public void A_block_is_appended_as_it_is()
    {
        EffectStream stream = new();
        using EffectReader reader = stream.TryOpen(0, new Silent())!;
        for (int i = 0; i < 40; i++)
        {
            EffectBlock block = stream.Rent();
            Assert.Equal(0, block.Length);
            block.Length = Encoding.ASCII.GetBytes($"<{i}>", block.Bytes);
            stream.Append(block);
            stream.AppendVerbatim("!"u8);
            Assert.Equal($"<{i}>!", ReadAll(reader));
        }

        Assert.Equal(stream.Position, reader.Position);
        Assert.InRange(stream.MemoryBytes, 1, 2 * EffectStream.BlockBytes);
    }

    [Fact]
    public void A_reader_may_begin_at_any_kept_byte()
    {
        EffectStream stream = new(7) { KeptBytes = 1 << 20 };
        StringBuilder whole = new();
        for (int i = 0; i < 3000; i++)
        {
            string effect = $"<{i}:{new string('x', i % 300)}>";
            stream.Append(0, Encoding.ASCII.GetBytes(effect));
            whole.Append(effect);
        }

        string expected = Select0 + whole;
        for (int at = 0; at <= expected.Length; at += 997)
        {
            using EffectReader reader = stream.TryOpen(7 + at, new Silent())!;
            Assert.Equal(expected[at..], ReadAll(reader));
        }
    }

    [Fact]
    public void Readers_see_the_same_bytes_while_threads_append()
    {
        const int writers = 4;
        const int effectsEach = 10_000;
        int seed = TestSeed.ChooseAnew(output);
        EffectStream stream = new();
        EffectReader[] readers = [.. Enumerable.Range(0, 3).Select(_ => stream.TryOpen(0, new Silent())!)];
        long[] sums = new long[readers.Length];
        using CountdownEvent written = new(writers);
        List<Thread> threads = [];
        for (int i = 0; i < readers.Length; i++)
        {
            int number = i;
            threads.Add(Start(() => sums[number] = Follow(readers[number], stream, written, new Random(seed + number))));
        }

        for (int i = 0; i < writers; i++)
        {
            Random random = new(seed + 10 + i);
            threads.Add(
                Start(() =>
                {
                    Append(stream, effectsEach, random);
                    written.Signal();
                })
            );
        }

        foreach (Thread each in threads)
            each.Join();
        Assert.All(sums, sum => Assert.Equal(sums[0], sum));
        Assert.All(readers, reader => Assert.Equal(stream.Position, reader.Position));
    }

    private static void Append(EffectStream stream, int effects, Random random)
    {
        for (int i = 0; i < effects; i++)
        {
            byte[] effect = new byte[1 + random.Next(random.Next(100) == 0 ? EffectStream.BlockBytes : 200)];
            random.NextBytes(effect);
            stream.Append(random.Next(2), effect);
        }
    }

    private static long Follow(EffectReader reader, EffectStream stream, CountdownEvent written, Random random)
    {
        long sum = 0;
        Queue<EffectLoan> lent = new();
        while (!written.IsSet || reader.Position < stream.Position)
        {
            int length = reader.Peek(1 + random.Next(100_000)).Length;
            if (length == 0)
                Thread.Yield();
            else
                lent.Enqueue(reader.Lend(length));
            reader.Advance(length);
            if (lent.Count > random.Next(4))
                sum = Return(lent.Dequeue(), sum);
        }

        return lent.Aggregate(sum, static (sum, loan) => Return(loan, sum));
    }

    private static long Return(EffectLoan loan, long sum)
    {
        foreach (byte each in Bytes(loan))
            sum = (sum * 31) + each;
        loan.Return();
        return sum;
    }

    private static byte[] Bytes(EffectLoan loan)
    {
        byte[] bytes = new byte[loan.Length];
        Marshal.Copy(loan.Address, bytes, 0, bytes.Length);
        return bytes;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference AppendBlock(EffectStream stream)
    {
        EffectBlock block = stream.Rent();
        block.Length = block.Bytes.Length;
        stream.Append(block);
        return new WeakReference(block);
    }

    private static void AppendAndRead(EffectStream stream, byte[] effect, EffectReader reader)
    {
        stream.Append(0, effect);
        ReadAll(reader);
    }

    private static Thread Start(Action action)
    {
        Thread thread = new(() => action());
        thread.Start();
        return thread;
    }

    private static string ReadAll(EffectReader reader)
    {
        StringBuilder text = new();
        while (reader.Peek() is { IsEmpty: false } next)
        {
            text.Append(Encoding.ASCII.GetString(next.Span));
            reader.Advance(next.Length);
        }

        return text.ToString();
    }

    private sealed class Silent : IEffectListener
    {
        public bool LearnedOfLoss { get; private set; }

        public void OnAppended() { }

        public void OnDropped() => LearnedOfLoss = true;
    }
}
