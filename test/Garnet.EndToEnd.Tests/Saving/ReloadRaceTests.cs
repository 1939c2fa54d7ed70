// Concurrent DEBUG RELOAD and DEBUG LOADAOF, beside rewrites, snapshots and clients that change everything. An in-process server.
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Saving;

public sealed class ReloadRaceTests(ITestOutputHelper output) : IDisposable
{
    private const int Keys = 3000;
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-reload-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Concurrent_reloads_lose_and_duplicate_nothing()
    {
        int rounds = FaultScale.Count(6, 60);
        string digest;
        using (TestServer server = Start())
        {
            using RespExchange client = server.Connect();
            for (int i = 0; i < Keys; i++)
                Assert.Equal("+OK\r\n", client.ExecuteText("SET", $"key:{i}", $"{i}"));
            client.ExecuteText("SELECT", "1");
            client.ExecuteText("SET", "other", "1");
            digest = client.ExecuteText("DEBUG", "DIGEST");
            string[][] commands =
            [
                ["DEBUG", "RELOAD"],
                ["DEBUG", "RELOAD"],
                ["DEBUG", "LOADAOF"],
                ["DEBUG", "LOADAOF"],
                ["BGREWRITEAOF"],
                ["BGSAVE"],
                ["SWAPDB", "0", "1"],
                ["SELECT", "9"],
                ["FLUSHDB"],
                ["SET", "key:1", "1"],
            ];
            List<string> unexpected = [];
            Parallel.ForEach(
                commands,
                new ParallelOptions { MaxDegreeOfParallelism = commands.Length },
                command =>
                {
                    using RespExchange own = server.Connect();
                    // Changes that cancel each other, so that the data stays the same.
                    own.ExecuteText(
                        "SELECT",
                        command[0] == "FLUSHDB" ? "12"
                            : command[0] == "SET" ? "12"
                            : "0"
                    );
                    for (int round = 0; round < (command[0] == "SWAPDB" ? 2 * rounds : rounds); round++)
                    {
                        string reply = command[0] == "SWAPDB" ? Swap(own) : own.ExecuteText(command);
                        lock (unexpected)
                        {
                            if (!IsExpected(reply))
                                unexpected.Add($"{string.Join(' ', command)}: {reply}");
                        }
                    }
                }
            );
            foreach (string each in unexpected)
                output.WriteLine(each);
            Assert.Empty(unexpected);
            client.ExecuteText("SELECT", "12");
            client.ExecuteText("FLUSHDB");
            Assert.Equal(digest, client.ExecuteText("DEBUG", "DIGEST"));
            FaultTarget.Await(
                () => client.ExecuteText("INFO", "persistence").Contains("aof_rewrite_in_progress:0", StringComparison.Ordinal),
                static () => "the rewrite does not end"
            );
        }

        using TestServer again = Start();
        using RespExchange reader = again.Connect();
        Assert.Equal(digest, reader.ExecuteText("DEBUG", "DIGEST"));
    }

    // Swaps forth and back atomically.
    private static string Swap(RespExchange client)
    {
        string first = client.ExecuteText("MULTI");
        client.ExecuteText("SWAPDB", "0", "1");
        client.ExecuteText("SWAPDB", "0", "1");
        string reply = client.ExecuteText("EXEC");
        return reply.StartsWith("-EXECABORT", StringComparison.Ordinal) || first.StartsWith("-LOADING", StringComparison.Ordinal)
                ? "-LOADING"
            : reply == "*2\r\n+OK\r\n+OK\r\n" ? "+OK"
            : reply;
    }

    private static bool IsExpected(string reply) =>
        reply.StartsWith('+')
        || reply.StartsWith("-LOADING", StringComparison.Ordinal)
        || reply.StartsWith("-ERR Background ", StringComparison.Ordinal)
        || reply.StartsWith("-ERR Another child process is active", StringComparison.Ordinal)
        || reply.StartsWith("-ERR EXEC without MULTI", StringComparison.Ordinal);

    private TestServer Start() =>
        TestServer.Start(options =>
        {
            options.Dir = _folder;
            options.AppendOnly = true;
            options.AppendFsync = AppendFsync.EverySecond;
            options.EnableDebugCommand = CommandAccess.Yes;
        });
}
