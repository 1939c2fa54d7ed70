// Shutdown of an application whose disk is slow or does not respond. An in-memory disk; sockets in a temporary folder.
using System.Net.Sockets;
using Garnet.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Xunit;

namespace Garnet.EndToEnd.Tests.Hosting;

public sealed class HostedStopTests : IDisposable
{
    private const string GivenUp =
        "Error: The final snapshot was not finished before the shutdown timeout: changes since the last one are lost";

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-stop-").FullName;
    private readonly FaultyDisk _disk = new();
    private readonly LogCapture _log = new();
    private readonly ManualResetEventSlim _answers = new(true);

    private string Snapshot => Path.Combine(_folder, "dump.rdb");

    public void Dispose()
    {
        _answers.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task Shutdown_meets_the_hosts_timeout_with_a_stuck_disk_and_keeps_the_old_snapshot()
    {
        using IHost host = await StartAsync(TimeSpan.FromMilliseconds(300));
        byte[] before = _disk.Read(Snapshot)!;
        try
        {
            _answers.Reset();
            // More than one write, so that the save can be cancelled in between.
            for (int i = 0; i < 8; i++)
                Assert.Equal("+OK\r\n", Call("SET", $"new:{i}", new string('n', 1 << 20)));
            await host.StopAsync().WaitAsync(Patience);
            Assert.False(_answers.IsSet);
            Assert.Contains(GivenUp, _log.Lines);
        }
        finally
        {
            _answers.Set();
        }

        host.Dispose();
        Assert.Equal(before, _disk.Read(Snapshot));
        Assert.DoesNotContain(_disk.Files, static file => file.EndsWith(".tmp", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Shutdown_waits_for_a_slow_disk_within_its_timeout()
    {
        using IHost host = await StartAsync(Patience);
        byte[] before = _disk.Read(Snapshot)!;
        _answers.Reset();
        Assert.Equal("+OK\r\n", Call("SET", "k", "new"));
        Task stopped = host.StopAsync();
        Assert.True(SpinWait.SpinUntil(() => _disk.Steps[^1] == "write", Patience));
        Assert.False(stopped.IsCompleted);
        _answers.Set();
        await stopped.WaitAsync(Patience);
        Assert.DoesNotContain(GivenUp, _log.Lines);
        Assert.NotEqual(before, _disk.Read(Snapshot));
    }

    // Starts with a snapshot of one key on the disk.
    private async Task<IHost> StartAsync(TimeSpan shutdownTimeout)
    {
        _disk.Fail = (_, step) =>
        {
            if (step == "write")
                _answers.Wait(Patience);
            return null;
        };
        HostApplicationBuilder application = Host.CreateEmptyApplicationBuilder(null);
        application.Logging.AddProvider(_log);
        application.Services.Configure<HostOptions>(options => options.ShutdownTimeout = shutdownTimeout);
        application.Services.AddGarnet();
        GarnetOptions options = new()
        {
            Port = 0,
            Dir = _folder,
            UnixSocket = "s",
            Save = [new SavePoint(3600, 1_000_000)],
        };
        application.Services.AddKeyedSingleton(
            "",
            (services, _) =>
                new GarnetServerBuilder
                {
                    Options = options,
                    LoggerFactory = services.GetRequiredService<ILoggerFactory>(),
                    Disk = _disk,
                }.Build()
        );
        IHost host = application.Build();
        await host.StartAsync();
        Assert.Equal("+OK\r\n", Call("SET", "k", "old"));
        Assert.Equal("+OK\r\n", Call("SAVE"));
        return host;
    }

    private string Call(params string[] command)
    {
        using var client = RespExchange.Connect(new UnixDomainSocketEndPoint(Path.Combine(_folder, "s")));
        return client.ExecuteText(command);
    }
}
