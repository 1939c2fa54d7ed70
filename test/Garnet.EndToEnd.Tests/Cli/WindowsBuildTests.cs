// The Windows build under Wine (GARNET_WINDOWS): files, locks, sockets and memory by Windows' calls, as Wine implements them. Each test has
// its own processes and folder.
using System.Globalization;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Cli;

[Collection("Wine")]
public sealed class WindowsBuildTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private static readonly string[] Logged = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-windows-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [WindowsBuildFact]
    public void The_build_is_one_for_windows()
    {
        using GarnetProcess garnet = Start("--save", "");
        using RespExchange client = garnet.Connect();
        Assert.Contains("os:Microsoft Windows", client.ExecuteText("INFO", "server"), StringComparison.Ordinal);
        Assert.Contains("sockets", client.ExecuteText("CONFIG", "GET", "transport"), StringComparison.Ordinal);
    }

    [WindowsBuildFact]
    public void Strings_lists_scripts_and_transactions_work()
    {
        using GarnetProcess garnet = Start("--save", "");
        using RespExchange client = garnet.Connect();
        Assert.Equal("+OK\r\n", client.ExecuteText("SET", "greeting", "hello", "EX", "1000"));
        Assert.Equal(":11\r\n", client.ExecuteText("APPEND", "greeting", " world"));
        Assert.Equal("$5\r\nworld\r\n", client.ExecuteText("GETRANGE", "greeting", "6", "-1"));
        Assert.Equal(":3\r\n", client.ExecuteText("RPUSH", "list", "a", "b", "c"));
        Assert.Equal("*2\r\n$1\r\nb\r\n$1\r\nc\r\n", client.ExecuteText("LRANGE", "list", "1", "2"));
        Assert.Equal("$11\r\nhello world\r\n", client.ExecuteText("EVAL", "return redis.call('GET', KEYS[1])", "1", "greeting"));
        Assert.Equal("+OK\r\n", client.ExecuteText("MULTI"));
        Assert.Equal("+QUEUED\r\n", client.ExecuteText("INCR", "counter"));
        Assert.Equal("+QUEUED\r\n", client.ExecuteText("LPOP", "list"));
        Assert.Equal("*2\r\n:1\r\n$1\r\na\r\n", client.ExecuteText("EXEC"));
    }

    [WindowsBuildFact]
    public void A_transaction_is_abandoned_when_a_watched_key_changes()
    {
        using GarnetProcess garnet = Start("--save", "");
        using RespExchange client = garnet.Connect();
        using RespExchange other = garnet.Connect();
        Assert.Equal("+OK\r\n", client.ExecuteText("WATCH", "key"));
        Assert.Equal("+OK\r\n", other.ExecuteText("SET", "key", "1"));
        Assert.Equal("+OK\r\n", client.ExecuteText("MULTI"));
        Assert.Equal("+QUEUED\r\n", client.ExecuteText("SET", "key", "2"));
        Assert.Equal("*-1\r\n", client.ExecuteText("EXEC"));
    }

    [WindowsBuildFact]
    public void Messages_reach_subscribers_and_blocked_clients_are_served()
    {
        using GarnetProcess garnet = Start("--save", "");
        using RespExchange subscriber = garnet.Connect();
        using RespExchange blocked = garnet.Connect();
        using RespExchange client = garnet.Connect();
        Assert.Equal("*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n", subscriber.ExecuteText("SUBSCRIBE", "news"));
        Assert.Equal(":1\r\n", client.ExecuteText("PUBLISH", "news", "hi"));
        Assert.Equal("*3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$2\r\nhi\r\n", Text(subscriber.ReadReply()));
        blocked.Send(RespExchange.Encode(["BLPOP"u8.ToArray(), "queue"u8.ToArray(), "0"u8.ToArray()]));
        Assert.Equal(":1\r\n", client.ExecuteText("RPUSH", "queue", "item"));
        Assert.Equal("*2\r\n$5\r\nqueue\r\n$4\r\nitem\r\n", Text(blocked.ReadReply()));
    }

    [WindowsBuildFact]
    public void Many_connections_are_served_and_closed()
    {
        const int Connections = 300;
        using GarnetProcess garnet = Start("--save", "");
        var clients = new List<RespExchange>();
        try
        {
            for (int i = 0; i < Connections; i++)
                clients.Add(garnet.Connect());
            for (int round = 0; round < 3; round++)
            {
                for (int i = 0; i < Connections; i++)
                    Assert.Equal($":{round + 1}\r\n", clients[i].ExecuteText("INCR", "counter:" + i));
            }
        }
        finally
        {
            foreach (RespExchange client in clients)
                client.Dispose();
        }

        using RespExchange last = garnet.Connect();
        last.AwaitInfo("clients", "connected_clients:1", Patience);
    }

    [WindowsBuildFact]
    public void Large_values_are_sent_and_received_whole()
    {
        string value = string.Concat(Enumerable.Range(0, 2_000_000).Select(static i => (char)('a' + (i % 23))));
        using GarnetProcess garnet = Start("--save", "");
        using RespExchange client = garnet.Connect();
        Assert.Equal("+OK\r\n", client.ExecuteText("SET", "large", value));
        Assert.Equal("+OK\r\n", client.ExecuteText("SET", "other", value[1..]));
        Assert.Equal($"${value.Length}\r\n{value}\r\n", client.ExecuteText("GET", "large"));
        Assert.Equal(":2\r\n", client.ExecuteText("DEL", "large", "other"));
        Assert.Equal("+OK\r\n", client.ExecuteText("MEMORY", "PURGE"));
    }

    [WindowsBuildFact]
    public void Memory_stays_below_its_limit()
    {
        using GarnetProcess garnet = Start("--maxmemory", "32mb", "--maxmemory-policy", "allkeys-lru", "--save", "");
        using RespExchange client = garnet.Connect();
        for (int i = 0; i < 3000; i++)
            Assert.Equal("+OK\r\n", client.ExecuteText("SET", "key:" + i, new string('v', 4000 + (i % 5 * 8000))));
        Assert.InRange(client.InfoNumber("used_memory"), 1, 32 << 20);
        Assert.InRange(client.InfoNumber("evicted_keys"), 1, 3000);
        Assert.InRange(client.InfoNumber("used_memory_rss"), 1, long.MaxValue);
    }

    [WindowsBuildFact]
    public void A_snapshot_is_saved_replaced_and_loaded()
    {
        string before;
        using (GarnetProcess garnet = Start("--save", "3600", "1000000"))
        using (RespExchange client = garnet.Connect())
        {
            Fill(client);
            Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
            Assert.Equal("+Background saving started\r\n", client.ExecuteText("BGSAVE"));
            client.ExecuteText("SET", "during", "1");
            client.AwaitInfo("persistence", "rdb_bgsave_in_progress:0", Patience);
            Assert.Contains("rdb_last_bgsave_status:ok", client.ExecuteText("INFO", "persistence"), StringComparison.Ordinal);
            client.ExecuteText("SET", "after", "1");
            before = client.ExecuteText("DEBUG", "DIGEST");
            Shutdown(garnet, client);
        }

        using GarnetProcess again = Start();
        using RespExchange reader = again.Connect();
        Assert.Equal(before, reader.ExecuteText("DEBUG", "DIGEST"));
        Assert.Equal("$1\r\n1\r\n", reader.ExecuteText("GET", "after"));
    }

    [WindowsBuildFact]
    public void Logged_writes_survive_a_kill_and_a_rewrite()
    {
        string before;
        using (GarnetProcess garnet = Start(Logged))
        using (RespExchange client = garnet.Connect())
        {
            Fill(client);
            before = client.ExecuteText("DEBUG", "DIGEST");
            garnet.Kill();
        }

        using (GarnetProcess garnet = Start(Logged))
        using (RespExchange client = garnet.Connect())
        {
            Assert.Equal(before, client.ExecuteText("DEBUG", "DIGEST"));
            Assert.StartsWith("+Background append only file rewriting", client.ExecuteText("BGREWRITEAOF"), StringComparison.Ordinal);
            client.ExecuteText("SET", "during", "1");
            client.AwaitInfo("persistence", "aof_rewrite_in_progress:0", Patience);
            Assert.Contains("aof_last_bgrewrite_status:ok", client.ExecuteText("INFO", "persistence"), StringComparison.Ordinal);
            before = client.ExecuteText("DEBUG", "DIGEST");
            Shutdown(garnet, client);
        }

        using GarnetProcess last = Start(Logged);
        using RespExchange reader = last.Connect();
        Assert.Equal(before, reader.ExecuteText("DEBUG", "DIGEST"));
    }

    [WindowsBuildFact]
    public void A_folder_serves_one_server_at_a_time()
    {
        using (GarnetProcess garnet = Start(Logged))
        {
            InvalidOperationException refused = Assert.Throws<InvalidOperationException>(() => Start(Logged));
            Assert.Contains("exit code 1", refused.Message, StringComparison.Ordinal);
            Assert.Contains("in use", refused.Message, StringComparison.Ordinal);
            using RespExchange client = garnet.Connect();
            Shutdown(garnet, client);
        }

        using GarnetProcess next = Start(Logged);
    }

    [WindowsBuildFact]
    public void Settings_are_written_and_read_back()
    {
        string file = Path.Combine(_folder, "garnet.conf");
        File.WriteAllText(file, "# mine\r\nsave \"\"\r\n");
        using (GarnetProcess garnet = Start(file))
        using (RespExchange client = garnet.Connect())
        {
            Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "maxmemory", "100mb"));
            Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "REWRITE"));
            Shutdown(garnet, client);
        }

        Assert.Contains("maxmemory 100mb\r\n", File.ReadAllText(file), StringComparison.Ordinal);
        using GarnetProcess again = Start(file);
        using RespExchange reader = again.Connect();
        Assert.Contains("104857600", reader.ExecuteText("CONFIG", "GET", "maxmemory"), StringComparison.Ordinal);
    }

    private GarnetProcess Start(params string[] options) => GarnetProcess.StartIn(_folder, options);

    private static void Shutdown(GarnetProcess garnet, RespExchange client)
    {
        Assert.Null(client.Execute("SHUTDOWN"));
        Assert.Equal(0, garnet.WaitForExit(Patience));
    }

    private static void Fill(RespExchange client)
    {
        for (int i = 0; i < 50; i++)
        {
            string n = i.ToString(CultureInfo.InvariantCulture);
            client.ExecuteText("SET", "small:" + n, n, "PXAT", "4000000000000");
            client.ExecuteText("SET", "block:" + n, new string((char)('a' + (i % 26)), 16_000 + (i * 997)));
            client.ExecuteText("RPUSH", "packed:" + n, "a", n, "c");
        }

        string[] members = [.. Enumerable.Range(0, 2000).Select(static i => "f" + i)];
        client.ExecuteText(["HSET", "hash", .. members.SelectMany(static m => new[] { m, m + m })]);
        client.ExecuteText(["ZADD", "sorted", .. members.SelectMany(static m => new[] { m[1..], m })]);
        client.ExecuteText(["SADD", "set", .. members]);
        client.ExecuteText(["RPUSH", "list", .. members]);
        client.ExecuteText("XADD", "stream", "1-1", "f", "v");
    }

    private static string Text(byte[]? reply) => System.Text.Encoding.UTF8.GetString(Assert.IsType<byte[]>(reply));
}
