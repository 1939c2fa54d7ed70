// A custom data type with its own commands: everything that works with any key works with it.
using Garnet.Persistence.Rdb;
using Garnet.Persistence.Snapshots;
using Garnet.Server.Composition;
using Garnet.Server.Tests.Persistence;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Extensions;

public sealed class CustomTypeTests(ITestOutputHelper output)
{
    private const string LargeNote = "large";
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    [Fact]
    public void Commands_that_were_added_are_called_and_listed()
    {
        using InProcessServer server = new(extensions: TallyCommands.Extensions);
        Assert.Equal(":5\r\n", server.Call("tally.add", "t", "5"));
        Assert.Equal(":3\r\n", server.Call("TALLY.ADD", "t", "-2", "a note"));
        Assert.Equal("*3\r\n:2\r\n:3\r\n$6\r\na note\r\n", server.Call("TALLY.GET", "t"));
        Assert.Equal("-ERR wrong number of arguments for 'tally.get' command\r\n", server.Call("TALLY.GET"));
        Assert.StartsWith("*1\r\n*10\r\n$9\r\ntally.add\r\n:-3\r\n", server.Call("COMMAND", "INFO", "tally.add"), StringComparison.Ordinal);
        Assert.Contains("tally.get", server.Call("COMMAND", "LIST"), StringComparison.Ordinal);
        Assert.StartsWith("*2\r\n$9\r\ntally.get\r\n", server.Call("COMMAND", "DOCS", "tally.get"), StringComparison.Ordinal);
        Assert.Equal("*1\r\n$1\r\nt\r\n", server.Call("COMMAND", "GETKEYS", "tally.add", "t", "1"));
        Assert.Equal("+OK\r\n", server.Call("MULTI"));
        Assert.Equal("+QUEUED\r\n", server.Call("TALLY.ADD", "t", "1"));
        Assert.Equal("*1\r\n:4\r\n", server.Call("EXEC"));
        Assert.Contains("cmdstat_tally.add:calls=3", server.Call("INFO", "commandstats"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_command_or_type_that_exists_is_not_added_again()
    {
        ServerExtensions commandTwice = new() { Commands = [TallyCommands.Get, TallyCommands.Get] };
        Assert.Throws<InvalidOperationException>(() => new InProcessServer(extensions: commandTwice));
        ServerExtensions typeTwice = new() { Types = [TallyType.Instance, new TallyType(version: 2)] };
        Assert.Throws<ArgumentException>(() => new InProcessServer(extensions: typeTwice));
    }

    [Theory]
    [InlineData("")]
    [InlineData(LargeNote)]
    public void Commands_for_any_key_work_with_a_custom_type(string note)
    {
        note = Expand(note);
        using InProcessServer server = new(
            static options => options.EnableDebugCommand = CommandAccess.Yes,
            extensions: TallyCommands.Extensions
        );
        Assert.Equal(":7\r\n", server.Call("TALLY.ADD", "t", "7", note));
        string value = server.Call("TALLY.GET", "t");
        string digest = server.Call("DEBUG", "DIGEST-VALUE", "t");
        Assert.Equal("+tally-001\r\n", server.Call("TYPE", "t"));
        Assert.Equal("$3\r\nraw\r\n", server.Call("OBJECT", "ENCODING", "t"));
        Assert.Equal(":1\r\n", server.Call("EXISTS", "t"));
        Assert.StartsWith(":", server.Call("MEMORY", "USAGE", "t"), StringComparison.Ordinal);
        Assert.Equal("-WRONGTYPE Operation against a key holding the wrong kind of value\r\n", server.Call("GET", "t"));
        Assert.Equal("-WRONGTYPE Operation against a key holding the wrong kind of value\r\n", server.Call("HGET", "t", "f"));
        Assert.Equal("-WRONGTYPE Operation against a key holding the wrong kind of value\r\n", server.Call("SORT", "t"));
        Assert.Equal("+OK\r\n", server.Call("SET", "s", "1"));
        Assert.Equal("-WRONGTYPE Operation against a key holding the wrong kind of value\r\n", server.Call("TALLY.GET", "s"));

        Assert.Equal(":1\r\n", server.Call("COPY", "t", "copy"));
        Assert.Equal(value, server.Call("TALLY.GET", "copy"));
        Assert.Equal(digest, server.Call("DEBUG", "DIGEST-VALUE", "copy"));
        Assert.Equal(":10\r\n", server.Call("TALLY.ADD", "copy", "3"));
        Assert.Equal(value, server.Call("TALLY.GET", "t"));
        Assert.NotEqual(digest, server.Call("DEBUG", "DIGEST-VALUE", "copy"));
        Assert.Equal("+OK\r\n", server.Call("RENAME", "t", "u"));
        Assert.Equal(value, server.Call("TALLY.GET", "u"));
        Assert.Equal(":1\r\n", server.Call("PEXPIRE", "u", "1000"));
        Assert.Equal(":8\r\n", server.Call("TALLY.ADD", "u", "1"));
        Assert.Equal(":1000\r\n", server.Call("PTTL", "u"));
        server.Clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal("*3\r\n:0\r\n:0\r\n$0\r\n\r\n", server.Call("TALLY.GET", "u"));
    }

    [Fact]
    public void SCAN_finds_the_keys_of_a_custom_type()
    {
        using InProcessServer server = new(extensions: TallyCommands.Extensions);
        server.Call("TALLY.ADD", "t", "7");
        server.Call("SET", "s", "1");
        server.Call("RPUSH", "l", "1");
        Assert.Equal("*2\r\n$1\r\n0\r\n*1\r\n$1\r\nt\r\n", server.Call("SCAN", "0", "TYPE", "TALLY-001"));
        Assert.Equal("*2\r\n$1\r\n0\r\n*1\r\n$1\r\ns\r\n", server.Call("SCAN", "0", "TYPE", "string"));
        Assert.Equal("-ERR unknown type name 'tally-002'\r\n", server.Call("SCAN", "0", "TYPE", "tally-002"));
    }

    [Theory]
    [InlineData("")]
    [InlineData(LargeNote)]
    public void A_payload_is_restored_where_the_type_is_known(string note)
    {
        using InProcessServer server = new(extensions: TallyCommands.Extensions);
        server.Call("TALLY.ADD", "t", "-7", Expand(note));
        string payload = PayloadOf(server, "t");
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "r", "0", payload));
        Assert.Equal(server.Call("TALLY.GET", "t"), server.Call("TALLY.GET", "r"));
        using InProcessServer stranger = new();
        Assert.Equal("-ERR Bad data format\r\n", stranger.Call("RESTORE", "r", "0", payload));
        using InProcessServer later = new(extensions: new ServerExtensions { Types = [new TallyType(version: 2)] });
        Assert.Equal("+OK\r\n", later.Call("RESTORE", "r", "0", payload));
        string ofLater = PayloadOf(later, "r");
        Assert.Equal("-ERR Bad data format\r\n", server.Call("RESTORE", "later", "0", ofLater));
    }

    // Without a checksum any bytes are possible; they are stored if the type accepts them, and nothing else happens.
    [Fact]
    public void A_damaged_payload_is_refused_or_read()
    {
        var random = new Random(TestSeed.Choose(output, 1));
        using InProcessServer server = new(
            static options => options.EnableDebugCommand = CommandAccess.Yes,
            extensions: TallyCommands.Extensions
        );
        server.Call("TALLY.ADD", "t", "-7", "a note that is somewhat longer, so that there is something to damage");
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "SET-SKIP-CHECKSUM-VALIDATION", "1"));
        string payload = PayloadOf(server, "t");
        for (int i = 0; i < 5000; i++)
        {
            char[] damaged = payload.ToCharArray();
            for (int change = random.Next(1, 4); change > 0; change--)
                damaged[random.Next(damaged.Length - 10)] = (char)random.Next(256);
            string reply = server.Call("RESTORE", "r", "0", new string(damaged), "REPLACE");
            Assert.True(reply is "+OK\r\n" or "-ERR Bad data format\r\n", reply);
        }

