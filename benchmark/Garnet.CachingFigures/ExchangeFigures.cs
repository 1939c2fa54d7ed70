// What a removal's messages take without a cache, for 2, 4 and 8 instances: the machine's part of it. One caller.
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Garnet.Caching;
using Garnet.Client;

namespace Garnet.CachingFigures;

/// <summary>
/// An exchange is a message to all processes and an answer of each, by a thread in each that does nothing but wait for its socket: less
/// cannot tell all instances of a removal. Rounds of exchanges, of removals and of PINGs by the same process alternate.
/// </summary>
internal static class ExchangeFigures
{
    private const int Calls = 500;
    private const int Rounds = 3;

    public static async Task RunAsync(string address)
    {
        foreach (int instances in (int[])[2, 4, 8])
        {
            Process[] children = [.. Enumerable.Range(1, instances - 1).SelectMany(_ => StartPair(address))];
            try
            {
                foreach (Process child in children)
                    await child.StandardOutput.ReadLineAsync();
                await MeasureAsync(address, instances);
            }
            finally
            {
                foreach (Process child in children)
                    child.Kill();
            }
        }
    }

    /// <summary>Answers each message until the process ends.</summary>
    public static void Echo(string address)
    {
        using Socket socket = Connect(address, "exchange");
        Console.WriteLine("ready");
        byte[] answer = Request("PUBLISH", "exchange-answers", "a");
        while (true)
        {
            for (int messages = Receive(socket, "message"u8); messages > 0; messages--)
                socket.Send(answer);
        }
    }

    private static async Task MeasureAsync(string address, int instances)
    {
        await using GarnetHybridCache cache = Services.Ours(address);
        await using RespMultiplexer client = new(new RespMultiplexerOptions { EndPoint = IPEndPoint.Parse(address) });
        using Socket socket = Connect(address, "exchange-answers");
        await cache.TryGetAsync<string>("none");
        // So that all are known for longer than a lease.
        await Task.Delay(1000);
        for (int round = 0; round < Rounds; round++)
        {
            await Timing.EachAsync($"{instances} instances: PING", Calls, async _ => await client.CallAsync("PING"));
            await Timing.EachAsync($"{instances} instances: exchange", Calls, _ => Exchange(socket, instances - 1));
            await Timing.EachAsync($"{instances} instances: removal", Calls, _ => cache.RemoveByTagAsync("many"));
        }
    }

    private static ValueTask Exchange(Socket socket, int answers)
    {
        socket.Send(Request("PUBLISH", "exchange", "m"));
        while (answers > 0)
            answers -= Receive(socket, "message"u8);
        return ValueTask.CompletedTask;
    }

    private static IEnumerable<Process> StartPair(string address) =>
        [RemovalFigures.StartChild("echo", address), RemovalFigures.StartChild("instance", address)];

    // RESP3 lets one connection publish and receive.
    private static Socket Connect(string address, string channel)
    {
        Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        socket.Connect(IPEndPoint.Parse(address));
        socket.Send([.. Request("HELLO", "3"), .. Request("SUBSCRIBE", channel)]);
        while (Receive(socket, "subscribe"u8) == 0)
            continue;
        return socket;
    }

    // How often a word comes with the next bytes. Messages are short, so that none is cut in two over loopback.
    private static int Receive(Socket socket, ReadOnlySpan<byte> word)
    {
        Span<byte> bytes = stackalloc byte[4096];
        int received = socket.Receive(bytes);
        if (received == 0)
            throw new EndOfStreamException("The server closed the connection.");
        return bytes[..received].Count(word);
    }

    private static byte[] Request(params string[] words) =>
        Encoding.ASCII.GetBytes($"*{words.Length}\r\n" + string.Concat(words.Select(static word => $"${word.Length}\r\n{word}\r\n")));
}
