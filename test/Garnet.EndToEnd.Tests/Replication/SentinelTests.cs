// The Sentinels of Redis and Valkey, which monitor our servers and fail over between them.
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Replication;

public sealed class SentinelTests
{
    [PeerFact("redis-sentinel")]
    public void The_Sentinel_of_Redis_fails_over_between_our_servers() => FailOver("redis-sentinel");

    [PeerFact("valkey-sentinel", Optional = true)]
    public void The_Sentinel_of_Valkey_fails_over_between_our_servers() => FailOver("valkey-sentinel");

    private static void FailOver(string program)
    {
        var first = ReplicationNode.Start(ReplicationNode.Ours);
        using var second = ReplicationNode.Start(ReplicationNode.Ours, static options => options.ReplicaPriority = 50);
        using var third = ReplicationNode.Start(ReplicationNode.Ours);
        second.Follow(first);
        third.Follow(first);
        second.AwaitSync(first);
        third.AwaitSync(first);
        using Sentinel sentinel = new(program, first.Port);
        ReplicationNode.Await(() => sentinel.Field("num-slaves") == "2");
        first.Call("SET", "before", "1");
        second.AwaitSync(first);
        third.AwaitSync(first);

        // Only now: on a busy machine, it would take a server that pauses for a second for down.
        sentinel.Call("SENTINEL", "SET", "main", "down-after-milliseconds", "1000");
        first.Dispose();
        // The one with the lower priority number.
        Await(() => second.Info()["role"] == "master");
        Await(() => third.Info().GetValueOrDefault("master_port") == $"{second.Port}");
        sentinel.Call("SENTINEL", "SET", "main", "down-after-milliseconds", "60000");
        second.Call("SET", "after", "2");
        third.AwaitSync(second);
        Assert.Equal(second.Data(), third.Data());
        Assert.Equal("0", second.Info("stats")["sync_full"]);

        // On request, to the only replica left. A Sentinel gives up a request of its own accord when it cannot reach the replica
        // for a moment, as at the end of the other failover, and does not try again; whoever asked asks again.
        Await(() =>
        {
            if (third.Info()["role"] == "master")
                return true;
            sentinel.Call("SENTINEL", "FAILOVER", "main");
            return false;
        });
        Await(() => second.Info().GetValueOrDefault("master_port") == $"{third.Port}");
        second.AwaitSync(third);
        Assert.Equal(third.Data(), second.Data());

        // A Sentinel that changes a server's role closes the connections of its clients, also the one that asks.
        void Await(Func<bool> condition) =>
            ReplicationNode.Await(
                () =>
                {
                    try
                    {
                        return condition();
                    }
                    catch (IOException)
                    {
                        return false;
                    }
                },
                () => string.Join('\n', sentinel.Output)
            );
    }

    private sealed class Sentinel : IDisposable
    {
        private readonly string _folder = Directory.CreateTempSubdirectory("garnet-sentinel-").FullName;
        private readonly Process _process;
        private readonly int _port = LoopbackPort.Free();

        public Sentinel(string program, int primary)
        {
            string file = Path.Combine(_folder, "sentinel.conf");
            File.WriteAllText(
                file,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"""
                    port {_port}
                    bind 127.0.0.1
                    dir {_folder}
                    sentinel monitor main 127.0.0.1 {primary} 1
                    sentinel down-after-milliseconds main 60000
                    sentinel failover-timeout main 3000

                    """
                )
            );
            _process = Process.Start(
                new ProcessStartInfo(Peers.Find(program), [file]) { RedirectStandardOutput = true, RedirectStandardError = true }
            )!;
            _process.OutputDataReceived += (_, line) => Output.Enqueue(line.Data ?? "");
            _process.ErrorDataReceived += (_, line) => Output.Enqueue(line.Data ?? "");
            _process.BeginOutputReadLine();
            _process.BeginErrorReadLine();
            ReplicationNode.Await(IsUp);
        }

        /// <summary>What it wrote so far.</summary>
        public ConcurrentQueue<string> Output { get; } = new();

        public string Call(params string[] arguments)
        {
            using var client = RespExchange.Connect(new IPEndPoint(IPAddress.Loopback, _port));
            return client.ExecuteText(arguments);
        }

        public string Field(string name)
        {
            string[] lines = Call("SENTINEL", "MASTER", "main").Split("\r\n");
            int at = Array.IndexOf(lines, name);
            return at < 0 ? "" : lines[at + 2];
        }

        public void Dispose()
        {
            if (!_process.HasExited)
                _process.Kill();
            _process.WaitForExit();
            _process.Dispose();
            Directory.Delete(_folder, recursive: true);
        }

        private bool IsUp()
        {
            try
            {
                return Call("PING") == "+PONG\r\n";
            }
            catch (SocketException)
            {
                return false;
            }
        }
    }
}
