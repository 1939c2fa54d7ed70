// Which commands a primary's stream and a log may bring, and what a replica does with others.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Effects;
using Garnet.Server.Composition;
using Garnet.Server.Persistence;
using Garnet.Server.Persistence.Aof;
using Garnet.Server.Persistence.Replay;
using Garnet.Server.Tests.Persistence;
using Xunit;

namespace Garnet.Server.Tests.Replication;

public sealed class ReplicatedCommandsTests
{
    private static readonly string[] Protocol = ["select", "multi", "exec", "ping", "replconf", "script|load", "script|flush"];

    public static TheoryData<string> Foreign =>
        [
            Request("DEBUG", "SLEEP", "0"),
            Request("MODULE", "LOAD", "/nonexistent/module.dll"),
            Request("SHUTDOWN", "NOSAVE"),
            Request("CONFIG", "SET", "maxclients", "77"),
            Request("REPLICAOF", "NO", "ONE"),
            Request("MIGRATE", "127.0.0.1", "1", "a", "0", "10"),
            Request("ACL", "SETUSER", "guest", "on", "nopass", "+@all"),
            Request("GET", "a"),
        ];

    [Fact]
    public void Only_writes_what_may_be_replicated_and_the_protocol_may_come()
    {
        const CommandFlags Replicated = CommandFlags.Write | CommandFlags.MayReplicate;
        CommandTable table = new(CommandFamilies.All);
        Command[] all = [.. table.Commands.SelectMany(static command => (Command[])[command, .. command.Subcommands])];
        foreach (Command command in all)
        {
            bool isExpected =
                Protocol.Contains(command.FullName) || ((command.Flags & Replicated) != 0 && command.FullName is not "migrate");
            Assert.True(isExpected == ReplayRoute.MayCome(command), command.FullName);
        }

        // Old primaries replicate scripts, and all primaries replicate these.
        foreach (string name in (string[])["eval", "evalsha", "fcall", "function|load", "flushall", "swapdb", "publish", "spublish"])
            Assert.True(ReplayRoute.MayCome(Assert.Single(all, command => command.FullName == name)), name);
        foreach (string name in (string[])["debug", "module|load", "module|unload", "shutdown", "config|set", "failover", "client|kill"])
            Assert.False(ReplayRoute.MayCome(Assert.Single(all, command => command.FullName == name)), name);
    }

    [Theory]
    [MemberData(nameof(Foreign))]
    public async Task A_replica_refuses_anything_else_and_goes_on(string foreign)
    {
        await AssertRefusedAsync(Set("a", "1") + foreign + foreign + Set("b", "2"), refused: 2);
    }

    [Theory]
    [MemberData(nameof(Foreign))]
    public async Task A_replica_applies_the_rest_of_a_transaction(string foreign)
    {
        string stream = Request("MULTI") + Set("a", "1") + foreign + Set("b", "2") + Request("EXEC");
        await AssertRefusedAsync(stream, refused: 1);
    }

    [Fact]
    public void What_was_refused_does_not_keep_the_own_log_from_being_loaded()
    {
        string foreign = Request("DEBUG", "SLEEP", "0");
        string stream =
            Set("a", "1") + foreign + Request("MULTI") + Set("b", "2") + foreign + Set("c", "3") + Request("EXEC") + Set("d", "4");
        LivePrimary primary = new();
        using LoggedServer logged = new(connector: primary);
        // The time that passes while the log is rewritten is no silence of the primary's.
        Assert.Equal("+OK\r\n", logged.Call("CONFIG", "SET", "repl-timeout", "1000000"));
        Assert.Equal("+OK\r\n", logged.Call("REPLICAOF", "primary", "1"));
        primary.Send(ScriptedPrimary.Handshake + ScriptedPrimary.EmptySnapshot);
        EffectStream effects = logged.Server.Server.Replication.Effects.Stream;
        logged.AwaitInTime(() =>
            logged.Server.Server.Persistence.AppendOnly is { IsRewriting: false, State: AppendOnlyState.On } && effects.Position == 100
        );
        primary.Send(stream);
        LoggedServer.Await(() =>
            effects.Position == 100 + stream.Length
            && logged.Server.Server.Persistence.AppendOnly.Log is { } log
            && log.Durable == log.Appended
        );
        logged.Restart();
        foreach ((string key, string value) in (ReadOnlySpan<(string, string)>)[("a", "1"), ("b", "2"), ("c", "3"), ("d", "4")])
            Assert.Equal($"$1\r\n{value}\r\n", logged.Call("GET", key));
    }

