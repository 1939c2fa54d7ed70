// Effects on values that are on disk: of a log that is loaded, and of a primary's stream.
using System.Text;
using Garnet.Server.Persistence;
using Garnet.Server.Replication;
using Garnet.Server.Tests.Replication;
using Garnet.Store.Tiering;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Tiering;

public sealed class ColdReplayTests : IDisposable
{
    private const int LargeBytes = 8000;
    private const int LargeKeys = 2200;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly LivePrimary _primary = new();
    private readonly InProcessServer _server;
    private readonly MemoryTierDevice _disk;
    private long _position = 100;

    public ColdReplayTests()
    {
        _server = new InProcessServer(connector: _primary);
        _disk = ColdServer.Open(
            _server.Store,
            _server.Server.Executor.Gates.ColdValues,
            TierSweep.SmallSizes with
            {
                MaxBytes = 64 << 20,
                SegmentBytes = 1 << 20,
            }
        );
    }

    public void Dispose()
    {
        _disk.Dispose();
        _primary.Dispose();
        _server.Dispose();
    }

    [Fact]
    public void A_replica_waits_for_a_value_and_keeps_the_order()
    {
        Follow();
        Send("SET", "a", "1");
        MoveOut("a");
        Send("INCR", "a");
        Send("SET", "c", "later");
        Await(() => _disk.Held == 1);
        Assert.Equal("$-1\r\n", _server.Call("GET", "c"));
        Answer();
        AwaitPosition();
        Assert.Equal("$1\r\n2\r\n", _server.Call("GET", "a"));
        Assert.Equal("$5\r\nlater\r\n", _server.Call("GET", "c"));
    }

    [Fact]
    public void A_replica_waits_at_EXEC_for_the_values_of_all_commands()
    {
        Follow();
        Send("SET", "a", "1");
        Send("SET", "b", "1");
        MoveOut("a", "b");
        Send("MULTI");
        Send("INCR", "a");
        Send("APPEND", "b", "2");
        Send("EXEC");
        Await(() => _disk.Held == 2);
        Answer();
        AwaitPosition();
        Assert.Equal("*2\r\n$1\r\n2\r\n$2\r\n12\r\n", _server.Call("MGET", "a", "b"));
    }

    [Fact]
    public void A_replica_reads_what_the_next_commands_need_together()
    {
        Follow();
        Send("MSET", "a", "1", "b", "1", "c", "1", "d", "1");
        MoveOut("a", "b", "c", "d");
        string text = Request("INCR", "a") + Request("SET", "b", "2") + Request("INCR", "c") + Request("APPEND", "d", "2");
        _position += text.Length;
        _primary.Send(text);
        Await(() => _disk.Held == 3);
        Answer();
        AwaitPosition();
        Assert.Equal("*4\r\n$1\r\n2\r\n$1\r\n2\r\n$1\r\n2\r\n$2\r\n12\r\n", _server.Call("MGET", "a", "b", "c", "d"));
    }

    // More than may be read at once. A client's command is refused then.
    [Fact]
    public void An_effect_that_needs_more_than_may_be_read_at_once_is_executed()
    {
        Follow();
        string[] keys = [.. Enumerable.Range(0, LargeKeys).Select(static number => $"k{number}")];
        foreach (string key in keys)
            Send("SET", key, new string('a', LargeBytes));
        AwaitPosition();
        Assert.Equal(LargeKeys, TierSweep.MoveAll(_server.Store));
        Assert.StartsWith("-OOM", _server.Call(["MGET", .. keys]), StringComparison.Ordinal);
        Send(["BITOP", "OR", "r", .. keys]);
        AwaitPosition();
        Assert.Equal($":{LargeBytes}\r\n", _server.Call("STRLEN", "r"));
    }

    [Fact]
    public void A_value_that_cannot_be_read_makes_a_replica_ask_for_all_data_again()
    {
        Follow();
        Send("SET", "a", "1");
        MoveOut("a");
        _disk.ReadError = 5;
        Answer();
        long before = _position;
        Send("INCR", "a");
        Await(() => _primary.IsClosed);
        Await(() => _server.Server.Replication.Primary!.State != PrimaryLinkState.Connected);
        Assert.False(_server.Server.Replication.Primary!.MayContinue);
        Assert.Equal(before, _server.Server.Replication.Effects.Stream.Position);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public async Task A_log_that_is_loaded_waits_for_values(int workers)
    {
        _server.Call("MSET", "a", "1", "b", "1");
        MoveOut("a", "b");
        var replay = Task.Run(() => Replay(workers, Request("INCR", "a"), Request("APPEND", "b", "2"), Request("RENAME", "a", "c")));
        Await(() => _disk.Held > 0);
        Assert.False(replay.IsCompleted);
        Answer();
        await replay.WaitAsync(Patience);
        Assert.Equal("*2\r\n$1\r\n2\r\n$2\r\n12\r\n", _server.Call("MGET", "c", "b"));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public void A_log_is_not_loaded_without_an_effect(int workers)
    {
        _server.Call("MSET", "a", "1", "b", "1");
        MoveOut("a");
        _disk.ReadError = 5;
        Answer();
        AppendOnlyLogException e = Assert.Throws<AppendOnlyLogException>(() => Replay(workers, Request("INCR", "b"), Request("INCR", "a")));
        Assert.Contains("incr: IOERR the value is on disk", e.Message, StringComparison.Ordinal);
    }

    private void Replay(int workers, params string[] effects)
    {
        Garnet.Server.Composition.RespServer server = _server.Server;
        using EffectReplay replay = new(server.ClientFactory, server.Store.Databases, workers, static () => { }) { CommandsPerBatch = 1 };
        foreach (string effect in effects)
            replay.Apply(Encoding.ASCII.GetBytes(effect), "file", 0);
        replay.Settle();
    }

    private void Follow()
    {
        _primary.Send(ScriptedPrimary.Handshake + ScriptedPrimary.EmptySnapshot);
        _server.Call("REPLICAOF", "primary", "1");
        AwaitPosition();
    }

    private void Send(params string[] request)
    {
        string text = Request(request);
        _position += text.Length;
        _primary.Send(text);
    }

    // From then on reads are held back.
    private void MoveOut(params string[] keys)
    {
        if (_server.Server.Replication.Primary is not null)
            AwaitPosition();
        using var sweep = new ColdSweep(_server.Store);
        Assert.Equal(keys.Length, sweep.Move(0, keys.Select(Encoding.ASCII.GetBytes)));
        _disk.Holds = true;
    }

    private void Answer()
    {
        _disk.Holds = false;
        _disk.Answer();
    }

    private void AwaitPosition() => Await(() => _server.Server.Replication.Effects.Stream.Position == _position);

    private static void Await(Func<bool> condition) => Assert.True(SpinWait.SpinUntil(condition, Patience));

    private static string Request(params string[] words) => Encoding.ASCII.GetString(InProcessClient.Request(words));
}
