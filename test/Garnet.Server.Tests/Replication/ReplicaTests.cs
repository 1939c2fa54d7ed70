// What a replica does with what its primary sends: in pieces, damaged, hostile, or unknown.
using Garnet.Server.Replication;
using Garnet.Store;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Replication;

public sealed class ReplicaTests(ITestOutputHelper output)
{
    private const string Begin = "+FULLRESYNC 0123456789abcdef0123456789abcdef01234567 100\r\n";
    private const string Stream =
        "*2\r\n$6\r\nSELECT\r\n$1\r\n3\r\n*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n1\r\n\n"
        + "*1\r\n$4\r\nPING\r\n*1\r\n$5\r\nMULTI\r\n*2\r\n$4\r\nINCR\r\n$1\r\na\r\n*3\r\n$5\r\nRPUSH\r\n$1\r\nl\r\n$1\r\nx\r\n*1\r\n$4\r\nEXEC\r\n"
        + "*3\r\n$8\r\nREPLCONF\r\n$6\r\nGETACK\r\n$1\r\n*\r\n";

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(7)]
    [InlineData(1000)]
    public async Task The_stream_is_applied_however_it_is_cut(int pieceBytes)
    {
        using InProcessServer server = await FollowAsync(ScriptedPrimary.EmptySnapshot + Stream, pieceBytes);
        server.Call("SELECT", "3");
        Assert.Equal("$1\r\n2\r\n", server.Call("GET", "a"));
        Assert.Equal(":1\r\n", server.Call("LLEN", "l"));
        Assert.Equal(100 + Stream.Length, server.Server.Replication.Effects.Stream.Position);
        Assert.Equal(ScriptedPrimary.Id, server.Server.Replication.History.Id);
    }

    [Fact]
    public async Task A_long_command_is_looked_at_once_however_many_pieces_it_comes_in()
    {
        const int Arguments = 1000;
        string[] pieces =
        [
            "\n*0\r\n",
            $"*{Arguments + 2}\r\n$4\r\nSADD\r\n$1\r\ns\r\n",
            .. Enumerable
                .Range(0, Arguments)
                .Chunk(10)
                .Select(static some => string.Concat(some.Select(static number => $"$4\r\n{number:D4}\r\n"))),
        ];
        ForgetfulPrimary primary = new(ScriptedPrimary.Handshake + ScriptedPrimary.EmptySnapshot, pieces);
        using InProcessServer server = new(connector: primary);
        Assert.Equal("+OK\r\n", server.Call("REPLICAOF", "primary", "1"));
        await primary.Ended.WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal($":{Arguments}\r\n", server.Call("SCARD", "s"));
        Assert.Equal(100 + pieces.Sum(static piece => piece.Length), server.Server.Replication.Effects.Stream.Position);
    }

    [Fact]
    public async Task A_transaction_that_is_cut_off_has_no_effect()
    {
        string cut = Stream[..Stream.IndexOf("*1\r\n$4\r\nEXEC", StringComparison.Ordinal)];
        using InProcessServer server = await FollowAsync(ScriptedPrimary.EmptySnapshot + cut);
        server.Call("SELECT", "3");
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "a"));
        Assert.Equal(":0\r\n", server.Call("LLEN", "l"));
        Assert.Equal(100 + cut.IndexOf("*1\r\n$5\r\nMULTI", StringComparison.Ordinal), server.Server.Replication.Effects.Stream.Position);
    }

    [Theory]
    [InlineData("*1\r\n$7\r\nUNKNOWN\r\n")]
    [InlineData("*1\r\n$3\r\nSET\r\n")]
    [InlineData("SET b 1\r\n")]
    [InlineData("$3\r\nabc\r\n")]
    [InlineData("*x\r\n")]
    [InlineData("*2147483648\r\n")]
    [InlineData("*1\r\n$-1\r\n")]
    [InlineData("*1\r\n$99999999999\r\n")]
    public async Task What_it_does_not_understand_ends_the_connection_and_nothing_is_skipped(string wrong)
    {
        const string before = "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n1\r\n";
        const string after = "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n2\r\n";
        using InProcessServer server = await FollowAsync(ScriptedPrimary.EmptySnapshot + before + wrong + after);
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "a"));
        Assert.Equal(100 + before.Length, server.Server.Replication.Effects.Stream.Position);
        Assert.NotEqual(PrimaryLinkState.Connected, server.Server.Replication.Primary!.State);
    }

    [Theory]
    [InlineData("")]
    [InlineData("\n\n\n")]
    [InlineData("-ERR no\r\n")]
    [InlineData("-NOMASTERLINK Can't SYNC\r\n")]
    [InlineData("+CONTINUE\r\n")]
    [InlineData("+FULLRESYNC\r\n")]
    [InlineData("+FULLRESYNC short 1\r\n")]
    [InlineData("+FULLRESYNC 0123456789abcdef0123456789abcdef01234567 -5\r\n")]
    [InlineData(Begin + "$18\r\nREDIS0010")]
    [InlineData(Begin + "$9\r\nREDIS0099")]
    [InlineData(Begin + "$10\r\nVALKEY081\u00f2")]
    [InlineData(Begin + "$12\r\nVALKEY080\u00f2\u0001\u0001")]
    [InlineData(Begin + "$18\r\nREDIS0010\u00ff\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008")]
    public async Task A_wrong_answer_leaves_no_half_of_anything(string answer)
    {
        using InProcessServer server = await FollowAsync(answer);
        Assert.Equal(":0\r\n", server.Call("DBSIZE"));
        Assert.NotEqual(ScriptedPrimary.Id, server.Server.Replication.History.Id);
        Assert.NotEqual(PrimaryLinkState.Connected, server.Server.Replication.Primary!.State);
        Assert.Equal("+OK\r\n", server.Call("REPLICAOF", "NO", "ONE"));
        Assert.Equal("+OK\r\n", server.Call("SET", "a", "1"));
    }

    [Fact]
    public async Task A_primary_that_does_not_know_psync_is_asked_with_sync()
    {
        string snapshot = ScriptedPrimary.EmptySnapshot[ScriptedPrimary.EmptySnapshot.IndexOf('$')..];
        using InProcessServer server = await FollowAsync("-ERR unknown command 'PSYNC'\r\n" + snapshot + Stream);
        server.Call("SELECT", "3");
        Assert.Equal("$1\r\n2\r\n", server.Call("GET", "a"));
        Assert.Equal(Stream.Length, server.Server.Replication.Effects.Stream.Position);
    }

    [Fact]
    public async Task A_primary_is_not_silent_while_what_it_sent_waits_for_a_command_here()
    {
        LivePrimary primary = new();
        using InProcessServer server = new(connector: primary);
        Assert.Equal("+OK\r\n", server.Call("REPLICAOF", "primary", "1"));
        primary.Send(ScriptedPrimary.Handshake + ScriptedPrimary.EmptySnapshot);
        PrimaryLink link = server.Server.Replication.Primary!;
        primary.Send("*1\r\n$4\r\nPING\r\n");
        // From here on it waits for more.
        SpinWait.SpinUntil(() => server.Server.Replication.Effects.Stream.Position == 114);
        long late = server.NowMs + 100_000;
        using ManualResetEventSlim isHeld = new();
        using ManualResetEventSlim mayEnd = new();
        using StoreSession session = server.Store.OpenSession();
        var command = Task.Run(() =>
            session.RunExclusive(() =>
            {
                isHeld.Set();
                mayEnd.Wait();
            })
        );
        isHeld.Wait();
        primary.Send("*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n1\r\n");
        SpinWait.SpinUntil(() => primary.IsRead && link.IsApplying);
        link.Tick(late);
        Assert.False(primary.IsClosed);
        mayEnd.Set();
        await command;
        SpinWait.SpinUntil(() => !link.IsApplying);
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "a"));
        link.Tick(late);
        Assert.True(primary.IsClosed);
    }

    [Fact]
    public void Failed_synchronizations_are_repeated_ever_less_often_and_at_different_times()
    {
        Assert.Equal([700, 1400, 2800, 5600, 11_200, 20_000, 20_000], Pauses(new Extreme(isMost: false)));
        Assert.Equal([1299, 2099, 4199, 8399, 16_799, 29_999, 29_999], Pauses(new Extreme(isMost: true)));

        static IEnumerable<int> Pauses(Random random) => Enumerable.Range(0, 7).Select(failed => PrimaryLink.PauseMs(failed, random));
    }

    [Fact]
    public void A_lost_link_is_tried_again_at_once_and_then_ever_less_often()
    {
        Assert.Equal([0, 50, 100, 200, 400, 700, 700], Pauses(new Extreme(isMost: false)));
        Assert.Equal([0, 99, 199, 399, 799, 1299, 1299], Pauses(new Extreme(isMost: true)));

        static IEnumerable<int> Pauses(Random random) =>
            Enumerable.Range(0, 7).Select(attempts => PrimaryLink.EarlyPauseMs(attempts, random));
    }

    [Fact]
    public async Task Random_bytes_never_end_the_server()
    {
        int seed = TestSeed.ChooseAnew(output);
        Random random = new(seed);
        string good = ScriptedPrimary.EmptySnapshot + Stream;
        for (int round = 0; round < FaultScale.Count(12, 10_000); round++)
        {
            char[] text = good.ToCharArray();
            for (int change = 1 + random.Next(3); change > 0; change--)
                text[random.Next(text.Length)] = (char)random.Next(256);
            using InProcessServer server = await FollowAsync(new string(text), 1 + random.Next(100));
            Assert.Equal("+OK\r\n", server.Call("REPLICAOF", "NO", "ONE"));
            Assert.Equal("+OK\r\n", server.Call("SET", "a", "1"));
        }
    }

    private static async Task<InProcessServer> FollowAsync(string afterHandshake, int pieceBytes = 1000)
    {
        ScriptedPrimary primary = new(ScriptedPrimary.Handshake + afterHandshake, pieceBytes);
        InProcessServer server = new(connector: primary);
        Assert.Equal("+OK\r\n", server.Call("REPLICAOF", "primary", "1"));
        await primary.Ended.WaitAsync(TimeSpan.FromSeconds(60));
        return server;
    }

    // Chooses the least or the most that it may.
    private sealed class Extreme(bool isMost) : Random
    {
        public override int Next(int maxValue) => isMost ? maxValue - 1 : 0;
    }
}
