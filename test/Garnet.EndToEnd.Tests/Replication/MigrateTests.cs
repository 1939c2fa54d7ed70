// MIGRATE between our servers, and to and from real Redis and Valkey.
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Replication;

public sealed partial class MigrateTests(ITestOutputHelper output)
{
    private const string Ours = ReplicationNode.Ours;
    private const string Redis = "redis-server";
    private const string Valkey = "valkey-server";
    private const string Timeout = "20000";

    [Fact]
    public void Between_our_servers() => MoveAll(Ours, Ours);

    [PeerFact(Redis)]
    public void To_Redis() => MoveAll(Ours, Redis);

    [PeerFact(Redis)]
    public void From_Redis() => MoveAll(Redis, Ours);

    [PeerFact(Valkey, Optional = true)]
    public void To_Valkey() => MoveAll(Ours, Valkey);

    [PeerFact(Valkey, Optional = true)]
    public void From_Valkey() => MoveAll(Valkey, Ours);

    [Fact]
    public void Ten_thousand_keys_between_our_servers() => MoveMany(Ours, Ours);

    [PeerFact(Redis)]
    public void Ten_thousand_keys_to_Redis() => MoveMany(Ours, Redis);

    [PeerFact(Redis)]
    public void Ten_thousand_keys_from_Redis() => MoveMany(Redis, Ours);

    [PeerFact(Valkey, Optional = true)]
    public void Errors_are_those_of_Valkey_at_our_target() => CompareErrors(Ours);

    [PeerFact(Valkey, Optional = true)]
    public void Errors_are_those_of_Valkey_at_Valkey() => CompareErrors(Valkey);

    [PeerFact(Valkey, Optional = true)]
    public void COMMAND_describes_it_as_Valkey_does()
    {
        using var ours = ReplicationNode.Start(Ours);
        using var valkey = ReplicationNode.Start(Valkey);
        string[] commands = ["migrate", "restore", "restore-asking"];
        foreach (string command in commands)
        {
            Assert.Equal(
                string.Join('\n', valkey.Call("COMMAND", "INFO", command).Split("\r\n").Order()),
                string.Join('\n', ours.Call("COMMAND", "INFO", command).Split("\r\n").Order())
            );
        }
    }

    [Fact]
    public async Task Nothing_is_lost_or_duplicated_while_the_keys_are_written()
    {
        int seed = TestSeed.ChooseAnew(output);
        using var source = ReplicationNode.Start(Ours);
        using var target = ReplicationNode.Start(Ours);
        using var replica = ReplicationNode.Start(Ours);
        replica.Follow(source);
        replica.AwaitSync(source);
        // So many that none is written again during each of many transfers.
        const int keys = 2000;
        string[] names = [.. Enumerable.Range(0, keys).Select(static i => $"k{i}")];
        using CancellationTokenSource ended = new();
        var writers = Enumerable
            .Range(0, 2)
            .Select(i => Task.Run(() => Increment(source, new Random(seed + i), names, ended.Token)))
            .ToList();
        int moved = 0;
        using (RespExchange client = source.Connect())
        {
            for (int round = 0; round < 20; round++)
            {
                string reply = client.ExecuteText(["MIGRATE", "127.0.0.1", $"{target.Port}", "", "0", Timeout, "KEYS", .. names]);
                Assert.True(reply is "+OK\r\n" or "+NOKEY\r\n", reply);
                moved += reply == "+OK\r\n" ? 1 : 0;
                Take(target, names);
            }
        }

        await ended.CancelAsync();
        long written = (await Task.WhenAll(writers)).Sum();
        Take(source, names);
        Assert.Equal(written, _taken);
        Assert.NotEqual(0, moved);
        replica.AwaitSync(source);
        Assert.Equal(source.Data(), replica.Data());
    }

