// The stream of effects as it is read back from the log's files while they are written: every byte at its position.
using System.Diagnostics;
using System.Text;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Effects;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;
using Log = Garnet.Persistence.AppendLog.AppendOnlyLog;

namespace Garnet.Persistence.Tests.AppendLog;

public sealed class LoggedStreamReaderTests(ITestOutputHelper output)
{
    private static readonly byte[] Ping = "*1\r\n$4\r\nPING\r\n"u8.ToArray();

    [Theory]
    [InlineData(300, 40)]
    [InlineData(60_000, 2_500_000)]
    public void Every_byte_has_its_position_whatever_generation_and_file_it_is_in(int effects, int longest)
    {
        Random random = new(TestSeed.Choose(output, 61));
        using Log log = LogRig.Open(new MemoryLogFolder(), AppendFsync.No);
        using Witness witness = new(log.Stream);
        for (long budget = 12_000_000; effects > 0 && budget > 0; effects--)
        {
            byte[] effect = LogRig.Set("k", new string((char)('a' + random.Next(26)), random.Next(random.Next(100) == 0 ? longest : 400)));
            budget -= effect.Length;
            witness.Append(random.Next(2), effect);
            if (random.Next(20) == 0)
                witness.AppendForLinks(Ping);
            if (random.Next(effects > 1000 ? 10_000 : 50) == 0)
                log.BeginGeneration();
        }

        AwaitWritten(log);
        long end = log.Stream.Position;
        for (int i = 0; i < 20; i++)
        {
            long position = i == 0 ? 0 : random.NextInt64(end + 1);
            Assert.Equal(witness.From(position), ReadAll(log, position, 1 + random.Next(1 << random.Next(1, 22)), end));
        }

        Assert.Null(log.TryRead(end + 1));
    }

    [Fact]
    public async Task Readers_follow_a_log_that_is_being_written()
    {
        Random random = new(TestSeed.Choose(output, 62));
        using Log log = LogRig.Open(new MemoryLogFolder(), AppendFsync.No);
        using Witness witness = new(log.Stream);
        // More than there are processors, so that they are interrupted anywhere.
        int readers = 4 * Environment.ProcessorCount;
        LoggedStreamReader[] reading = [.. Enumerable.Range(0, readers).Select(_ => log.TryRead(0)!)];
        var writing = Task.Run(() =>
        {
            for (int i = 0; i < 2500; i++)
            {
                if (i % 1000 == 0)
                    log.BeginGeneration();
                if (i % 10 == 0)
                {
                    // Readers stand at the end when what is not logged comes next.
                    AwaitWritten(log);
                    witness.AppendForLinks(Ping);
                }

                witness.Append(0, LogRig.Set("k", new string('v', random.Next(500))));
            }
        });
        Task<byte[]>[] read =
        [
            .. reading.Select(reader => Task.Factory.StartNew(() => Follow(reader, log, writing), TaskCreationOptions.LongRunning)),
        ];
        await writing;
        foreach (byte[] bytes in await Task.WhenAll(read))
            Assert.Equal(witness.From(0), bytes);
    }

    [Fact]
    public void What_a_rewrite_has_replaced_is_not_read_any_more()
    {
        MemoryLogFolder folder = new();
        using Log log = LogRig.Open(folder, AppendFsync.No);
        using Witness witness = new(log.Stream);
        witness.Append(0, LogRig.Set("a", "1"));
        witness.AppendForLinks(Ping);
        long boundary = log.Stream.Position;
        LoggedStreamReader early = log.TryRead(0)!;
        int generation = log.BeginGeneration();
        witness.Append(0, LogRig.Set("b", "2"));
        AwaitWritten(log);
        Assert.Null(log.SetBase(generation));
        AppendLogRecovery.DeleteBefore(folder, LogRig.Prefix, generation, static () => false);

        Assert.Null(log.TryRead(0));
        Assert.Throws<IOException>(() => early.Read(100));
        // What is for replicas alone, at the boundary, belongs to what follows.
        Assert.NotNull(log.TryRead(boundary));
        Assert.Equal(witness.From(boundary), ReadAll(log, boundary, 100, log.Stream.Position));
    }

