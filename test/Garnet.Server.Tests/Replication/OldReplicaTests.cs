// Effects in the stream are such that replicas of Redis 7.0 understand, or those replicas are disconnected.
using System.Globalization;
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Persistence.Rdb;
using Garnet.Server.Composition;
using Garnet.Server.Replication;
using Garnet.Server.Tests.Persistence;
using Garnet.Store;
using Xunit;

namespace Garnet.Server.Tests.Replication;

public sealed class OldReplicaTests : IDisposable
{
    private readonly InProcessServer _server = new();

    public OldReplicaTests()
    {
        using StoreSession session = _server.Store.OpenSession();
        Replication.EnsureBacklog(session);
    }

    private ServerReplication Replication => _server.Server.Replication;

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData("MSETEX 2 a 1 b 2", "MSET a 1 b 2")]
    [InlineData("MSETEX 2 a 1 a 2 NX", "MSET a 1 a 2")]
    [InlineData("MSETEX 1 a 1 PXAT 99999999999999", "SET a 1 PXAT 99999999999999")]
    [InlineData("MSETEX 2 a 1 b 2 EXAT 99999999999", "MULTI;SET a 1 PXAT 99999999999000;SET b 2 PXAT 99999999999000;EXEC")]
    [InlineData("MSETEX 2 a 1 b 2 KEEPTTL", "MULTI;SET a 1 KEEPTTL;SET b 2 KEEPTTL;EXEC")]
    [InlineData("HGETDEL h FIELDS 3 f none g", "HDEL h f g")]
    [InlineData("HSETEX h FIELDS 2 x 1 y 2", "HSET h x 1 y 2")]
    [InlineData("HSETEX h FNX KEEPTTL FIELDS 1 x 1", "HSET h x 1")]
    [InlineData("DELIFEQ s v", "DEL s")]
    [InlineData("SET s w IFEQ v", "SET s w")]
    public void What_they_do_not_know_becomes_what_they_know(string command, string effects)
    {
        _server.Call("HSET", "h", "f", "1", "g", "2", "k", "3");
        _server.Call("SET", "s", "v");
        InProcessClient replica = Follow(Replication.Effects.Stream.Position);
        Assert.DoesNotContain("-", _server.Call(command.Split(' ')).Replace("$-1", "", StringComparison.Ordinal), StringComparison.Ordinal);
        string expected = string.Concat(effects.Split(';').Select(static effect => Request(effect.Split(' '))));
        AssertReceived(replica, expected);
    }

    [Theory]
    [InlineData("HEXPIRE h 1000 FIELDS 1 f")]
    [InlineData("HPEXPIREAT h 99999999999999 FIELDS 1 f")]
    [InlineData("HSETEX h EX 100 FIELDS 1 f v")]
    [InlineData("HGETEX h EX 100 FIELDS 1 f")]
    [InlineData("HPERSIST h FIELDS 1 e")]
    [InlineData("HGETEX h PERSIST FIELDS 1 e")]
    [InlineData("HSETEX h KEEPTTL FIELDS 1 e v")]
    [InlineData("HINCRBY h e 1")]
    [InlineData("MULTI;SET a 1;HEXPIRE h 1000 FIELDS 1 f;EXEC")]
    [InlineData("EVAL return#redis.call('HEXPIRE',KEYS[1],100,'FIELDS',1,'f') 1 h")]
    public void Expiries_of_fields_disconnect_them_and_they_do_not_continue(string commands)
    {
        _server.Call("HSET", "h", "f", "1", "e", "2");
        _server.Call("HEXPIRE", "h", "1000", "FIELDS", "1", "e");
        long position = Replication.Effects.Stream.Position;
        InProcessClient old = Follow(position);
        InProcessClient current = Follow(position, "9.0.0");
        InProcessClient tooOld = Follow(position, "8.1.4");
        foreach (string command in commands.Split(';'))
            _server.Call([.. command.Split(' ').Select(static word => word.Replace('#', ' '))]);
        LoggedServer.Await(() => IsKilled(old) && IsKilled(tooOld));
        Assert.False(IsKilled(current));
        LoggedServer.Await(() => current.Receive().Length > 0);
        InProcessClient again = _server.Connect();
        again.Call("PSYNC", Replication.History.Id, (position + 1).ToString(CultureInfo.InvariantCulture));
        Assert.Equal(ReplicaLinkState.WaitingForSnapshot, StateOf(again));
        Follow(position, "9.0.0");
        // What follows is understood again.
        long later = Replication.Effects.Stream.Position;
        Follow(later);
        _server.Call("SET", "a", "1");
        Assert.Equal(ReplicaLinkState.Online, StateOf(Follow(later)));
    }

    [Fact]
    public void Payloads_of_other_versions_are_replicated_in_one_that_all_replicas_read()
    {
        string payload = Dump("source", "SET", "source", "value");
        string list = Dump("list", "RPUSH", "list", "1", "2");
        InProcessClient replica = Follow(Replication.Effects.Stream.Position);
        foreach ((string key, string dump) in (ReadOnlySpan<(string, string)>)[("a", payload), ("b", list)])
        {
            foreach (byte version in (ReadOnlySpan<byte>)[11, 12, 15, 80])
            {
                Assert.Equal("+OK\r\n", _server.Call("RESTORE", key, "0", WithVersion(dump, version), "REPLACE"));
                AssertReceived(replica, Request("RESTORE", key, "0", dump, "REPLACE"));
            }
        }

        Assert.Equal("$5\r\nvalue\r\n", _server.Call("GET", "a"));
        long now = _server.NowMs;
        Assert.Equal("+OK\r\n", _server.Call("RESTORE", "a", "1000", WithVersion(payload, 13), "REPLACE"));
        string expected = Request("RESTORE", "a", (now + 1000).ToString(CultureInfo.InvariantCulture), payload, "REPLACE", "ABSTTL");
        AssertReceived(replica, expected);
    }

    [Fact]
    public void Payloads_of_functions_too()
    {
        _server.Call("FUNCTION", "LOAD", "#!lua name=l\nredis.register_function('f', function() return 1 end)");
        string reply = _server.Call("FUNCTION", "DUMP");
        string dump = reply[(reply.IndexOf('\n', StringComparison.Ordinal) + 1)..^2];
        InProcessClient replica = Follow(Replication.Effects.Stream.Position);
        Assert.Equal("+OK\r\n", _server.Call("FUNCTION", "RESTORE", WithVersion(dump, 12), "FLUSH"));
        AssertReceived(replica, Request("FUNCTION", "RESTORE", dump, "FLUSH"));
    }

    [Fact]
    public void A_payload_with_expiring_fields_disconnects_them()
    {
        _server.Call("HSET", "h", "f", "1", "e", "2");
        _server.Call("HEXPIRE", "h", "1000", "FIELDS", "1", "e");
        string reply = _server.Call("DUMP", "h");
        string dump = reply[(reply.IndexOf('\n', StringComparison.Ordinal) + 1)..^2];
        InProcessClient replica = Follow(Replication.Effects.Stream.Position);
        Assert.Equal("+OK\r\n", _server.Call("RESTORE", "copy", "0", dump));
        LoggedServer.Await(() => IsKilled(replica));
    }

    [Fact]
    public void Every_newer_command_that_writes_is_among_those_tested_here()
    {
        string[] tested =
        [
            "delifeq",
            "msetex",
            "hgetdel",
            "hsetex",
            "hgetex",
            "hexpire",
            "hpexpire",
            "hexpireat",
            "hpexpireat",
            "hpersist",
        ];
        foreach (Command command in new CommandTable(CommandFamilies.All).Commands)
        {
            var since = Version.Parse(command.Descriptor.Since);
            if (!command.IsWrite || since <= new Version(7, 0, 99))
                continue;
            Assert.Contains(command.FullName, tested);
            Assert.True(command.Has(CommandTraits.NeedsNewReplicas));
        }
    }

    [Theory]
    [InlineData("HPEXPIREAT h 99999999999999 FIELDS 1 f", true)]
    [InlineData("MULTI;MSETEX 1 a 1;SET b 1;EXEC", true)]
    [InlineData("MULTI;SET a 1;HDEL h f;EXEC", false)]
    public void What_another_primary_sends_is_not_passed_on_to_them(string commands, bool isUnknown)
    {
        LivePrimary primary = new();
        using InProcessServer replica = new(connector: primary);
        Assert.Equal("+OK\r\n", replica.Call("REPLICAOF", "primary", "1"));
        primary.Send(ScriptedPrimary.Handshake + ScriptedPrimary.EmptySnapshot);
        primary.Send(Request("HSET", "h", "f", "1", "g", "2"));
        LoggedServer.Await(() => replica.Server.Replication.Effects.Stream.Position > 100);
        string next = (replica.Server.Replication.Effects.Stream.Position + 1).ToString(CultureInfo.InvariantCulture);
        InProcessClient old = replica.Connect();
        InProcessClient current = replica.Connect();
        current.Call("REPLCONF", "version", "9.0.0");
        foreach (InProcessClient link in (InProcessClient[])[old, current])
            Assert.StartsWith("+CONTINUE", link.Call("PSYNC", ScriptedPrimary.Id, next), StringComparison.Ordinal);
        string sent = string.Concat(commands.Split(';').Select(static command => Request(command.Split(' '))));
        primary.Send(sent);
        string received = "";
        LoggedServer.Await(() => (received += current.Receive()) == sent);
        if (isUnknown)
            LoggedServer.Await(() => IsKilled(old));
        else
            AssertReceived(old, sent);
    }

    private InProcessClient Follow(long position, string? version = null)
    {
        InProcessClient replica = _server.Connect();
        if (version is not null)
            Assert.Equal("+OK\r\n", replica.Call("REPLCONF", "version", version));
        string next = (position + 1).ToString(CultureInfo.InvariantCulture);
        Assert.StartsWith("+CONTINUE", replica.Call("PSYNC", Replication.History.Id, next), StringComparison.Ordinal);
        return replica;
    }

    private static void AssertReceived(InProcessClient replica, string expected)
    {
        string received = "";
        LoggedServer.Await(() => (received += replica.Receive()).Length >= expected.Length);
        Assert.Equal(expected, received);
    }

    private static bool IsKilled(InProcessClient replica) => replica.IsClosed || replica.Session.End.IsForced;

    private static ReplicaLinkState StateOf(InProcessClient replica) => replica.Session.Output.Replica!.State;

    private string Dump(string key, params string[] command)
    {
        _server.Call(command);
        string reply = _server.Call("DUMP", key);
        _server.Call("DEL", key);
        return reply[(reply.IndexOf('\n', StringComparison.Ordinal) + 1)..^2];
    }

    private static string WithVersion(string payload, byte version)
    {
        byte[] bytes = Encoding.Latin1.GetBytes(payload);
        bytes[^10] = version;
        BitConverter.TryWriteBytes(bytes.AsSpan(bytes.Length - 8), Crc64.Append(0, bytes.AsSpan(0, bytes.Length - 8)));
        return Encoding.Latin1.GetString(bytes);
    }

    private static string Request(params string[] arguments) => Encoding.Latin1.GetString(InProcessClient.Request(arguments));
}
