// What a removal's messages take without a cache, for 2, 4 and 8 instances: the machine's part of it. One caller.
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
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
        byte[] bytes = new byte[4096];
        while (true)
            Answer(socket, Count(bytes.AsSpan(0, socket.Receive(bytes)), "message"u8), answer);
    }

    private static async Task MeasureAsync(string address, int instances)
    {
        GarnetHybridCache cache = Services.Ours(address);
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

        await cache.DisposeAsync();
    }

    private static ValueTask Exchange(Socket socket, int answers)
    {
        socket.Send(Request("PUBLISH", "exchange", "m"));
        Span<byte> bytes = stackalloc byte[4096];
        while (answers > 0)
            answers -= Count(bytes[..socket.Receive(bytes)], "message"u8);
        return ValueTask.CompletedTask;
    }

    private static void Answer(Socket socket, int times, byte[] answer)
    {
        for (int i = 0; i < times; i++)
            socket.Send(answer);
    }

    private static IEnumerable<Process> StartPair(string address) =>
        [RemovalFigures.StartChild("echo", address), RemovalFigures.StartChild("instance", address)];

    // RESP3 lets one connection publish and receive.
    private static Socket Connect(string address, string channel)
    {
        Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        socket.Connect(IPEndPoint.Parse(address));
        socket.Send([.. Request("HELLO", "3"), .. Request("SUBSCRIBE", channel)]);
        byte[] bytes = new byte[4096];
        for (int confirmed = 0; confirmed == 0; )
            confirmed += Count(bytes.AsSpan(0, socket.Receive(bytes)), "subscribe"u8);
        return socket;
    }

    // Messages are short, and a word that is cut in two does not come over loopback.
    private static int Count(ReadOnlySpan<byte> bytes, ReadOnlySpan<byte> word) => bytes.Count(word);

    private static byte[] Request(params string[] words) =>
        System.Text.Encoding.ASCII.GetBytes(
            $"*{words.Length}\r\n" + string.Concat(words.Select(static word => $"${word.Length}\r\n{word}\r\n"))
        );
}