    [Fact]
    public void Damaged_and_missing_files_are_errors()
    {
        MemoryLogFolder folder = new();
        using Log log = LogRig.Open(folder, AppendFsync.No);
        log.Stream.Append(0, LogRig.Set("a", new string('x', 1000)));
        AwaitWritten(log);
        folder.Edit(
            LogRig.FirstSegment,
            static bytes =>
            {
                bytes[700] ^= 1;
                return bytes;
            }
        );
        Assert.Throws<IOException>(() => log.TryRead(0)!.Read(100));
        folder.Delete(LogRig.FirstSegment);
        Assert.Throws<IOException>(() => log.TryRead(0)!.Read(100));
    }

    [Fact]
    public void A_closed_log_is_not_read()
    {
        Log log = LogRig.Open(new MemoryLogFolder(), AppendFsync.No);
        log.Stream.Append(0, LogRig.Set("a", "1"));
        LoggedStreamReader reader = log.TryRead(0)!;
        log.Dispose();
        Assert.Null(log.TryRead(0));
        Assert.Throws<IOException>(() => reader.Read(100));
    }

    [Fact]
    public void With_too_many_gaps_the_earliest_positions_are_forgotten()
    {
        LoggedRange range = new(maxGaps: 4);
        range.Begin(1000, 10);
        range.BeginGeneration(1, 10);
        for (int i = 0; i < 5; i++)
            range.AddGap(1100 + (i * 100), 14, 110 + (i * 86));
        // Two of four were forgotten.
        Assert.Equal(1214, range.First);
        Assert.Equal(-1, range.Find(1213));
        Assert.Equal(196, range.Find(1214));
        Assert.Equal(197, range.Find(1215));
        Assert.Equal(282, range.Find(1300));
        Assert.Equal(282, range.Find(1313));
        Assert.Equal(283, range.Find(1315));
        Assert.False(range.TryFindGap(1213, out _));
        Assert.True(range.TryFindGap(1313, out (long Start, long End) gap));
        Assert.Equal((1300, 1314), gap);
    }

    private static void AwaitWritten(Log log) => Assert.True(SpinWait.SpinUntil(() => log.Written == log.Appended, LogRig.Patience));

    private static byte[] Follow(LoggedStreamReader reader, Log log, Task writing)
    {
        List<byte> read = [];
        var sinceProgress = Stopwatch.StartNew();
        while (!writing.IsCompleted || reader.Position < log.Stream.Position)
        {
            ReadOnlyMemory<byte> bytes = reader.Read(10_000);
            read.AddRange(bytes.Span);
            if (!bytes.IsEmpty)
                sinceProgress.Restart();
            Assert.True(sinceProgress.Elapsed < LogRig.Patience, $"at {reader.Position} of {log.Stream.Position}");
        }

        return [.. read];
    }

    private static byte[] ReadAll(Log log, long position, int most, long end)
    {
        LoggedStreamReader reader = log.TryRead(position)!;
        List<byte> read = [];
        while (reader.Position < end)
        {
            ReadOnlyMemory<byte> bytes = reader.Read(most);
            Assert.InRange(bytes.Length, 1, most);
            read.AddRange(bytes.Span);
        }

        Assert.True(reader.Read(most).IsEmpty);
        return [.. read];
    }

    // What replicas receive, with empty lines in place of what the log does not have.
    private sealed class Witness : IEffectListener, IDisposable
    {
        private readonly EffectStream _stream;
        private readonly EffectReader _reader;
        private readonly List<byte> _bytes = [];

        public Witness(EffectStream stream)
        {
            _stream = stream;
            _reader = stream.TryOpen(0, this)!;
        }

        public void Append(int database, byte[] effect)
        {
            _stream.Append(database, effect);
            Take(isForLinks: false);
        }

        public void AppendForLinks(byte[] bytes)
        {
            _stream.AppendVerbatim(bytes, isForLinks: true);
            Take(isForLinks: true);
        }

        public byte[] From(long position) => [.. _bytes.Skip((int)position)];

        public void OnAppended() { }

        public void Dispose() => _reader.Dispose();

        private void Take(bool isForLinks)
        {
            while (_reader.Peek() is { IsEmpty: false } next)
            {
                _bytes.AddRange(isForLinks ? Encoding.ASCII.GetBytes(new string('\n', next.Length)) : next.Span);
                _reader.Advance(next.Length);
            }
        }
    }
}
