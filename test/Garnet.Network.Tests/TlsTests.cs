// TLS on the connection's I/O thread gives sessions the same guarantees as plain connections. Each test has its own listener.
using System.Buffers;
using System.IO.Pipelines;
using System.Net.Security;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Garnet.Network.Features;
using Garnet.Network.Tls;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Network.Tests;

public sealed class TlsTests : IDisposable
{
    private readonly X509Certificate2 _certificate = MakeCertificate();

    public static TheoryData<string> AllTransports => Transports.All;

    public void Dispose() => _certificate.Dispose();

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_session_stays_on_its_owner_while_the_connection_moves(string transport)
    {
        var connections = new TaskCompletionSource<ConnectionContext>();
        await using TransportRig rig = await StartAsync(
            transport,
            connection =>
            {
                connections.SetResult(connection);
                return Sessions.EchoAsync(connection);
            },
            new TransportOptions { IoThreads = 3 }
        );
        using SslStream client = await ConnectAsync(rig);
        for (int i = 0; i < 300; i++)
        {
            if (i % 10 == 5)
                Sessions.Affinity(await connections.Task).RequestMove(i / 10 % 3);
            await AssertEchoAsync(client, Bytes(i, 1 + i * 137));
        }
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_cancelled_read_loses_nothing(string transport)
    {
        await using TransportRig rig = await StartAsync(
            transport,
            async connection =>
            {
                (PipeReader input, PipeWriter output) = (connection.Transport.Input, connection.Transport.Output);
                while (true)
                {
                    ReadResult read = await input.ReadAsync();
                    Sessions.AssertOnOwner(connection);
                    // A resumed session examines the input and leaves half of it unconsumed.
                    long kept = read.IsCanceled ? read.Buffer.Length / 2 : 0;
                    SequencePosition taken = read.Buffer.GetPosition(read.Buffer.Length - kept);
                    foreach (ReadOnlyMemory<byte> piece in read.Buffer.Slice(0, taken))
                        output.Write(piece.Span);
                    input.AdvanceTo(taken);
                    await output.FlushAsync();
                    if (read.IsCompleted && kept == 0)
                        return;
                    if (read.IsCanceled)
                        continue;
                    input.CancelPendingRead();
                    _ = Task.Run(input.CancelPendingRead);
                }
            }
        );
        using SslStream client = await ConnectAsync(rig);
        for (int i = 0; i < 200; i++)
            await AssertEchoAsync(client, Bytes(i, 1 + i * 311));
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task Referenced_values_arrive_in_order_and_are_released_once(string transport)
    {
        const int Length = 300_001;
        nint value = Marshal.AllocHGlobal(Length);
        byte[] expected = Bytes(7, Length);
        Marshal.Copy(expected, 0, value, Length);
        var owner = new Releases();
        int[] lengths = [0, 1, 100, 16_383, 16_384, 16_385, 32_768, 100_000, Length];
        await using (
            TransportRig rig = await StartAsync(
                transport,
                async connection =>
                {
                    (PipeReader input, PipeWriter output) = (connection.Transport.Input, connection.Transport.Output);
                    IReferencedSend send = connection.GetReferencedSend();
                    ReadResult read = await input.ReadAsync();
                    input.AdvanceTo(read.Buffer.End);
                    foreach (int length in lengths)
                    {
                        output.Write("<"u8);
                        send.SendReferenced(value, length, owner, length);
                        send.SendReferenced(value, length, owner, -length - 1);
                        output.Write(">"u8);
                        await output.FlushAsync();
                    }
                }
            )
        )
        {
            using SslStream client = await ConnectAsync(rig);
            await client.WriteAsync(new byte[1]);
            foreach (int length in lengths)
            {
                byte[] received = new byte[2 + 2 * length];
                await client.ReadExactlyAsync(received).AsTask().WaitAsync(TransportRig.Patience);
                byte[] wanted = [(byte)'<', .. expected[..length], .. expected[..length], (byte)'>'];
                Assert.True(received.AsSpan().SequenceEqual(wanted), $"A value of {length} bytes arrived changed.");
            }

            Assert.Equal(0, await client.ReadAsync(new byte[1]).AsTask().WaitAsync(TransportRig.Patience));
        }

        Assert.Equal(lengths.Length * 2, owner.Tokens.Count);
        Assert.Equal(owner.Tokens.Count, owner.Tokens.Distinct().Count());
        Marshal.FreeHGlobal(value);
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_value_is_received_directly_into_its_memory_and_the_rest_follows(string transport)
    {
        const int Length = 200_000;
        nint place = Marshal.AllocHGlobal(Length);
        byte[] sent = Bytes(9, Length + 10);
        await using (
            TransportRig rig = await StartAsync(
                transport,
                async connection =>
                {
                    (PipeReader input, PipeWriter output) = (connection.Transport.Input, connection.Transport.Output);
                    while (true)
                    {
                        ReadResult read = await input.ReadAsync();
                        if (read.Buffer.IsEmpty && read.IsCompleted)
                            return;
                        input.AdvanceTo(read.Buffer.Start, read.Buffer.GetPosition(1));
                        Assert.Equal(Length, await connection.GetDirectReceive().ReceiveAsync(place, Length));
                        Sessions.AssertOnOwner(connection);
                        read = await input.ReadAtLeastAsync(10);
                        output.Write(read.Buffer.FirstSpan[..10]);
                        input.AdvanceTo(read.Buffer.GetPosition(10));
                        await output.FlushAsync();
                    }
                }
            )
        )
        {
            using SslStream client = await ConnectAsync(rig);
            for (int round = 0; round < 5; round++)
            {
                for (int at = 0; at < sent.Length; )
                {
                    int piece = Math.Min(sent.Length - at, 1 + at / 2 + round);
                    await client.WriteAsync(sent.AsMemory(at, piece));
                    at += piece;
                }

                byte[] end = new byte[10];
                await client.ReadExactlyAsync(end).AsTask().WaitAsync(TransportRig.Patience);
                Assert.Equal(sent[Length..], end);
                byte[] copy = new byte[Length];
                Marshal.Copy(place, copy, 0, Length);
                Assert.True(copy.AsSpan().SequenceEqual(sent.AsSpan(0, Length)));
                Marshal.Copy(new byte[Length], 0, place, Length);
            }
        }

        Marshal.FreeHGlobal(place);
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task Plain_text_is_distinguished_from_Tls_and_the_connection_closed_without_a_reply(string transport)
    {
        var told = new TaskCompletionSource<Exception?>();
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            async connection =>
                told.SetResult(
                    await Record.ExceptionAsync(() =>
                        TlsConnection.AcceptAsync(connection, ServerOptions(), new TlsOptions(), CancellationToken.None)
                    )
                )
        );
        using Socket client = await rig.ConnectAsync();
        await client.SendAsync("PING\r\n"u8.ToArray());
        Assert.IsType<PlainTextException>(await told.Task.WaitAsync(TransportRig.Patience));
        Assert.Equal(0, await client.ReceiveAsync(new byte[1]).WaitAsync(TransportRig.Patience));
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_handshake_can_be_aborted(string transport)
    {
        using var given = new CancellationTokenSource();
        var told = new TaskCompletionSource<Exception?>();
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            async connection =>
                told.SetResult(
                    await Record.ExceptionAsync(() => TlsConnection.AcceptAsync(connection, ServerOptions(), new TlsOptions(), given.Token))
                )
        );
        using Socket client = await rig.ConnectAsync();
        await client.SendAsync(new byte[] { 22, 3, 1 });
        await given.CancelAsync();
        Assert.IsAssignableFrom<OperationCanceledException>(await told.Task.WaitAsync(TransportRig.Patience));
        await TransportRig.UntilAsync(() => rig.Ended == 1, "the connection to be closed");
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task An_aborted_connection_ends_its_session(string transport)
    {
        await using TransportRig rig = await StartAsync(
            transport,
            async connection =>
            {
                _ = Task.Run(connection.Abort);
                Assert.True((await connection.Transport.Input.ReadAsync()).IsCompleted);
            }
        );
        using SslStream client = await ConnectAsync(rig);
        await TransportRig.UntilAsync(() => rig.Ended == 1, "the session to end");
    }

    private static X509Certificate2 MakeCertificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256);
        using X509Certificate2 made = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        return X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12), password: null);
    }

