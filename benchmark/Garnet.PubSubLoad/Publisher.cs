// A connection that publishes in pipelines. One thread.
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Garnet.PubSubLoad;

/// <summary>Sends a pipeline of messages, waits for its replies, and repeats that.</summary>
internal sealed class Publisher : IDisposable
{
    private readonly Socket _socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly byte[][] _requests;
    private readonly byte[] _replies = new byte[64 * 1024];
    private readonly int _pipeline;
    private int _next;

    public Publisher(IPEndPoint server, Scenario scenario, int index, int pipeline)
    {
        _pipeline = pipeline;
        _socket.Connect(server);
        string payload = new('x', scenario.PayloadBytes);
        int own = scenario.Channels / scenario.Publishers;
        byte[][] single = [.. Enumerable.Range(0, own).Select(i => Request(["PUBLISH", ChannelName((index * own) + i), payload]))];
        // As many different pipelines as it takes to come back to the first channel, but not too many.
        int different = single.Length == 1 ? 1 : Math.Max(1, single.Length / pipeline);
        _requests =
        [
            .. Enumerable
                .Range(0, different)
                .Select(request =>
                    (byte[])[.. Enumerable.Range(0, pipeline).SelectMany(i => single[((request * pipeline) + i) % single.Length])]
                ),
        ];
    }

    /// <summary>The name of a channel.</summary>
    public static string ChannelName(int channel) => string.Create(CultureInfo.InvariantCulture, $"channel:{channel:D6}");

    /// <summary>A request's bytes.</summary>
    public static byte[] Request(string[] words) =>
        Encoding.ASCII.GetBytes(
            string.Create(CultureInfo.InvariantCulture, $"*{words.Length}\r\n")
                + string.Concat(words.Select(static word => string.Create(CultureInfo.InvariantCulture, $"${word.Length}\r\n{word}\r\n")))
        );

    /// <summary>Bytes of a message as a subscriber receives it.</summary>
    public static int FrameBytes(Scenario scenario) =>
        "*3\r\n$7\r\nmessage\r\n".Length + Request([ChannelName(0), new string('x', scenario.PayloadBytes)]).Length - "*2\r\n".Length;

    /// <summary>Sends one pipeline of messages.</summary>
    public void Send() => _socket.Send(_requests[_next++ % _requests.Length]);

    /// <summary>Waits for the replies; returns the number of messages.</summary>
    public int Await()
    {
        for (int replies = 0; replies < _pipeline; )
        {
            int received = _socket.Receive(_replies);
            if (received == 0)
                throw new IOException("The server has closed a publisher's connection.");
            replies += _replies.AsSpan(0, received).Count((byte)'\n');
        }

        return _pipeline;
    }

    /// <inheritdoc/>
    public void Dispose() => _socket.Dispose();
}