    [Theory]
    [MemberData(nameof(Foreign))]
    public void A_log_of_another_server_that_has_anything_else_is_not_loaded(string foreign)
    {
        using LoggedServer logged = new(startsOn: false);
        foreach (string content in (string[])[Set("a", "1") + foreign, Request("MULTI") + Set("a", "1") + foreign + Request("EXEC")])
        {
            File.WriteAllText(Path.Combine(logged.Dir, "appendonly.aof"), content, Encoding.Latin1);
            AppendOnlyLogException refusal = Assert.Throws<AppendOnlyLogException>(() =>
                logged.Restart(static options => options.AppendOnly = true)
            );
            Assert.Contains("is not a command that servers replicate", refusal.Message, StringComparison.Ordinal);
            byte[] bytes = Encoding.Latin1.GetBytes(content);
            Assert.Throws<AppendOnlyLogException>(() => new AofEffectCheck(new CommandTable(CommandFamilies.All)).Apply(bytes, "file", 0));
        }
    }

    [Fact]
    public void A_log_of_another_server_may_have_what_servers_write()
    {
        using LoggedServer logged = new(startsOn: false);
        string content =
            Request("SELECT", "0")
            + Request("SCRIPT", "LOAD", "return 1")
            + Request("SCRIPT", "FLUSH")
            + Request("EVAL", "redis.call('SET', KEYS[1], ARGV[1])", "1", "a", "1")
            + Request("FUNCTION", "LOAD", "#!lua name=l\nredis.register_function('f', function() return 7 end)")
            + Request("MULTI")
            + Request("SWAPDB", "0", "1")
            + Request("EXEC")
            + Request("FLUSHDB");
        File.WriteAllText(Path.Combine(logged.Dir, "appendonly.aof"), content, Encoding.Latin1);
        logged.Restart(static options => options.AppendOnly = true);
        Assert.Equal(":7\r\n", logged.Call("FCALL", "f", "0"));
        logged.Call("SELECT", "1");
        Assert.Equal("$1\r\n1\r\n", logged.Call("GET", "a"));
    }

    private static async Task AssertRefusedAsync(string stream, int refused)
    {
        ScriptedPrimary primary = new(ScriptedPrimary.Handshake + ScriptedPrimary.EmptySnapshot + stream);
        using InProcessServer server = new(connector: primary);
        string maxClients = server.Call("CONFIG", "GET", "maxclients");
        bool isStopped = false;
        server.Server.Shutdown.Requested += () => isStopped = true;
        Assert.Equal("+OK\r\n", server.Call("REPLICAOF", "primary", "1"));
        await primary.Ended.WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "a"));
        Assert.Equal("$1\r\n2\r\n", server.Call("GET", "b"));
        Assert.Equal(100 + stream.Length, server.Server.Replication.Effects.Stream.Position);
        Assert.Contains($"unexpected_error_replies:{refused}\r\n", server.Call("INFO", "stats"), StringComparison.Ordinal);
        Assert.Equal(maxClients, server.Call("CONFIG", "GET", "maxclients"));
        Assert.DoesNotContain("guest", server.Call("ACL", "LIST"), StringComparison.Ordinal);
        Assert.NotNull(server.Server.Replication.Primary);
        Assert.False(isStopped);
    }

    private static string Set(string key, string value) => Request("SET", key, value);

    private static string Request(params string[] arguments) => Encoding.Latin1.GetString(InProcessClient.Request(arguments));
}