    private static byte[] Bytes(int seed, int length)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    private static async Task AssertEchoAsync(SslStream client, byte[] sent)
    {
        await client.WriteAsync(sent);
        byte[] received = new byte[sent.Length];
        await client.ReadExactlyAsync(received).AsTask().WaitAsync(TransportRig.Patience);
        Assert.True(received.AsSpan().SequenceEqual(sent), $"{sent.Length} bytes came back changed.");
    }

    private static async Task<SslStream> ConnectAsync(TransportRig rig)
    {
        var stream = new SslStream(new NetworkStream(await rig.ConnectAsync(), ownsSocket: true), false, static (_, _, _, _) => true);
        await stream.AuthenticateAsClientAsync("localhost").WaitAsync(TransportRig.Patience);
        return stream;
    }

    private SslServerAuthenticationOptions ServerOptions() =>
        new()
        {
            ServerCertificateContext = SslStreamCertificateContext.Create(_certificate, null, offline: true),
            EnabledSslProtocols = SslProtocols.Tls12 | SslProtocols.Tls13,
        };

    private Task<TransportRig> StartAsync(string transport, Func<ConnectionContext, Task> session, TransportOptions? options = null) =>
        TransportRig.StartAsync(
            transport,
            async connection =>
            {
                await using TlsConnection tls = await TlsConnection.AcceptAsync(
                    connection,
                    ServerOptions(),
                    new TlsOptions(),
                    CancellationToken.None
                );
                Sessions.AssertOnOwner(connection);
                await session(connection);
            },
            options
        );

    private sealed class Releases : ISendOwner
    {
        internal List<nint> Tokens { get; } = [];

        public void Release(nint token) => Tokens.Add(token);
    }
}