        Assert.Equal("+PONG\r\n", server.Call("PING"));
    }

    [Theory]
    [InlineData("")]
    [InlineData(LargeNote)]
    public void Snapshot_log_and_rewritten_log_restore_it(string note)
    {
        note = Expand(note);
        using LoggedServer logged = new(extensions: TallyCommands.Extensions);
        Assert.Equal(":7\r\n", logged.Call("TALLY.ADD", "t", "7", note));
        Assert.Equal("+OK\r\n", logged.Call("SET", "s", "1"));
        string value = logged.Call("TALLY.GET", "t");
        logged.Restart();
        Assert.Equal(value, logged.Call("TALLY.GET", "t"));
        logged.Call("BGREWRITEAOF");
        LoggedServer.Await(() => logged.Server.Server.Persistence.AppendOnly is { IsRewriting: false, Rewrites.Count: 1 });
        logged.Restart();
        Assert.Equal(value, logged.Call("TALLY.GET", "t"));
        Assert.Equal("$1\r\n1\r\n", logged.Call("GET", "s"));
        Assert.Equal(":8\r\n", logged.Call("TALLY.ADD", "t", "1", note));
    }

    /// <summary>The saver begins when half of the values have changed, and writes while the others do.</summary>
    [Theory]
    [InlineData("", 3000)]
    [InlineData(LargeNote, 40)]
    public void A_snapshot_has_the_values_of_its_start_although_all_of_them_change_meanwhile(string note, int keys)
    {
        note = Expand(note);
        FaultyDisk disk = new();
        using ManualResetEventSlim goOn = new();
        disk.Fail = (_, step) =>
        {
            if (step == "create")
                goOn.Wait(Patience);
            return null;
        };
        using InProcessServer server = new(static options => options.Dir = "/data", disk: disk, extensions: TallyCommands.Extensions);
        for (int i = 0; i < keys; i++)
            server.Call("TALLY.ADD", $"t{i}", $"{i}", note);
        string[] expected = [.. Enumerable.Range(0, keys).Select(i => server.Call("TALLY.GET", $"t{i}"))];
        try
        {
            Assert.Equal("+Background saving started\r\n", server.Call("BGSAVE"));
            for (int i = 0; i < keys / 2; i++)
                Change(server, i);
        }
        finally
        {
            goOn.Set();
        }

        for (int i = keys / 2; i < keys; i++)
            Change(server, i);
        Assert.True(SpinWait.SpinUntil(() => server.Server.Persistence.Snapshots.LastOutcome is not null, Patience));
        Assert.Equal(SaveResult.Success, server.Server.Persistence.Snapshots.LastOutcome!.Result);
        using InProcessServer loaded = new(extensions: TallyCommands.Extensions);
        new RdbLoader(loaded.Store, new RdbLoadOptions()).Load(new MemoryStream(disk.Read("/data/dump.rdb")!));
        Assert.Equal($":{keys}\r\n", loaded.Call("DBSIZE"));
        for (int i = 0; i < keys; i++)
            Assert.Equal(expected[i], loaded.Call("TALLY.GET", $"t{i}"));
    }

    private static void Change(InProcessServer server, int key)
    {
        string reply = (key % 4) switch
        {
            0 => server.Call("TALLY.ADD", $"t{key}", "1", "another note"),
            1 => server.Call("DEL", $"t{key}"),
            2 => server.Call("SET", $"t{key}", "a string"),
            _ => server.Call("RENAME", $"t{key}", $"new{key}"),
        };
        Assert.DoesNotContain("-", reply, StringComparison.Ordinal);
    }

    private static string Expand(string note) => note == LargeNote ? new string('n', 300_000) : note;

    private static string PayloadOf(InProcessServer server, string key)
    {
        string reply = server.Call("DUMP", key);
        int start = reply.IndexOf('\n', StringComparison.Ordinal) + 1;
        return reply[start..^2];
    }
}
