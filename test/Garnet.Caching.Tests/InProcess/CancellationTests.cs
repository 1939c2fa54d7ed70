// Calls in the process that are cancelled at any moment. A server of its own; callers on threads of the pool.
using System.Collections.Concurrent;
using System.Globalization;
using Garnet.Client;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Caching.Tests.InProcess;

public sealed class CancellationTests(ITestOutputHelper output) : IDisposable
{
    private const int Callers = 6;
    private const int Keys = 3;

    private readonly TestServer _server = TestServer.Start();

    public void Dispose() => _server.Dispose();

    private IGarnet Garnet => _server.Server.InProcess;

    // Each element is taken once, by a call that returns it, or is still there: a call that is cancelled has taken nothing.
    [Fact]
    public async Task A_cancelled_call_takes_nothing()
    {
        int seed = TestSeed.ChooseAnew(output);
        ConcurrentQueue<string> taken = [];
        int cancelled = 0;
        Task[] callers = [.. Enumerable.Range(0, Callers).Select(i => Task.Run(() => TakeAsync(new Random(seed + i))))];
        List<string> pushed = await PushAsync(new Random(seed + Callers), callers);
        await Task.WhenAll(callers);

        Assert.True(cancelled > 0 && !taken.IsEmpty, $"{cancelled} cancelled, {taken.Count} taken");
        List<string> found = [.. taken];
        for (int key = 0; key < Keys; key++)
        {
            while (Garnet.Execute("LPOP", $"l{key}") is { IsNull: false } left)
                found.Add(left.Text);
        }

        Assert.Equal(pushed.Order(), found.Order());
        Assert.Contains("\r\nblocked_clients:0\r\n", Garnet.Execute("INFO", "clients").Text, StringComparison.Ordinal);
        Assert.Equal("PONG", Garnet.Execute("PING").Text);

        async Task TakeAsync(Random random)
        {
            for (int round = 0; round < FaultScale.Count(1500, 30_000); round++)
            {
                using CancellationTokenSource stop = new();
                Task<RespValue> call = Garnet.ExecuteAsync("BLPOP", Request(random), stop.Token).AsTask();
                await DelayAsync(random);
                await stop.CancelAsync();
                try
                {
                    taken.Enqueue((await call)[1].Text);
                }
                catch (OperationCanceledException)
                {
                    Interlocked.Increment(ref cancelled);
                }
            }
        }
    }

    // A transaction that is cancelled while it waits has done nothing; one that returns has done all.
    [Fact]
    public async Task A_cancelled_commit_has_done_all_or_nothing()
    {
        int seed = TestSeed.ChooseAnew(output);
        int done = 0;
        int cancelled = 0;
        Task[] callers = [.. Enumerable.Range(0, Callers).Select(i => Task.Run(() => CommitAsync(new Random(seed + i))))];
        Random random = new(seed + Callers);
        using RespExchange client = _server.Connect();
        while (!callers.All(static caller => caller.IsCompleted))
        {
            client.ExecuteText("CLIENT", "PAUSE", "100000", "WRITE");
            await DelayAsync(random);
            client.ExecuteText("CLIENT", "UNPAUSE");
            await DelayAsync(random);
        }

        await Task.WhenAll(callers);
        Assert.True(cancelled > 0 && done > 0, $"{cancelled} cancelled, {done} done");
        string expected = done.ToString(CultureInfo.InvariantCulture);
        Assert.Equal((expected, expected), (Garnet.GetString("a"), Garnet.GetString("b")));

        async Task CommitAsync(Random random)
        {
            for (int round = 0; round < FaultScale.Count(500, 10_000); round++)
            {
                using CancellationTokenSource stop = new();
                using IGarnetTransaction transaction = Garnet.BeginTransaction();
                transaction.Queue("INCR", "a");
                transaction.Queue("INCR", "b");
                Task<IReadOnlyList<RespValue>?> commit = transaction.CommitAsync(stop.Token).AsTask();
                await DelayAsync(random);
                await stop.CancelAsync();
                try
                {
                    await commit;
                    Interlocked.Increment(ref done);
                }
                catch (OperationCanceledException)
                {
                    Interlocked.Increment(ref cancelled);
                }
            }
        }
    }

    private static string[] Request(Random random) =>
        [.. Enumerable.Range(0, Keys).OrderBy(_ => random.Next()).Take(random.Next(1, Keys + 1)).Select(static key => $"l{key}"), "0"];

    private async Task<List<string>> PushAsync(Random random, Task[] callers)
    {
        List<string> pushed = [];
        while (!callers.All(static caller => caller.IsCompleted))
        {
            string element = pushed.Count.ToString(CultureInfo.InvariantCulture);
            pushed.Add(element);
            Garnet.Execute("RPUSH", $"l{random.Next(Keys)}", element);
            await DelayAsync(random);
        }

        return pushed;
    }

    // At once, on another turn of the pool, or later: so that a cancellation meets each step of a call.
    private static async Task DelayAsync(Random random)
    {
        switch (random.Next(4))
        {
            case 0:
                break;
            case 1:
                await Task.Yield();
                break;
            case 2:
                Thread.SpinWait(random.Next(2000));
                break;
            default:
                await Task.Delay(random.Next(2));
                break;
        }
    }
}
