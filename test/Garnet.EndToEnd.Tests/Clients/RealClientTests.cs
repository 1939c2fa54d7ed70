// Real client programs, unmodified, against the server. Each test has its own server.
using System.Globalization;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Clients;

public sealed class RealClientTests(ITestOutputHelper output)
{
    [PeerFact("python3-redis")]
    public void Redis_py_works_with_every_family() => Walk(Peers.Python, "python", "walk.py");

    [PeerFact("node-clients")]
    public void Ioredis_works_with_every_family() => Walk(Peers.Find("node"), "node", "ioredis.mjs");

    [PeerFact("node-clients")]
    public void Node_redis_works_with_every_family() => Walk(Peers.Find("node"), "node", "node-redis.mjs");

    [PeerFact("python3-redis")]
    public void Redis_py_works_with_every_type() => Walk(Peers.Python, "python", "collections_walk.py");

    [PeerFact("node-clients")]
    public void Ioredis_works_with_every_type() => Walk(Peers.Find("node"), "node", "ioredis-types.mjs");

    [PeerFact("node-clients")]
    public void Node_redis_works_with_every_type() => Walk(Peers.Find("node"), "node", "node-redis-types.mjs");

    [PeerFact("python3-redis")]
    public void Redis_py_gets_messages() => Walk(Peers.Python, "python", "messages_walk.py");

    [PeerFact("node-clients")]
    public void Ioredis_gets_messages() => Walk(Peers.Find("node"), "node", "ioredis-messages.mjs");

    [PeerFact("node-clients")]
    public void Node_redis_gets_messages_and_keeps_its_cache_coherent() => Walk(Peers.Find("node"), "node", "node-redis-messages.mjs");

    [PeerFact("node-clients")]
    public void Socket_io_hosts_reach_each_other() => Walk(Peers.Find("node"), "node", "socketio.mjs");

    [PeerFact("node-clients")]
    public void Bullmq_runs_jobs() => Walk(Peers.Find("node"), "node", "bullmq.mjs");

    [PeerFact("node-clients")]
    public void Queues_limiters_and_locks_run_their_scripts() => Walk(Peers.Find("node"), "node", "queues.mjs");

    [PeerFact("python3-celery")]
    public void Celery_runs_tasks() => Walk(Peers.Python, "python", "celery_walk.py");

    [PeerFact("python3-rq")]
    public void Rq_runs_jobs() => Walk(Peers.Python, "python", "rq_walk.py");

    [PeerFact("python3-redis")]
    public void Redis_py_works_over_the_portable_transport() =>
        Walk(Peers.Python, "python", "walk.py", options => options.Transport = TransportKind.Sockets);

    [PeerFact("redis-cli")]
    public void Redis_cli_runs_a_script_of_commands()
    {
        using var server = TestServer.Start();
        const string Script = """
            SET greeting "hello world"
            GET greeting
            INCRBY n 5
            MSET a 1 b 2
            MGET a b none
            LCS greeting greeting LEN
            MULTI
            INCR n
            EXEC
            INCR greeting
            """;
        string[] expected =
        [
            "OK",
            "hello world",
            "5",
            "OK",
            "1",
            "2",
            "",
            "11",
            "OK",
            "QUEUED",
            "6",
            "ERR value is not an integer or out of range",
        ];
        Assert.Equal(expected, Lines(Cli(server, Script)).Take(expected.Length));
        Assert.Contains("proto 3", Lines(Cli(server, "HELLO 3\n", "-3")));
    }

    [PeerFact("redis-cli")]
    public void Redis_cli_loads_and_scans()
    {
        using var server = TestServer.Start();
        string load = string.Concat(
            Enumerable
                .Range(0, 5000)
                .Select(i =>
                {
                    string key = i.ToString("D6", CultureInfo.InvariantCulture);
                    return $"*3\r\n$3\r\nSET\r\n$6\r\n{key}\r\n$6\r\n{key}\r\n";
                })
        );
        Assert.Contains("errors: 0, replies: 5000", Cli(server, load, "--pipe"), StringComparison.Ordinal);
        Assert.Equal(5000, Lines(Cli(server, "", "--scan")).Distinct().Count());
        Assert.Contains("5000 strings", Cli(server, "", "--bigkeys"), StringComparison.Ordinal);
    }

    [PeerFact("redis-benchmark")]
    public void Redis_benchmark_runs()
    {
        using var server = TestServer.Start();
        foreach (string pipeline in new[] { "1", "16" })
        {
            var run = ClientProcess.Run(
                Peers.Find("redis-benchmark"),
                [.. Address(server), "-n", "2000", "-c", "10", "-P", pipeline, "-r", "1000", "-q", "-t", "ping,set,get,incr,mset"]
            );
            output.WriteLine(run.Output);
            Assert.Equal(0, run.ExitCode);
            Assert.Equal(6, run.Output.Split("requests per second").Length - 1);
            Assert.DoesNotContain("ERR", run.Output, StringComparison.Ordinal);
        }
    }

    private static string[] Address(TestServer server) =>
        ["-h", "127.0.0.1", "-p", server.EndPoint.Port.ToString(CultureInfo.InvariantCulture)];

    private static string[] Lines(string text) => text.TrimEnd('\n').Split('\n');

    private static string Cli(TestServer server, string input, params string[] arguments)
    {
        var run = ClientProcess.Run(Peers.Find("redis-cli"), [.. Address(server), .. arguments], input);
        Assert.True(run.ExitCode == 0, run.Output);
        return run.Output;
    }

    private void Walk(string program, string folder, string script, Action<GarnetOptions>? configure = null)
    {
        using var server = TestServer.Start(configure);
        var run = ClientProcess.Run(
            program,
            [
                RepositoryRoot.Combine("test", "clients", folder, script),
                "127.0.0.1",
                server.EndPoint.Port.ToString(CultureInfo.InvariantCulture),
            ]
        );
        output.WriteLine(run.Output);
        Assert.True(run.ExitCode == 0, run.Output);
    }
}