    [Fact]
    public void Replicas_and_the_log_get_DEL()
    {
        string folder = Directory.CreateTempSubdirectory("garnet-migrate-").FullName;
        try
        {
            using var target = ReplicationNode.Start(Ours);
            using var replica = ReplicationNode.Start(Ours);
            using (var source = ReplicationNode.Start(Ours, options => (options.Dir, options.AppendOnly) = (folder, true)))
            {
                replica.Follow(source);
                replica.AwaitSync(source);
                source.Call("MSET", "a", "1", "b", "2", "c", "3");
                Assert.Equal("+OK\r\n", source.Call("MIGRATE", "127.0.0.1", $"{target.Port}", "", "0", Timeout, "KEYS", "a", "b"));
                replica.AwaitSync(source);
                Assert.Equal("*1\r\n$1\r\nc\r\n", replica.Call("KEYS", "*"));
            }

            using var again = ReplicationNode.Start(Ours, options => (options.Dir, options.AppendOnly) = (folder, true));
            Assert.Equal("*1\r\n$1\r\nc\r\n", again.Call("KEYS", "*"));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public void Other_clients_are_served_while_the_target_is_silent()
    {
        using var source = ReplicationNode.Start(Ours);
        using SilentListener silent = new();
        source.Call("SET", "a", "1");
        using RespExchange waiting = source.Connect();
        waiting.Send(RespExchange.Encode(Words("MIGRATE", "127.0.0.1", $"{silent.Port}", "a", "0", "3600000")));
        silent.AwaitConnection();
        for (int i = 0; i < 8; i++)
            Assert.Equal($":{i + 2}\r\n", source.Call("INCR", "a"));
    }

    private long _taken;

    // Everything that has arrived at the target is added up there once: a key that was moved begins again at the source.
    private void Take(ReplicationNode node, string[] names)
    {
        using RespExchange client = node.Connect();
        foreach (string name in names)
        {
            string value = client.ExecuteText("GETDEL", name);
            if (value != "$-1\r\n")
                _taken += long.Parse(value.Split("\r\n")[1], CultureInfo.InvariantCulture);
        }
    }

    private static long Increment(ReplicationNode node, Random random, string[] names, CancellationToken ended)
    {
        using RespExchange client = node.Connect();
        long count = 0;
        while (!ended.IsCancellationRequested)
        {
            Assert.StartsWith(":", client.ExecuteText("INCR", names[random.Next(names.Length)]), StringComparison.Ordinal);
            count++;
        }

        return count;
    }

    private void MoveAll(string from, string to)
    {
        int seed = TestSeed.ChooseAnew(output);
        using var source = ReplicationNode.Start(from);
        using var target = ReplicationNode.Start(to);
        using RespExchange client = source.Connect();
        new ReplicatedHistory(seed).Run(client, 2000);
        List<string> expected = [.. source.Data()];
        foreach (string database in new[] { "0", "9" })
        {
            client.Execute("SELECT", database);
            // Redis 7.0 has no expiring fields.
            foreach (string key in KeysOf(client))
            {
                string reply = client.ExecuteText("MIGRATE", "127.0.0.1", $"{target.Port}", key, database, Timeout);
                Assert.True(reply == "+OK\r\n" || reply == "+NOKEY\r\n" || IsUnknownFormat(reply, to), reply);
            }
        }

        List<string> left = source.Data();
        List<string> arrived = target.Data();
        Assert.NotEmpty(arrived);
        Assert.Equal(Comparable(expected), Comparable([.. left, .. arrived]));
    }

    private static bool IsUnknownFormat(string reply, string to) =>
        to == Redis && reply == "-ERR Target instance replied with error: ERR DUMP payload version or checksum are wrong\r\n";

    // Relative expiries differ a little.
    private static IEnumerable<string> Comparable(IEnumerable<string> lines) =>
        lines.Select(static line => Expiry().Replace(line, " expires ", 1)).Order(StringComparer.Ordinal);

    [GeneratedRegex(" :[0-9]+ ")]
    private static partial Regex Expiry();

    private static void MoveMany(string from, string to)
    {
        using var source = ReplicationNode.Start(from);
        using var target = ReplicationNode.Start(to);
        using RespExchange client = source.Connect();
        string[] keys = [.. Enumerable.Range(0, 10_000).Select(static i => $"key:{i}")];
        client.Execute(["MSET", .. keys.SelectMany(static key => new[] { key, "value of " + key })]);
        client.Execute("PEXPIRE", keys[0], "100000");
        string reply = client.ExecuteText(["MIGRATE", "127.0.0.1", $"{target.Port}", "", "0", Timeout, "KEYS", .. keys]);
        Assert.Equal("+OK\r\n", reply);
        Assert.Equal(":0\r\n", source.Call("DBSIZE"));
        Assert.Equal(":10000\r\n", target.Call("DBSIZE"));
        Assert.Equal("$17\r\nvalue of key:9999\r\n", target.Call("GET", keys[^1]));
        Assert.InRange(long.Parse(target.Call("PTTL", keys[0])[1..], CultureInfo.InvariantCulture), 1, 100_000);
        Assert.Equal(":-1\r\n", target.Call("PTTL", keys[1]));
    }

    // The same calls from ours and from Valkey. After a refused login or database, Valkey sends the key all the same, and it may arrive; so
    // these calls have keys of their own.
    private static void CompareErrors(string kind)
    {
        using var ours = ReplicationNode.Start(Ours);
        using var valkey = ReplicationNode.Start(Valkey);
        using var target = ReplicationNode.Start(kind);
        target.Call("ACL", "SETUSER", "u", "on", ">secret", "~*", "+restore", "+select");
        target.Call("SET", "there", "1");
        string port = $"{target.Port}";
        string[][] calls =
        [
            ["MIGRATE", "127.0.0.1", port, "here", "0", Timeout],
            ["MIGRATE", "127.0.0.1", port, "there", "0", Timeout],
            ["MIGRATE", "127.0.0.1", port, "there", "0", Timeout, "REPLACE", "COPY"],
            ["MIGRATE", "127.0.0.1", port, "", "0", Timeout, "KEYS", "x", "there", "y"],
            ["MIGRATE", "127.0.0.1", port, "w", "99", Timeout],
            ["MIGRATE", "127.0.0.1", port, "q", "0", Timeout, "AUTH2", "u", "wrong"],
            ["MIGRATE", "127.0.0.1", port, "z", "0", Timeout, "AUTH2", "u", "secret"],
            ["MIGRATE", "127.0.0.1", port, "", "0", Timeout],
            ["MIGRATE", "127.0.0.1", port, "v", "0", Timeout, "KEYS", "a"],
            ["MIGRATE", "127.0.0.1", port, "v", "0"],
            ["MIGRATE", "127.0.0.1", port, "v", "0", "1", "COPY", "what"],
        ];
        List<string> replies = [];
        foreach (ReplicationNode source in new[] { valkey, ours })
        {
            StringBuilder all = new();
            target.Call("DEL", "here", "x", "y", "z", "v", "w", "q");
            source.Call("MSET", "here", "1", "there", "2", "x", "3", "y", "4", "z", "5", "v", "6", "w", "7", "q", "8");
            foreach (string[] call in calls)
                all.Append(source.Call(call));
            all.Append(string.Join(' ', source.Call("KEYS", "*").Split("\r\n").Order()));
            replies.Add(all.ToString());
        }

        Assert.Equal(replies[0], replies[1]);
    }

    private static string[] KeysOf(RespExchange client) =>
        [.. client.ExecuteText("KEYS", "*").Split("\r\n").Where((_, i) => i > 0 && i % 2 == 0)];

    private static byte[][] Words(params string[] words) => [.. words.Select(Encoding.ASCII.GetBytes)];
}
