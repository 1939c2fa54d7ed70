// Clients that write while their server is killed, and remember what it acknowledged. One owner, which joins its threads.
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Faults;

/// <summary>
/// Each client writes consecutive numbers into three keys of its own that always change together. After a restart the keys must agree, with
/// at least the last acknowledged number and at most the last one sent; the clients continue from there.
/// </summary>
internal sealed class AcknowledgedLoad
{
    private const int Clients = 8;

    // For each client: the number in the last reply, and the last number sent.
    private readonly long[] _replied = new long[Clients];
    private readonly long[] _sent = new long[Clients];
    private Thread[] _threads = [];
    private volatile bool _isStopping;

    /// <summary>Number of writes acknowledged or found so far.</summary>
    public long Acknowledged => _replied.Sum();

    /// <summary>Makes the clients write until the server ends, or <see cref="Stop"/> is called.</summary>
    public void Start(GarnetProcess server)
    {
        _isStopping = false;
        _threads = [.. Enumerable.Range(0, Clients).Select(client => new Thread(() => Load(server, client)))];
        foreach (Thread thread in _threads)
            thread.Start();
    }

    /// <summary>Waits until the clients have stopped because their server ended.</summary>
    public void Join()
    {
        foreach (Thread thread in _threads)
            thread.Join();
    }

    /// <summary>Makes the clients wait for their last replies and stop.</summary>
    public void Stop()
    {
        _isStopping = true;
        Join();
    }

    /// <summary>Checks the data of a restarted server.</summary>
    public void Check(GarnetProcess server, string round)
    {
        using RespExchange exchange = server.Connect();
        for (int client = 0; client < Clients; client++)
        {
            long number = Number(exchange, $"n{client}");
            Assert.True(
                number >= _replied[client] && number <= _sent[client],
                $"{round}, client {client}: {number} is there, {_replied[client]} was acknowledged, {_sent[client]} was sent"
            );
            Assert.Equal(number, Number(exchange, $"count{client}"));
            Assert.Equal(number, Number(exchange, $"padded{client}"));
            _replied[client] = _sent[client] = number;
        }
    }

    // Occasionally pipelines several writes.
    private void Load(GarnetProcess server, int client)
    {
        try
        {
            using RespExchange exchange = server.Connect();
            for (int i = 0; !_isStopping; i++)
            {
                int depth = i % 7 == 0 ? 5 : 1;
                using MemoryStream request = new();
                for (int j = 0; j < depth; j++)
                    Add(request, client, _sent[client] + 1 + j);
                _sent[client] += depth;
                exchange.Send(request.ToArray());
                for (int j = 0; j < depth; j++)
                {
                    for (int reply = 0; reply < 4; reply++)
                        Assert.NotNull(exchange.ReadReply());
                    if (exchange.ReadReply() is not { } exec)
                        return;
                    Assert.StartsWith("*3\r\n", Encoding.Latin1.GetString(exec), StringComparison.Ordinal);
                    _replied[client]++;
                }
            }
        }
        catch (Exception e) when (e is SocketException or IOException or Xunit.Sdk.NotNullException)
        {
            // The server was killed.
        }
    }

    private static void Add(MemoryStream request, int client, long number)
    {
        string text = number.ToString(CultureInfo.InvariantCulture);
        string[][] commands =
        [
            ["MULTI"],
            ["SET", $"n{client}", text],
            ["INCR", $"count{client}"],
            ["SET", $"padded{client}", text + new string('.', (int)(number * 37 % 3000))],
            ["EXEC"],
        ];
        foreach (string[] command in commands)
            RespExchange.Encode(request, [.. command.Select(Encoding.Latin1.GetBytes)]);
    }

    private static long Number(RespExchange exchange, string key)
    {
        string reply = exchange.ExecuteText("GET", key);
        return reply is "$-1\r\n" ? 0 : long.Parse(reply.Split("\r\n")[1].TrimEnd('.'), CultureInfo.InvariantCulture);
    }
}
