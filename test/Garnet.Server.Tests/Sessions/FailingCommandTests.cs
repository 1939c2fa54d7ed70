// Commands that throw: they reply with an error, or their connection is closed if the reply has begun; all others continue.
using System.Globalization;
using Garnet.Store;
using Garnet.Store.Memory;
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Sessions;

public sealed class FailingCommandTests : IDisposable
{
    private const string Unforeseen = "-ERR the command failed for a reason that the server did not foresee; see its log\r\n";

    private readonly FailingSink _sink = new();
    private readonly InProcessServer _server = new();

    public FailingCommandTests() => _server.Store.Changes.Sink = _sink;

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData("FLUSHALL")]
    [InlineData("FLUSHDB")]
    [InlineData("SWAPDB", "0", "1")]
    [InlineData("SORT", "list", "BY", "weight_*", "STORE", "target")]
    [InlineData("SET", "key", "value")]
    [InlineData("MSET", "key", "value", "other", "value")]
    public void Resources_of_a_failed_command_are_released(params string[] command)
    {
        _server.Call("RPUSH", "list", "1", "2", "3");
        _sink.Fails = true;
        string reply = _server.Connect().Call(command);
        Assert.True(reply.Length == 0 || reply == Unforeseen, reply);
        _sink.Fails = false;
        InProcessClient other = _server.Connect();
        Assert.Equal(Ok, other.Call("SET", "key", "again"));
        Assert.Equal(Ok, other.Call("FLUSHALL"));
        Assert.Equal(Integer(0), other.Call("DBSIZE"));
    }

    // The transaction has no reply yet when its only command fails.
    [Fact]
    public void An_EXEC_that_fails_watches_nothing_any_more()
    {
        InProcessClient client = _server.Connect();
        client.Call("WATCH", "watched");
        client.Call("MULTI");
        client.Call("FLUSHALL");
        _sink.Fails = true;
        string reply = client.Call("EXEC");
        _sink.Fails = false;
        if (reply.Length == 0)
            client = _server.Connect();
        _server.Call("SET", "watched", "changed");
        client.Call("MULTI");
        client.Call("PING");
        Assert.Equal("*1\r\n+PONG\r\n", client.Call("EXEC"));
    }

    // What has been changed may be in no effect: neither replicas nor the log may go on from what they have.
    [Theory]
    [InlineData(true, "SET", "key", "value")]
    [InlineData(true, "FLUSHALL")]
    [InlineData(false, "ZUNIONSTORE", "target", "2", "scores", "others")]
    public void History_ends_when_a_command_fails_after_its_changes(bool isChanged, params string[] command)
    {
        Fill();
        string history = _server.Server.Replication.History.Id;
        ScratchMemory.Probe = new ScratchProbe { Granted = isChanged ? int.MaxValue : 0 };
        _sink.Fails = true;
        try
        {
            _server.Call(command);
        }
        finally
        {
            ScratchMemory.Probe = null;
            _sink.Fails = false;
        }

        _server.Server.Roles.Tick();
        Assert.Equal(isChanged, history != _server.Server.Replication.History.Id);
    }

    public static TheoryData<string> Gathering =>
        [
            "ZINTERSTORE target 2 scores others",
            "ZINTER 2 scores others",
            "ZDIFFSTORE target 2 scores few",
            "ZDIFF 2 scores few WITHSCORES",
            "ZUNIONSTORE target 2 scores others",
            "ZUNION 2 scores others",
            "ZRANGESTORE target scores 0 -1",
            "ZRANGESTORE target scores 0 -1 REV",
            "GEOSEARCHSTORE target places FROMLONLAT 0 0 BYRADIUS 20000 km",
            "GEOSEARCH places FROMLONLAT 0 0 BYRADIUS 20000 km WITHDIST",
            "SUNION members few",
            "SUNIONSTORE target members few",
            "SINTER members strings",
            "SDIFF members few",
            "SORT members ALPHA",
            "SORT members ALPHA STORE target",
            "SORT members BY nosort GET weight_* STORE target",
            "KEYS *",
            "SSCAN members 0 COUNT 100000",
            "ZSCAN scores 0 COUNT 100000",
            "LCS one other",
        ];

    [Theory]
    [MemberData(nameof(Gathering))]
    public void A_command_that_is_refused_scratch_memory_keeps_none_and_leaves_no_value_behind(string command)
    {
        Fill();
        string[] words = command.Split(' ');
        int refusals = 0;
        ScratchProbe probe = new();
        ScratchMemory.Probe = probe;
        try
        {
            InProcessClient client = _server.Connect();
            while (true)
            {
                _server.Call("DEL", "target");
                StoreStatistics before = _server.Store.Statistics;
                (long trees, long blocks) = (LiveTreeBytes(), before.LiveBlockBytes);
                int inUse = probe.BlocksInUse;
                probe.Granted = refusals;
                string reply = client.Call(words);
                probe.Granted = int.MaxValue;
                if (reply.Length != 0 && reply != Unforeseen)
                    break;
                Assert.Equal(inUse, probe.BlocksInUse);
                Assert.Equal((trees, blocks), (LiveTreeBytes(), _server.Store.Statistics.LiveBlockBytes));
                refusals++;
                if (reply.Length == 0)
                    client = _server.Connect();
            }
        }
        finally
        {
            ScratchMemory.Probe = null;
        }

        Assert.True(refusals > 0);
    }

    private void Fill()
    {
        string[] members = [.. Enumerable.Range(0, 2_000).Select(static each => $"member:{each * 7919 % 2_000}")];
        _server.Call([
            .. new[] { "ZADD", "scores" }.Concat(
                members.SelectMany(static (member, at) => new[] { (at % 100).ToString(CultureInfo.InvariantCulture), member })
            ),
        ]);
        _server.Call([
            .. new[] { "ZADD", "others" }.Concat(
                members.SelectMany(static (member, at) => new[] { at.ToString(CultureInfo.InvariantCulture), member })
            ),
        ]);
        _server.Call([
            .. new[] { "GEOADD", "places" }.Concat(
                members.SelectMany(static (member, at) => new[] { (at % 170).ToString(CultureInfo.InvariantCulture), "10", member })
            ),
        ]);
        _server.Call([.. new[] { "SADD", "members" }.Concat(members)]);
        _server.Call([.. new[] { "SADD", "strings" }.Concat(members)]);
        _server.Call("SADD", "few", "member:1", "other");
        _server.Call("MSET", "one", new string('a', 3_000), "other", new string('b', 3_000) + "a");
    }

    // Maintenance frees trees some time after they were dropped.
    private long LiveTreeBytes()
    {
        for (int i = 0; i < 3; i++)
            while (_server.Store.Maintenance.Run()) { }

        return _server.Store.Statistics.LiveTreeBytes;
    }

    private sealed class FailingSink : IWriteSink
    {
        public bool Fails { get; set; }

        public void Append(int database, ReadOnlySpan<byte> effect)
        {
            if (Fails)
                throw new IOException("No effect can be taken.");
        }
    }
}
