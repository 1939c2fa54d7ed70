// MULTI and EXEC without a socket, beside clients that have one. Loopback and ports of the system's choice only.
using System.Globalization;
using Garnet.Client;
using Garnet.Testing;
using Xunit;

namespace Garnet.Caching.Tests.InProcess;

public sealed class TransactionTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private readonly TestServer _server = TestServer.Start();

    private IGarnet Garnet => _server.Server.InProcess;

    public void Dispose() => _server.Dispose();

    [Fact]
    public void Nothing_is_done_before_the_commit_and_the_replies_come_in_order()
    {
        using IGarnetTransaction transaction = Garnet.BeginTransaction();
        transaction.Set("k"u8, "1"u8, new SetOptions { ExpiresAfter = TimeSpan.FromMinutes(1) });
        transaction.Queue("INCR", "k");
        transaction.Queue("RPUSH", "l"u8.ToArray(), new byte[] { 0, 255 });
        transaction.Queue("PING");
        Assert.Equal(4, transaction.Count);
        Assert.False(Garnet.Exists("k"));
        IReadOnlyList<RespValue> replies = transaction.Commit()!;
        Assert.Equal(["+OK", ":2", ":1", "+PONG"], replies.Select(reply => reply.ToString()));
        Assert.Equal("2", Garnet.GetString("k"));
        Assert.InRange(Garnet.GetTimeToLive("k")!.Value, TimeSpan.FromTicks(1), TimeSpan.FromMinutes(1));
    }

    [Fact]
    public void A_command_that_fails_undoes_no_other()
    {
        using IGarnetTransaction transaction = Garnet.BeginTransaction();
        transaction.Set("k", "text");
        transaction.Queue("LPUSH", "k", "x");
        transaction.Queue("BLPOP", "none", "0");
        transaction.Set("m", "there");
        IReadOnlyList<RespValue> replies = transaction.Commit()!;
        Assert.True(replies[1].IsError);
        Assert.StartsWith("WRONGTYPE ", replies[1].Text, StringComparison.Ordinal);
        Assert.True(replies[2].IsNull);
        Assert.Equal("there", Garnet.GetString("m"));
    }

    [Fact]
    public void A_command_that_is_refused_makes_the_commit_fail()
    {
        using (IGarnetTransaction transaction = Garnet.BeginTransaction())
        {
            transaction.Set("k", "v");
            Assert.Contains(
                "unknown command",
                Assert.Throws<GarnetCommandException>(() => transaction.Queue("NOSUCH", "x")).Message,
                StringComparison.Ordinal
            );
            Assert.Equal("EXECABORT", Assert.Throws<GarnetCommandException>(() => transaction.Commit()).Code);
        }

        using (IGarnetTransaction transaction = Garnet.BeginTransaction())
        {
            transaction.Set("k", "v");
            // What is never sent breaks nothing.
            Assert.Throws<NotSupportedException>(() => transaction.Queue("SELECT", "1"));
            Assert.Throws<ArgumentException>(() => transaction.Queue(""));
            Assert.False(Garnet.Exists("k"));
            Assert.Single(transaction.Commit()!);
        }

        Assert.Equal("v", Garnet.GetString("k"));
        Assert.Contains(
            "BeginTransaction",
            Assert.Throws<NotSupportedException>(() => Garnet.Execute("MULTI")).Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void A_watched_key_that_others_change_leaves_everything_undone()
    {
        using RespExchange client = _server.Connect();
        Action[] changes = [() => client.ExecuteText("SET", "w", "1"), () => Garnet.Set("w", "2"), () => Garnet.Delete("w")];
        foreach (Action change in changes)
        {
            using IGarnetTransaction transaction = Garnet.BeginTransaction();
            transaction.Watch("w");
            change();
            transaction.Set("k", "v");
            Assert.Null(transaction.Commit());
            Assert.False(Garnet.Exists("k"));
        }

        using IGarnetTransaction undisturbed = Garnet.BeginTransaction();
        undisturbed.Watch("w"u8);
        client.ExecuteText("SET", "other", "1");
        Assert.Empty(undisturbed.Commit()!);
    }

    [Fact]
    public void What_was_discarded_leaves_no_trace_in_the_next()
    {
        // The session of the first is the next one's, unless the thread changes its processor.
        using (IGarnetTransaction discarded = Garnet.BeginTransaction())
        {
            discarded.Watch("w");
            discarded.Set("k", "v");
        }

        Garnet.Set("w", "1");
        Assert.False(Garnet.Exists("k"));
        using IGarnetTransaction next = Garnet.BeginTransaction();
        next.Set("m", "v");
        Assert.Single(next.Commit()!);
        Assert.False(Garnet.Exists("k"));
    }

    [Fact]
    public void It_is_over_after_its_commit_and_after_its_end()
    {
        using IGarnetTransaction transaction = Garnet.BeginTransaction();
        transaction.Queue("PING");
        Assert.Throws<InvalidOperationException>(() => transaction.Watch("w"));
        Assert.NotNull(transaction.Commit());
        Assert.Throws<InvalidOperationException>(() => transaction.Queue("PING"));
        Assert.Throws<InvalidOperationException>(() => transaction.Commit());
        IGarnetTransaction disposed = Garnet.BeginTransaction();
        disposed.Dispose();
        disposed.Dispose();
        Assert.Throws<InvalidOperationException>(() => disposed.Watch("w"));
    }

    [Fact]
    public void It_works_on_the_database_that_was_selected_when_it_began()
    {
        using IGarnetTransaction transaction = Garnet.WithDatabase(3).BeginTransaction();
        transaction.Watch("w");
        Garnet.Set("w", "of another database");
        transaction.Set("k", "v");
        Assert.Single(transaction.Commit()!);
        Assert.False(Garnet.Exists("k"));
        Assert.Equal("v", Garnet.WithDatabase(3).GetString("k"));
    }

    [Fact]
    public void Others_see_all_of_it_or_nothing()
    {
        const int Rounds = 2000;
        Garnet.Execute("MSET", "x", "0", "y", "0");
        int mixed = 0;
        Thread[] threads =
        [
            .. Enumerable
                .Range(0, 3)
                .Select(id => new Thread(() =>
                {
                    for (int i = 0; i < Rounds; i++)
                    {
                        using IGarnetTransaction transaction = Garnet.BeginTransaction();
                        if (id < 2)
                        {
                            string value = $"{id}/{i}";
                            transaction.Set("x", value);
                            transaction.Set("y", value);
                            transaction.Commit();
                            continue;
                        }

                        RespValue both = Garnet.Execute("MGET", "x", "y");
                        transaction.Queue("GET", "x");
                        transaction.Queue("GET", "y");
                        IReadOnlyList<RespValue> again = transaction.Commit()!;
                        if (both[0].Text != both[1].Text || again[0].Text != again[1].Text)
                            Interlocked.Increment(ref mixed);
                    }
                })),
        ];
        foreach (Thread thread in threads)
            thread.Start();
        foreach (Thread thread in threads)
            thread.Join();
        Assert.Equal(0, mixed);
        Assert.Equal(Garnet.GetString("x"), Garnet.GetString("y"));
    }

    [Fact]
    public void With_watched_keys_many_callers_take_each_piece_once()
    {
        const int Pieces = 500,
            Callers = 4;
        Garnet.Set("stock", Pieces.ToString(CultureInfo.InvariantCulture));
        Thread[] threads =
        [
            .. Enumerable
                .Range(0, Callers)
                .Select(_ => new Thread(() =>
                {
                    while (TryTake()) { }
                })),
        ];
        foreach (Thread thread in threads)
            thread.Start();
        foreach (Thread thread in threads)
            thread.Join();
        Assert.Equal("0", Garnet.GetString("stock"));
        Assert.Equal(
            Enumerable.Range(1, Pieces).Reverse(),
            Garnet.Execute("LRANGE", "taken", "0", "-1").Children.Select(piece => int.Parse(piece.Text, CultureInfo.InvariantCulture))
        );
    }

    [Fact]
    public async Task A_commit_waits_without_a_thread_and_can_be_cancelled()
    {
        using RespExchange client = _server.Connect();
        using IGarnetTransaction first = Garnet.BeginTransaction();
        using IGarnetTransaction second = Garnet.BeginTransaction();
        client.ExecuteText("CLIENT", "PAUSE", "100000", "WRITE");
        first.Set("first", "v");
        second.Set("second", "v");
        using CancellationTokenSource stop = new();
        Task<IReadOnlyList<RespValue>?> cancelled = first.CommitAsync(stop.Token).AsTask();
        Task<IReadOnlyList<RespValue>?> waiting = second.CommitAsync().AsTask();
        Assert.Throws<InvalidOperationException>(() => second.Queue("PING"));
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.WaitAsync(Patience));
        Assert.False(waiting.IsCompleted);
        client.ExecuteText("CLIENT", "UNPAUSE");
        Assert.Single((await waiting.WaitAsync(Patience))!);
        Assert.False(Garnet.Exists("first"));
        Assert.True(Garnet.Exists("second"));
    }

    [Fact]
    public async Task The_servers_stop_ends_open_ones()
    {
        using IGarnetTransaction open = Garnet.BeginTransaction();
        open.Watch("w");
        open.Set("k", "v");
        await _server.Server.StopAsync().WaitAsync(Patience);
        Assert.Throws<InvalidOperationException>(() => open.Commit());
        Assert.Throws<InvalidOperationException>(() => Garnet.BeginTransaction());
    }

    private bool TryTake()
    {
        using IGarnetTransaction transaction = Garnet.BeginTransaction();
        transaction.Watch("stock");
        string stock = Garnet.GetString("stock")!;
        if (stock == "0")
            return false;
        transaction.Queue("DECR", "stock");
        transaction.Queue("RPUSH", "taken", stock);
        // If another client changed the key first, the transaction is tried again.
        transaction.Commit();
        return true;
    }
}
