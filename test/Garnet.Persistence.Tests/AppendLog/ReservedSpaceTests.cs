// How much of the disk a log takes beside what is in it. One log in a real folder per test; where the file system is not written to
// directly, nothing is reserved.
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Effects;
using Xunit;

namespace Garnet.Persistence.Tests.AppendLog;

public sealed class ReservedSpaceTests : IDisposable
{
    private const long MiB = 1L << 20;
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-reserved-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void A_log_takes_about_as_much_again_as_it_has()
    {
        AppendOnlyLogOptions options = new() { Fsync = AppendFsync.Always };
        using AppendOnlyLog log = new(new LogFolder(_folder), LogStart.Fresh(1, needsBase: false), new EffectStream(), options);
        log.Start();
        log.Attach();
        Append(log, 100);
        Assert.InRange(TakenBytes(), 1, 4 * MiB);
        foreach (int megabytes in new[] { 1, 2, 5, 20, 12 })
        {
            for (int i = 0; i < megabytes; i++)
                Append(log, (int)MiB);
            Assert.InRange(TakenBytes(), log.FileBytes, (2 * log.FileBytes) + (4 * MiB));
        }
    }

    // One after the other, so that the log's thread never has more to write than this.
    private static void Append(AppendOnlyLog log, int bytes)
    {
        log.Stream.Append(database: 0, new byte[bytes]);
        Assert.True(SpinWait.SpinUntil(() => log.IsDurable && log.Durable >= bytes, Patience));
    }

    private long TakenBytes() => new DirectoryInfo(_folder).EnumerateFiles().Sum(static file => file.Length);
}
