// The log on a healthy disk, and on one that is full or slow. Each test has its own folder.
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Effects;
using Garnet.Persistence.Snapshots;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;
using Log = Garnet.Persistence.AppendLog.AppendOnlyLog;

namespace Garnet.Persistence.Tests.AppendLog;

public sealed class AppendLogTests(ITestOutputHelper output)
{
    [Fact]
    public void Effects_of_several_threads_are_read_back_in_each_threads_order()
    {
        MemoryLogFolder folder = new();
        Random random = new(TestSeed.Choose(output, 41));
        int[] seeds = [.. Enumerable.Range(0, 4).Select(_ => random.Next())];
        using (Log log = LogRig.Open(folder, AppendFsync.EverySecond))
        {
            Parallel.For(
                0,
                seeds.Length,
                thread =>
                {
                    Random own = new(seeds[thread]);
                    for (int i = 0; i < 3000; i++)
                        log.Stream.Append(own.Next(3), LogRig.Set($"t{thread}", $"{i}:{new string('x', own.Next(200))}"));
                }
            );
        }

        List<string> effects = LogRig.Read(folder, out LogEnd end);
        Assert.Null(end.Truncation);
        Assert.Equal(4 * 3000, effects.Count);
        for (int thread = 0; thread < seeds.Length; thread++)
        {
            string[] numbers =
            [
                .. effects
                    .Where(effect => effect.StartsWith($"SET t{thread} ", StringComparison.Ordinal))
                    .Select(effect => effect.Split(' ')[2].Split(':')[0]),
            ];
            Assert.Equal(
                Enumerable.Range(0, 3000).Select(number => number.ToString(System.Globalization.CultureInfo.InvariantCulture)),
                numbers
            );
        }
    }

    [Fact]
    public void Effects_larger_than_a_page_survive_whole()
    {
        MemoryLogFolder folder = new();
        string large = new('a', 9_000_000);
        using (Log log = LogRig.Open(folder))
        {
            log.Stream.Append(0, LogRig.Set("before", "1"));
            log.Stream.Append(0, LogRig.Set("large", large));
            log.Stream.Append(0, LogRig.Set("after", "2"));
        }

        Assert.Equal(["SET before 1", "SET large " + large, "SET after 2"], LogRig.Read(folder, out _));
    }

    [Fact]
    public void A_log_longer_than_a_segment_continues_in_the_next()
    {
        MemoryLogFolder folder = new();
        byte[] effect = LogRig.Set("k", new string('v', 60_000));
        using (Log log = LogRig.Open(folder, AppendFsync.No))
        {
            for (int i = 0; i < 200; i++)
                log.Stream.Append(0, effect);
        }

        Assert.True(folder.List().Count >= 3);
        Assert.Equal(200, LogRig.Read(folder, out LogEnd end).Count);
        Assert.Null(end.Truncation);
    }

    // The process was killed while a rewrite created the next generation: its file is empty or missing, and its snapshot complete or not.
    [Theory]
    [InlineData(false, true)]
    [InlineData(true, true)]
    [InlineData(true, false)]
    public void An_incomplete_generation_is_ignored_at_each_start(bool hasBase, bool hasFile)
    {
        MemoryLogFolder folder = new();
        List<string> expected = [];
        for (int run = 0; run < 4; run++)
        {
            using (Log log = LogRig.Open(folder))
                log.Stream.Append(0, LogRig.Set("k", $"{run}"));
            expected.Add($"SET k {run}");
            int next = AppendLogRecovery.HighestGeneration(folder, LogRig.Prefix) + 1;
            if (hasBase)
                folder.Put(AppendLogRecovery.BaseName(LogRig.Prefix, next), [1, 2, 3]);
            if (hasFile)
                folder.Put($"{LogRig.Prefix}.{next:D6}.log.000000", new byte[LogRig.SegmentBytes]);
            Assert.Equal(expected, LogRig.Read(folder, out LogEnd end));
            Assert.Null(end.Truncation);
        }
    }

