// The notifications that the command sends to a service manager such as systemd. A socket in a temporary folder stands in for the manager.
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Cli;

public sealed class ServiceNotifyTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-notify-").FullName;
    private readonly Socket _manager = new(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified)
    {
        ReceiveTimeout = (int)Patience.TotalMilliseconds,
    };
    private readonly byte[] _datagram = new byte[4096];

    public void Dispose()
    {
        _manager.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_server_is_ready_when_it_answers_and_says_when_it_stops(bool isAbstract)
    {
        if (isAbstract && !OperatingSystem.IsLinux())
            return;
        using var garnet = GarnetProcess.StartIn(_folder, Listen(isAbstract), "--save", "3600", "1000000");
        Assert.StartsWith(
            $"READY=1\nSTATUS=Ready to accept connections on unix:{garnet.EndPoint}",
            ReceiveUntil("READY=1"),
            StringComparison.Ordinal
        );
        using (RespExchange client = garnet.Connect())
            Assert.Equal("+OK\r\n", client.ExecuteText("SET", "k", "v"));
        garnet.Signal("TERM");
        Assert.Equal("STATUS=waiting for replicas, and saving the final snapshot\nEXTEND_TIMEOUT_USEC=60000000", ReceiveUntil("saving"));
        Assert.Equal("STOPPING=1\nSTATUS=SIGTERM: finishing the commands that clients have sent", ReceiveUntil("STOPPING=1"));
        Assert.Equal(0, garnet.WaitForExit(Patience));
    }

    [Fact]
    public async Task A_server_that_loads_asks_for_time_and_is_ready_only_afterwards()
    {
        string snapshot = Path.Combine(_folder, "dump.rdb");
        using (var server = TestServer.Start(options => options.Dir = _folder))
        {
            using RespExchange client = server.Connect();
            for (int i = 0; i < 3000; i++)
                client.ExecuteText("SET", "key:" + i, new string('v', 400));
            client.ExecuteText("SAVE");
        }

        byte[] bytes = await File.ReadAllBytesAsync(snapshot);
        File.Delete(snapshot);
        Assert.Equal(0, ClientProcess.Run("/usr/bin/env", ["mkfifo", snapshot]).ExitCode);
        Dictionary<string, string> environment = Listen(isAbstract: false);
        Task<GarnetProcess> starting = Task.Run(() => GarnetProcess.StartIn(_folder, environment));
        // Opening a FIFO waits for its reader, with a timeout.
        await using (
            FileStream pipe = await Task.Run(() =>
                    new FileStream(snapshot, FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0)
                )
                .WaitAsync(Patience)
        )
        {
            await pipe.WriteAsync(bytes.AsMemory(0, bytes.Length / 2)).AsTask().WaitAsync(Patience);
            for (int i = 0; i < 2; i++)
                Assert.Matches("^STATUS=loading: .*\nEXTEND_TIMEOUT_USEC=60000000$", Receive());
            ClientProcess ping = GarnetProcess.Run("--ping", "--port", "0", "--unixsocket", Path.Combine(_folder, "s"));
            Assert.Equal(
                (1, $"unix:{Path.Combine(_folder, "s")}: LOADING Garnet is loading the dataset in memory"),
                (ping.ExitCode, ping.Output.TrimEnd())
            );
            await pipe.WriteAsync(bytes.AsMemory(bytes.Length / 2)).AsTask().WaitAsync(Patience);
        }

        Assert.StartsWith("READY=1\n", ReceiveUntil("READY=1"), StringComparison.Ordinal);
        using GarnetProcess garnet = await starting.WaitAsync(Patience);
        using RespExchange reader = garnet.Connect();
        Assert.Equal(":3000\r\n", reader.ExecuteText("DBSIZE"));
    }

    [Fact]
    public void A_missing_service_manager_is_logged_and_otherwise_ignored()
    {
        using var garnet = GarnetProcess.StartIn(
            _folder,
            new Dictionary<string, string> { ["NOTIFY_SOCKET"] = Path.Combine(_folder, "nobody") }
        );
        garnet.Signal("TERM");
        Assert.Equal(0, garnet.WaitForExit(Patience));
        Assert.Contains("The service manager could not be notified: ", garnet.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void INFO_says_whether_a_manager_is_told_and_none_is_told_if_that_is_not_wanted()
    {
        Dictionary<string, string> environment = Listen(isAbstract: false);
        using (var garnet = GarnetProcess.StartIn(_folder, environment, "--supervised", "no"))
        {
            using RespExchange client = garnet.Connect();
            Assert.Contains("process_supervised:no\r\n", client.ExecuteText("INFO", "server"), StringComparison.Ordinal);
            Assert.Equal(0, _manager.Available);
        }

        using (var garnet = GarnetProcess.StartIn(_folder, environment, "--supervised", "systemd"))
        {
            using RespExchange client = garnet.Connect();
            Assert.Contains("process_supervised:systemd\r\n", client.ExecuteText("INFO", "server"), StringComparison.Ordinal);
            Assert.Contains("READY=1", ReceiveUntil("READY=1"), StringComparison.Ordinal);
        }

        using var alone = GarnetProcess.StartIn(
            _folder,
            new Dictionary<string, string> { ["NOTIFY_SOCKET"] = "" },
            "--supervised",
            "systemd"
        );
        alone.Signal("TERM");
        Assert.Equal(0, alone.WaitForExit(Patience));
        Assert.Contains("supervised systemd: NOTIFY_SOCKET is not set", alone.Output, StringComparison.Ordinal);
    }

    [PeerFact("systemd-analyze", Optional = true)]
    public void Systemd_accepts_the_unit_file()
    {
        // The unit's program is not installed here; everything else must be correct.
        string unit = Path.Combine(_folder, "garnet.service");
        File.WriteAllText(
            unit,
            File.ReadAllText(RepositoryRoot.Combine("deploy", "garnet.service"))
                .Replace("/usr/local/bin/garnet ", "/bin/true ", StringComparison.Ordinal)
        );
        var run = ClientProcess.Run("systemd-analyze", ["verify", "--man=no", unit]);
        Assert.Equal("", run.Output);
        Assert.Equal(0, run.ExitCode);
    }

    private Dictionary<string, string> Listen(bool isAbstract)
    {
        string name = isAbstract ? $"garnet-notify-{Guid.NewGuid():N}" : Path.Combine(_folder, "manager");
        _manager.Bind(new UnixDomainSocketEndPoint(isAbstract ? '\0' + name : name));
        return new Dictionary<string, string> { ["NOTIFY_SOCKET"] = isAbstract ? '@' + name : name };
    }

    private string ReceiveUntil(string part)
    {
        string text = Receive();
        while (!text.Contains(part, StringComparison.Ordinal))
            text = Receive();
        return text;
    }

    private string Receive() => Encoding.UTF8.GetString(_datagram, 0, _manager.Receive(_datagram));
}
