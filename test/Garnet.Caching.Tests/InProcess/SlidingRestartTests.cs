// Sliding expiries over restarts: by the snapshot's file and by the append-only log. Virtual time; folders of their own.
using Garnet.Testing;
using Xunit;

namespace Garnet.Caching.Tests.InProcess;

public sealed class SlidingRestartTests : IDisposable
{
    private readonly ManualTimeProvider _clock = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-caching-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(false, 100)]
    [InlineData(false, 100_000)]
    [InlineData(false, 3_000_000)]
    [InlineData(true, 100)]
    [InlineData(true, 100_000)]
    public void A_key_slides_on_after_a_restart(bool logs, int valueLength)
    {
        byte[] value = new byte[valueLength];
        new Random(valueLength).NextBytes(value);
        using (TestServer server = Start(logs))
        {
            IGarnet garnet = server.Server.InProcess;
            garnet.Execute(
                "SET",
                "k"u8.ToArray(),
                value,
                "SLIDING"u8.ToArray(),
                "10000"u8.ToArray(),
                "PX"u8.ToArray(),
                "60000"u8.ToArray()
            );
            garnet.Execute("SET", "free", "v", "SLIDING", "20000");
            for (int i = 0; i < 300; i++)
                garnet.Set("other:" + i, "v");
            // Past the times that the first entries of a log tell: only the renewals keep the keys alive.
            for (int i = 0; i < 3; i++)
            {
                _clock.Advance(TimeSpan.FromSeconds(9));
                Assert.Equal(1, garnet.Execute("GETEX", "k", "SLIDING", "TOUCH").Integer);
                Assert.Equal(1, garnet.Execute("GETEX", "free", "SLIDING", "TOUCH").Integer);
            }

            if (!logs)
                garnet.Execute("SAVE");
        }

        _clock.Advance(TimeSpan.FromSeconds(9));
        using (TestServer server = Start(logs))
        {
            IGarnet garnet = server.Server.InProcess;
            Assert.Equal(302, garnet.Execute("DBSIZE").Integer);
            Assert.Equal(1000, garnet.Execute("PTTL", "k").Integer);
            Assert.Equal(11_000, garnet.Execute("PTTL", "free").Integer);
            Assert.Equal(value, garnet.Execute("GETEX", "k", "SLIDING").Bytes.ToArray());
            garnet.Execute("GETEX", "free", "SLIDING");
            Assert.Equal(10_000, garnet.Execute("PTTL", "k").Integer);
            Assert.Equal(20_000, garnet.Execute("PTTL", "free").Integer);
            _clock.Advance(TimeSpan.FromSeconds(9));
            garnet.Execute("GETEX", "k", "SLIDING");
            _clock.Advance(TimeSpan.FromSeconds(9));
            garnet.Execute("GETEX", "k", "SLIDING");
            // 54 of 60 seconds have passed.
            Assert.Equal(6000, garnet.Execute("PTTL", "k").Integer);
        }
    }

    private TestServer Start(bool logs) =>
        TestServer.Start(
            options =>
            {
                options.Dir = _folder;
                options.AppendOnly = logs;
            },
            _clock
        );
}