    [Fact]
    public void A_reopened_log_continues_where_it_ended()
    {
        MemoryLogFolder folder = new();
        List<string> expected = [];
        for (int run = 0; run < 5; run++)
        {
            using Log log = LogRig.Open(folder);
            for (int i = 0; i < 10; i++)
            {
                log.Stream.Append(run % 2, LogRig.Set($"r{run}", $"{i}"));
                expected.Add($"SET r{run} {i}");
            }

            Assert.True(LogRig.WaitDurable(log, log.Appended));
            if (run == 3)
                folder = folder.AfterKill();
        }

        Assert.Equal(expected, LogRig.Read(folder, out LogEnd end));
        Assert.Equal(5, end.Generations);
    }

    [Fact]
    public void A_new_generation_begins_exactly_at_the_requested_position()
    {
        MemoryLogFolder folder = new();
        using (Log log = LogRig.Open(folder))
        {
            log.Stream.Append(3, LogRig.Set("old", "1"));
            Assert.Equal(2, log.BeginGeneration());
            log.Stream.Append(3, LogRig.Set("new", "2"));
        }

        Assert.Equal(["SET old 1", "SET new 2"], LogRig.Read(folder, out _));
        folder.Put(AppendLogRecovery.BaseName(LogRig.Prefix, 2), [1]);
        AppendLogRecovery.DeleteBefore(folder, LogRig.Prefix, 2, static () => false);
        Assert.Equal(["SET new 2"], LogRig.Read(folder, out _));
        string all = "";
        new AppendLogRecovery(folder, LogRig.Prefix).Read(
            (bytes, _, _) => all += System.Text.Encoding.Latin1.GetString(bytes),
            mayTruncate: false
        );
        Assert.StartsWith("*2\r\n$6\r\nSELECT\r\n$1\r\n3\r\n*3\r\n", all, StringComparison.Ordinal);
    }

    // A deletion that was cut off leaves a part of a file, whose name must never be taken for that of the log.
    [Fact]
    public void What_a_deletion_has_left_is_deleted_at_the_next_start()
    {
        MemoryLogFolder folder = new();
        using (Log log = LogRig.Open(folder))
            log.Stream.Append(0, LogRig.Set("k", "1"));
        string left = TemporaryFile.NameFor(new LogFileName(1, 5).Text(LogRig.Prefix));
        string copy = new LogFileName(1, 5).Text(LogRig.Prefix) + ".tmp";
        folder.Put(left, [1, 2, 3]);
        folder.Put(copy, [1, 2, 3]);
        AppendLogRecovery recovery = new(folder, LogRig.Prefix);
        recovery.Read(static (_, _, _) => { }, mayTruncate: true);
        recovery.Trim();
        Assert.DoesNotContain(left, folder.List());
        // Somebody's copy, whose name this server would not choose.
        Assert.Contains(copy, folder.List());
        Assert.Equal(["SET k 1"], LogRig.Read(folder, out _));
    }

    [Fact]
    public void A_generation_without_a_saved_base_is_ignored()
    {
        MemoryLogFolder folder = new();
        using (Log log = LogRig.Open(folder))
            log.Stream.Append(0, LogRig.Set("k", "1"));
        Log second = new(folder, LogStart.Fresh(2, needsBase: true), new EffectStream(), new AppendOnlyLogOptions());
        second.Start();
        second.Attach();
        second.Stream.Append(0, LogRig.Set("k", "2"));
        second.Dispose();

        Assert.Equal(["SET k 1"], LogRig.Read(folder, out _));
        folder.Put(AppendLogRecovery.BaseName(LogRig.Prefix, 2), [1]);
        Assert.Equal(["SET k 2"], LogRig.Read(folder, out _));
    }

    [Fact]
    public void Many_waiters_share_a_sync()
    {
        MemoryLogFolder folder = new();
        using Log log = LogRig.Open(folder);
        int before = folder.Syncs;
        Parallel.For(
            0,
            8,
            new ParallelOptions { MaxDegreeOfParallelism = 8 },
            thread =>
            {
                for (int i = 0; i < 100; i++)
                {
                    log.Stream.Append(0, LogRig.Set($"t{thread}", $"{i}"));
                    Assert.True(LogRig.WaitDurable(log, log.Appended));
                }
            }
        );
        output.WriteLine($"{folder.Syncs - before} syncs for 800 waits");
        Assert.InRange(folder.Syncs - before, 1, 800);
    }

    [Fact]
    public void Everysec_syncs_by_itself()
    {
        MemoryLogFolder folder = new();
        using Log log = LogRig.Open(folder, AppendFsync.EverySecond);
        log.Stream.Append(0, LogRig.Set("k", "1"));
        Assert.True(LogRig.WaitDurable(log, log.Appended));
    }

