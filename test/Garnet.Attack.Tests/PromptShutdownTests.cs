// The end of the server must not wait for its clients, whatever they are in the middle of. Each test has a process of its own.
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Attack.Tests;

public sealed class PromptShutdownTests(ITestOutputHelper output)
{
    // Less than the times after which the server would give clients up by itself.
    private static readonly TimeSpan Prompt = TimeSpan.FromSeconds(4);

    [Theory]
    [InlineData("epoll", "TERM")]
    [InlineData("epoll", "SHUTDOWN")]
    [InlineData("sockets", "TERM")]
    [InlineData("sockets", "SHUTDOWN")]
    public void It_ends_promptly_beside_clients_of_every_kind(string transport, string how)
    {
        using var certificates = new TestCertificates();
        using var server = GarnetProcess.Start(
            "--transport",
            transport,
            "--bind",
            "127.0.0.1",
            "--tls-cert-file",
            certificates.CertFile,
            "--tls-key-file",
            certificates.KeyFile,
            "--tls-auth-clients",
            "no"
        );
        using RespExchange control = server.Connect();
        int tlsPort = LoopbackPort.Free();
        Assert.Equal(
            "+OK\r\n",
            control.ExecuteText("CONFIG", "SET", "tls-port", tlsPort.ToString(System.Globalization.CultureInfo.InvariantCulture))
        );
        Assert.Equal(
            "+OK\r\n",
            Encoding.ASCII.GetString(
                control.Execute([
                    [.. "SET"u8],
                    [.. "large"u8],
                    new byte[200_000],
                ])!
            )
        );
        var clients = new List<IDisposable>();
        for (int i = 0; i < 20; i++)
        {
            foreach (byte[] request in Beginnings())
            {
                RespExchange client = server.Connect();
                client.Send(request);
                clients.Add(client);
            }

            clients.Add(HalfShakenHands(tlsPort));
        }

        using var tls = TlsClient.Connect(new IPEndPoint(IPAddress.Loopback, tlsPort), certificates.Authority);
        tls.Stream.Write("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1000000\r\nabc"u8);
        Assert.Equal("+PONG\r\n", control.ExecuteText("PING"));

        long start = Stopwatch.GetTimestamp();
        if (how == "TERM")
            server.Signal("TERM");
        else
            control.Send("SHUTDOWN NOSAVE\r\n"u8);
        Assert.Equal(0, server.WaitForExit(TimeSpan.FromSeconds(60)));
        TimeSpan took = Stopwatch.GetElapsedTime(start);
        output.WriteLine($"{took.TotalMilliseconds:F0} ms with {clients.Count} clients");
        if (FaultScale.IsFull)
            Assert.True(took < Prompt, $"{took.TotalSeconds:F1} s");
        clients.ForEach(client => client.Dispose());
    }

    private static IEnumerable<byte[]> Beginnings() =>
        [
            [],
            [.. "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$5\r\nab"u8],
            [.. "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1000000\r\nab"u8],
            [.. "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1000000\r\n"u8, .. new byte[300_000]],
            [.. "*1000\r\n$20000\r\n"u8, .. new byte[20_000], .. "\r\n$4\r\nab"u8],
            [.. "BLPOP list 0\r\n"u8],
            [.. "BLPOP list 0\r\n"u8, .. new byte[100_000]],
            [.. "SUBSCRIBE\r\nMONITOR\r\n"u8],
            [.. "MULTI\r\nSET k v\r\n"u8],
            [.. "WAIT 1 0\r\n"u8],
            FaultTarget.Pipeline(20, "GET", "large"),
        ];

    private static Socket HalfShakenHands(int port)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Connect(IPAddress.Loopback, port);
        socket.Send([22, 3, 1, 2, 0, 1]);
        return socket;
    }
}
