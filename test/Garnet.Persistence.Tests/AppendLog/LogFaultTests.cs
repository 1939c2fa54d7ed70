// Power failures, torn and damaged files. A seeded subset by default, more on request (FaultScale).
using System.Globalization;
using Garnet.Persistence.AppendLog;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;
using Log = Garnet.Persistence.AppendLog.AppendOnlyLog;

namespace Garnet.Persistence.Tests.AppendLog;

public sealed class LogFaultTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(AppendFsync.Always)]
    [InlineData(AppendFsync.EverySecond)]
    public void After_a_power_failure_the_log_is_a_prefix_with_everything_durable(AppendFsync fsync)
    {
        int seed = TestSeed.Choose(output, 71);
        for (int round = 0; round < FaultScale.Count(60, 1000); round++)
        {
            Random random = new(seed + round);
            MemoryLogFolder folder = new();
            int written = 0;
            for (int life = 0; life < 3; life++)
            {
                Log log = LogRig.Open(folder, fsync);
                int durable = AppendSome(log, random, ref written);
                folder = random.Next(2) == 0 ? folder.AfterPowerLoss(random) : folder.AfterKill();
                log.Dispose();
                List<string> left = LogRig.Read(folder, out _);
                AssertPrefix(left, written, seed + round);
                Assert.True(
                    left.Count >= durable,
                    $"seed {seed + round}, life {life}: {left.Count} effects are left of {durable} durable ones"
                );
                written = left.Count;
            }
        }
    }

    // At every byte in full runs, else at one of each few.
    [Fact]
    public void A_log_cut_anywhere_starts_with_an_exact_prefix()
    {
        Random random = new(TestSeed.ChooseAnew(output));
        MemoryLogFolder whole = WriteLog(12, closes: false, out _);
        byte[] bytes = whole.Used(LogRig.FirstSegment);
        int previous = 0;
        for (int length = bytes.Length; length > 300; length -= FaultScale.IsFull ? 1 : random.Next(1, 12))
        {
            MemoryLogFolder cut = whole.AfterKill();
            cut.Put(LogRig.FirstSegment, bytes[..length]);
            List<string> left = LogRig.Read(cut, out LogEnd end);
            AssertPrefix(left, 12, length);
            if (length < bytes.Length)
                Assert.True(left.Count <= previous);
            previous = left.Count;
            if (end.Truncation is not null)
                Assert.Throws<AppendOnlyLogException>(() => LogRig.Read(cut, out _, mayTruncate: false));
            else
                Assert.True(length % 512 == 0 || length == bytes.Length, $"a cut at {length} went unnoticed");
        }

        Assert.True(previous < 12);
    }

    [Fact]
    public void A_record_torn_at_any_sector_loses_only_itself()
    {
        MemoryLogFolder before = WriteLog(10, closes: false, out _);
        int keptBytes = before.Used(LogRig.FirstSegment).Length;
        MemoryLogFolder folder = new();
        Log log = LogRig.Open(folder);
        for (int i = 0; i < 10; i++)
            AppendDurable(log, i);
        log.Stream.Append(0, LogRig.Set("k", "10 " + new string('z', 20_000)));
        Assert.True(LogRig.WaitDurable(log, log.Appended));
        MemoryLogFolder killed = folder.AfterKill();
        log.Dispose();
        byte[] bytes = killed.Used(LogRig.FirstSegment);
        for (int sector = (keptBytes / 512) + 1; sector * 512 < bytes.Length; sector++)
        {
            byte[] torn = new byte[LogRig.SegmentBytes];
            bytes.AsSpan(0, sector * 512).CopyTo(torn);
            killed.Put(LogRig.FirstSegment, torn);
            Assert.Equal(10, LogRig.Read(killed, out LogEnd end).Count);
            Assert.NotNull(end.Truncation);
            // The torn end is cut off, so that the log can continue there.
            MemoryLogFolder again = killed.AfterKill();
            using (Log next = LogRig.Open(again))
                AppendDurable(next, 10);
            AssertPrefix(LogRig.Read(again, out LogEnd mended), 11, sector);
            Assert.Null(mended.Truncation);
        }
    }

    [Fact]
    public void A_flipped_bit_before_the_end_is_always_detected_and_located()
    {
        MemoryLogFolder whole = WriteLog(100, closes: true, out int lastFrame);

        // The whole file: the closing frame ends with zeros, and shows that the frame before it was durable.
        byte[] bytes = [];
        Array.Resize(ref bytes, whole.Read(LogRig.FirstSegment, ref bytes));
        Random random = new(TestSeed.Choose(output, 72));
        for (int i = 0; i < FaultScale.Count(400, 10_000); i++)
        {
            int at = random.Next(lastFrame);
            MemoryLogFolder damaged = new();
            byte[] copy = [.. bytes];
            copy[at] ^= (byte)(1 << random.Next(8));
            damaged.Put(LogRig.FirstSegment, copy);
            AppendOnlyLogException refusal = Assert.Throws<AppendOnlyLogException>(() => LogRig.Read(damaged, out _));
            Assert.Contains(LogRig.FirstSegment, refusal.File, StringComparison.Ordinal);
            Assert.InRange(refusal.Position, 0, at);
            Assert.Contains(refusal.Position.ToString(CultureInfo.InvariantCulture), refusal.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_missing_file_is_named()
    {
        MemoryLogFolder folder = new();
        byte[] effect = LogRig.Set("k", new string('v', 60_000));
        using (Log log = LogRig.Open(folder, AppendFsync.No))
        {
            for (int i = 0; i < 200; i++)
                log.Stream.Append(0, effect);
            log.BeginGeneration();
            log.Stream.Append(0, effect);
        }

        string[] files = [.. folder.List().Order(StringComparer.Ordinal)];
        Assert.True(files.Length >= 4);
        foreach (string file in files[..^1])
        {
            MemoryLogFolder damaged = folder.AfterKill();
            damaged.Delete(file);
            AppendOnlyLogException refusal = Assert.Throws<AppendOnlyLogException>(() => LogRig.Read(damaged, out _));
            Assert.Contains("appendonly.aof.00000", refusal.File, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Short_and_interrupted_writes_leave_the_same_log()
    {
        MemoryLogFolder clean = WriteLog(200, closes: true, out _);
        MemoryLogFolder troubled = new();
        Random random = new(TestSeed.Choose(output, 73));
        troubled.OnWrite = bytes =>
            random.Next(3) switch
            {
                0 => random.Next(1, bytes + 1),
                1 => -MemoryLogFolder.Interrupted,
                _ => null,
            };
        bool interrupts = false;
        troubled.OnSync = () => (interrupts = !interrupts) ? MemoryLogFolder.Interrupted : 0;
        using (Log log = LogRig.Open(troubled))
        {
            for (int i = 0; i < 200; i++)
                AppendDurable(log, i);
        }

        AssertPrefix(LogRig.Read(clean, out LogEnd first), 200, 0);
        AssertPrefix(LogRig.Read(troubled, out LogEnd second), 200, 0);
        Assert.Equal(first with { LogId = 0 }, second with { LogId = 0 });
    }

    // Appends effects, waits for some of them, and returns how many are known to be durable.
    private static int AppendSome(Log log, Random random, ref int written)
    {
        int durable = 0;
        for (int i = random.Next(1, 20); i > 0; i--)
        {
            int length = random.Next(6) == 0 ? random.Next(200_000) : random.Next(300);
            log.Stream.Append(0, LogRig.Set("k", string.Create(CultureInfo.InvariantCulture, $"{written++} {new string('z', length)}")));
            if (random.Next(3) == 0 && log.Fsync == AppendFsync.Always && LogRig.WaitDurable(log, log.Appended))
                durable = written;
        }

        return durable;
    }

    private static void AppendDurable(Log log, int number)
    {
        log.Stream.Append(0, LogRig.Set("k", string.Create(CultureInfo.InvariantCulture, $"{number} {new string('z', number % 7 * 20)}")));
        Assert.True(LogRig.WaitDurable(log, log.Appended));
    }

    // A log of numbered effects, each durable before the next, and the position of the last frame.
    private static MemoryLogFolder WriteLog(int effects, bool closes, out int lastFrame)
    {
        MemoryLogFolder folder = new();
        Log log = LogRig.Open(folder);
        for (int i = 0; i < effects; i++)
            AppendDurable(log, i);
        MemoryLogFolder killed = folder.AfterKill();
        log.Dispose();
        MemoryLogFolder kept = closes ? folder : killed;
        byte[] bytes = kept.Used(LogRig.FirstSegment);
        lastFrame = bytes.AsSpan().LastIndexOf(FrameHeader.Magic) - 4;
        return kept;
    }

    private static void AssertPrefix(List<string> left, int written, int seed)
    {
        Assert.True(left.Count <= written, $"seed {seed}: {left.Count} effects of {written}");
        for (int i = 0; i < left.Count; i++)
        {
            Assert.True(
                left[i].StartsWith($"SET k {i} ", StringComparison.Ordinal),
                $"seed {seed}: effect {i} is {left[i][..Math.Min(40, left[i].Length)]}"
            );
        }
    }
}