    [Fact]
    public async Task A_full_disk_is_reported_and_writing_resumes_when_there_is_space()
    {
        MemoryLogFolder folder = new();
        bool isFull = false;
        folder.OnWrite = _ => isFull ? -MemoryLogFolder.NoSpace : null;
        folder.OnCreate = () => isFull ? MemoryLogFolder.NoSpace : 0;
        List<string> reports = [];
        using (Log log = LogRig.Open(folder, report: reports.Add))
        {
            log.Stream.Append(0, LogRig.Set("a", "1"));
            Assert.True(LogRig.WaitDurable(log, log.Appended));
            isFull = true;
            log.Stream.Append(0, LogRig.Set("b", "2"));
            Task<bool> durable = Task.Run(() => LogRig.WaitDurable(log, log.Appended));
            Assert.True(SpinWait.SpinUntil(() => log.Problem is not null, LogRig.Patience));
            Assert.Equal("No space left on device", log.Problem);
            Assert.False(log.IsDurable);
            Assert.False(log.IsFailed);
            isFull = false;
            Assert.True(await durable.WaitAsync(LogRig.Patience));
            Assert.True(SpinWait.SpinUntil(() => log.Problem is null, LogRig.Patience));
        }

        Assert.Equal(2, reports.Count);
        Assert.Equal(["SET a 1", "SET b 2"], LogRig.Read(folder, out _));
    }

    [Fact]
    public void A_generation_started_on_a_nearly_full_disk_continues_when_there_is_space()
    {
        MemoryLogFolder folder = new();
        int segmentsLeft = int.MaxValue;
        folder.OnCreate = () => Interlocked.Decrement(ref segmentsLeft) < 0 ? MemoryLogFolder.NoSpace : 0;
        using (Log log = LogRig.Open(folder))
        {
            log.Stream.Append(0, LogRig.Set("k", "before"));
            Assert.True(LogRig.WaitDurable(log, log.Appended));
            Volatile.Write(ref segmentsLeft, 1);
            log.BeginGeneration();
            log.Stream.Append(0, LogRig.Set("k", "behind"));
            Assert.True(LogRig.WaitDurable(log, log.Appended));
            Assert.NotNull(log.Problem);
            Volatile.Write(ref segmentsLeft, int.MaxValue);
            Assert.True(SpinWait.SpinUntil(() => log.Problem is null, LogRig.Patience));
            log.Stream.Append(0, LogRig.Set("k", "after"));
            Assert.True(LogRig.WaitDurable(log, log.Appended));
        }

        Assert.Equal(["SET k before", "SET k behind", "SET k after"], LogRig.Read(folder, out _));
    }

    [Fact]
    public void Missing_space_for_the_next_segment_is_detected_before_it_is_needed()
    {
        MemoryLogFolder folder = new();
        bool isFull = false;
        folder.OnCreate = () => isFull ? MemoryLogFolder.NoSpace : 0;
        using Log log = LogRig.Open(folder);
        isFull = true;
        byte[] effect = LogRig.Set("k", new string('v', 60_000));
        while (log.Problem is null)
        {
            log.Stream.Append(0, effect);
            Assert.True(LogRig.WaitDurable(log, log.Appended));
        }

        Assert.True(log.IsDurable);
        isFull = false;
        Assert.True(SpinWait.SpinUntil(() => log.Problem is null, LogRig.Patience));
    }

    [Fact]
    public void Nothing_is_durable_after_a_failed_sync_and_none_is_tried_again()
    {
        MemoryLogFolder folder = new();
        bool fails = false;
        int failures = 0;
        folder.OnSync = () => fails ? Fail() : 0;
        using Log log = LogRig.Open(folder);
        log.Stream.Append(0, LogRig.Set("a", "1"));
        Assert.True(LogRig.WaitDurable(log, log.Appended));
        fails = true;
        log.Stream.Append(0, LogRig.Set("b", "2"));
        long second = log.Appended;
        Assert.False(LogRig.WaitDurable(log, second));
        fails = false;
        Assert.True(log.IsFailed);
        Assert.Equal("Input/output error", log.Problem);
        log.Stream.Append(0, LogRig.Set("c", "3"));
        Assert.False(LogRig.WaitDurable(log, second));
        Assert.Equal(1, failures);

        int Fail()
        {
            failures++;
            return MemoryLogFolder.InputOutput;
        }
    }

