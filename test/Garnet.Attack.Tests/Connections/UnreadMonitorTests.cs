// A watcher that does not read: it is closed at its limit, and the server's memory stays bounded until then. One process a test.
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Attack.Tests.Connections;

public sealed class UnreadMonitorTests(ITestOutputHelper output)
{
    private const long Megabyte = 1 << 20;

    // What the runtime's heap takes beyond what is queued.
    private const long Slack = 48 * Megabyte;

    [Theory]
    [InlineData("epoll", "--client-output-buffer-limit", "normal 4mb 0 0")]
    [InlineData("sockets", "--client-output-buffer-limit", "normal 4mb 0 0")]
    [InlineData("epoll", "--maxmemory-clients", "4mb")]
    [InlineData("sockets", "--maxmemory-clients", "4mb")]
    public void Is_closed_at_the_limit_with_memory_bounded(string transport, string option, string limit)
    {
        const int Watchers = 4;
        using var server = AttackedServer.StartGarnet("--transport", transport, "--io-threads", "2", option, limit);
        using RespExchange writer = server.Connect();
        byte[] request = FaultTarget.Pipeline(500, "ECHO", new string('x', 1000));
        Write(20);
        List<RespExchange> watchers = [.. Enumerable.Range(0, Watchers).Select(_ => server.Connect())];
        try
        {
            foreach (RespExchange watcher in watchers)
                watcher.Send("MONITOR\r\n"u8);
            FaultTarget.Await(() => Count("flags=O") == Watchers, () => writer.ExecuteText("CLIENT", "LIST"));
            long before = server.ResidentBytes;
            server.ResetPeak();
            // 100 MB a watcher.
            Write(200);
            FaultTarget.Await(() => Count("flags=O") == 0, () => writer.ExecuteText("CLIENT", "LIST"));
            long grown = server.PeakResidentBytes - before;
            output.WriteLine($"{transport}, {option} {limit}: {grown / Megabyte} MB at most for {Watchers} watchers");
            Assert.True(grown < (Watchers * 2 * 4 * Megabyte) + Slack, $"{grown / Megabyte} MB");
        }
        finally
        {
            watchers.ForEach(static watcher => watcher.Dispose());
        }

        void Write(int times)
        {
            for (int i = 0; i < times; i++)
            {
                writer.Send(request);
                for (int reply = 0; reply < 500; reply++)
                    Assert.Equal((byte)'$', writer.ReadReply()![0]);
            }
        }

        int Count(string text) =>
            Encoding
                .ASCII.GetString(writer.Execute("CLIENT", "LIST")!)
                .Split('\n')
                .Count(line => line.Contains(text, StringComparison.Ordinal));
    }
}
