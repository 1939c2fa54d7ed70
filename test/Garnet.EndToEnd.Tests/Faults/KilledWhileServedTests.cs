// Clients killed at the moment when their blocked command is served. One process per test.
using System.Globalization;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Faults;

public sealed class KilledWhileServedTests(ITestOutputHelper output)
{
    private const int Waiters = 8;

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public async Task An_element_is_moved_once_or_stays_however_waiting_clients_disconnect(string transport)
    {
        int seed = TestSeed.ChooseAnew(output);
        int pushes = FaultScale.Count(3_000, 300_000);
        using var target = new FaultTarget(transport, "--io-threads", "2");
        using var done = new CancellationTokenSource();
        Task[] waiting = [.. Enumerable.Range(0, Waiters).Select(number => Task.Run(() => Wait(target, done.Token)))];
        var killing = Task.Run(() => Kill(target, new Random(seed), done.Token));
        using RespExchange client = target.Connect();
        for (int i = 0; i < pushes; i++)
            Assert.Matches(@"^:\d+\r\n$", client.ExecuteText("RPUSH", "from", i.ToString(CultureInfo.InvariantCulture)));
        await done.CancelAsync();
        await killing;
        // Clients that are still blocked are disconnected.
        FaultTarget.Await(
            () =>
            {
                client.ExecuteText("CLIENT", "KILL", "TYPE", "normal");
                return waiting.All(task => task.IsCompleted);
            },
            () => "The waiting clients must end."
        );
        await Task.WhenAll(waiting);

        List<string> elements = [.. Elements(client, "from"), .. Elements(client, "to")];
        Assert.Equal(pushes, elements.Count);
        Assert.Equal(pushes, elements.Distinct().Count());
        output.WriteLine($"{Elements(client, "to").Count} of {pushes} were moved");
        FaultTarget.Await(() => target.Info("connected_clients") == 2, () => "The killed clients must be gone.");
        Assert.Equal(0, target.Info("blocked_clients"));
        target.AssertEndsWell();
    }

    // Waits for elements one after the other; replaces a killed connection.
    private static void Wait(FaultTarget target, CancellationToken done)
    {
        while (!done.IsCancellationRequested)
        {
            using RespExchange client = target.Connect();
            while (!done.IsCancellationRequested && client.Execute("BLMOVE", "from", "to", "LEFT", "RIGHT", "0") is not null) { }
        }
    }

    private static void Kill(FaultTarget target, Random random, CancellationToken done)
    {
        using RespExchange client = target.Connect();
        while (!done.IsCancellationRequested)
        {
            string[] lines = client.ExecuteText("CLIENT", "LIST", "FLAGS", "b").Split('\n');
            string[] ids =
            [
                .. lines
                    .Where(line => line.StartsWith("id=", StringComparison.Ordinal))
                    .Select(line => line[3..line.IndexOf(' ', StringComparison.Ordinal)]),
            ];
            if (ids.Length == 0)
                continue;
            string id = ids[random.Next(ids.Length)];
            client.Execute(random.Next(4) == 0 ? ["CLIENT", "UNBLOCK", id] : ["CLIENT", "KILL", "ID", id]);
        }
    }

    private static List<string> Elements(RespExchange client, string key) =>
        [.. client.ExecuteText("LRANGE", key, "0", "-1").Split("\r\n").Skip(1).Where((_, index) => index % 2 == 1)];
}