    [Fact]
    public void A_disk_that_rejects_the_first_write_fails_the_start_after_some_attempts()
    {
        MemoryLogFolder folder = new();
        int tries = 0;
        folder.OnWrite = _ => ++tries > 0 ? -MemoryLogFolder.InputOutput : null;
        using Log log = new(
            folder,
            LogStart.Fresh(1, needsBase: false),
            new EffectStream(),
            new AppendOnlyLogOptions { SegmentBytes = LogRig.SegmentBytes, StartPatience = TimeSpan.FromSeconds(1) }
        );
        AppendOnlyLogException refusal = Assert.Throws<AppendOnlyLogException>(log.Start);
        Assert.Contains("Input/output error", refusal.Message, StringComparison.Ordinal);
        Assert.True(tries > 1);
    }

    [Fact]
    public async Task A_disk_that_never_responds_is_abandoned_and_all_waiters_are_notified()
    {
        MemoryLogFolder folder = new();
        // Not disposed: the log's thread has been abandoned and may still wait for it.
        ManualResetEventSlim goOn = new();
        bool isStuck = false;
        folder.OnSync = () =>
        {
            if (isStuck)
                goOn.Wait(LogRig.Patience);
            return 0;
        };
        List<string> reports = [];
        Log log = LogRig.Open(folder, report: reports.Add);
        isStuck = true;
        log.Stream.Append(0, LogRig.Set("a", "1"));
        long offset = log.Appended;
        Task<bool> durable = Task.Run(() => LogRig.WaitDurable(log, offset));
        log.Close(TimeSpan.FromMilliseconds(100));
        Assert.False(await durable.WaitAsync(LogRig.Patience));
        Assert.False(LogRig.WaitDurable(log, offset));
        Assert.Contains(reports, static report => report.Contains("abandoned", StringComparison.Ordinal));
        goOn.Set();
    }

    [Fact]
    public async Task A_slow_disk_makes_writers_wait_and_memory_stays_bounded()
    {
        MemoryLogFolder folder = new();
        using ManualResetEventSlim goOn = new();
        using ManualResetEventSlim isStuck = new();
        bool isSlow = false;
        folder.OnWrite = _ =>
        {
            if (isSlow)
            {
                isStuck.Set();
                goOn.Wait();
            }

            return null;
        };
        using Log log = LogRig.Open(folder, AppendFsync.EverySecond, stagingBytes: 1 << 20);
        isSlow = true;
        try
        {
            byte[] effect = LogRig.Set("k", new string('v', 10_000));
            log.Stream.Append(0, effect);
            // From here on the log's thread takes no more work, so staged data only grows.
            Assert.True(isStuck.Wait(LogRig.Patience));
            int appended = 0;
            while (log.HasSpace)
            {
                log.Stream.Append(0, effect);
                appended++;
            }

            Assert.InRange(log.StagedBytes, 1 << 20, (1 << 20) + 20_000);
            Assert.InRange(appended, 100, 110);
            Task room = log.SpaceAsync();
            Assert.False(room.IsCompleted);
            goOn.Set();
            await room.WaitAsync(LogRig.Patience);
            Assert.True(log.HasSpace);
        }
        finally
        {
            // The log cannot be closed while its disk does not respond.
            goOn.Set();
        }
    }

    [Fact]
    public void A_real_folder_keeps_what_a_log_wrote()
    {
        string path = Directory.CreateTempSubdirectory("garnet-log-").FullName;
        LogFolder folder = new(Path.Combine(path, "appendonlydir"));
        using (Log log = LogRig.Open(folder))
        {
            for (int i = 0; i < 100; i++)
            {
                log.Stream.Append(0, LogRig.Set("k", $"{i}"));
                Assert.True(LogRig.WaitDurable(log, log.Appended));
            }
        }

        Assert.Equal(100, LogRig.Read(folder, out LogEnd end).Count);
        Assert.Null(end.Truncation);
        // Closed properly, so no space is reserved any more.
        Assert.True(new FileInfo(Path.Combine(folder.Path, LogRig.FirstSegment)).Length < 100_000);
        Directory.Delete(path, recursive: true);
    }
}
