// Unix socket endpoints: permissions of the file, a stale file, a file in use.
using System.IO.Pipelines;
using System.Net.Sockets;
using System.Text;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Network.Tests;

public sealed class UnixSocketTests : IDisposable
{
    private readonly string _path = Path.Combine(Path.GetTempPath(), $"garnet-{Guid.NewGuid():n}.sock");

    public static TheoryData<string> AllTransports => Transports.All;

    public void Dispose() => File.Delete(_path);

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task The_socket_works_and_its_file_has_its_mode_and_is_removed_with_the_listener(string transport)
    {
        const UnixFileMode Mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupWrite;
        await using (
            TransportRig rig = await TransportRig.StartAsync(
                transport,
                Sessions.EchoAsync,
                new TransportOptions { UnixSocketMode = Mode },
                new UnixDomainSocketEndPoint(_path)
            )
        )
        {
            if (!OperatingSystem.IsWindows())
                Assert.Equal(Mode, File.GetUnixFileMode(_path));
            using Socket client = await rig.ConnectAsync();
            byte[] bytes = new byte[300_000];
            new Random(4).NextBytes(bytes);
            Task<byte[]> receiving = EchoTests.ReceiveAsync(client, bytes.Length);
            await client.SendAsync(bytes);
            byte[] back = await receiving;
            Assert.True(bytes.AsSpan().SequenceEqual(back));
        }
        Assert.False(File.Exists(_path));
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task Data_sent_before_a_disconnection_is_still_read(string transport)
    {
        var received = new TaskCompletionSource<string>();
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            async connection =>
            {
                ReadResult read = await connection.Transport.Input.ReadAsync();
                while (!read.IsCompleted)
                {
                    connection.Transport.Input.AdvanceTo(read.Buffer.Start, read.Buffer.End);
                    read = await connection.Transport.Input.ReadAsync();
                }
                received.SetResult(Encoding.ASCII.GetString(read.Buffer.FirstSpan));
            },
            endPoint: new UnixDomainSocketEndPoint(_path)
        );
        Socket client = await rig.ConnectAsync();
        await client.SendAsync("last words"u8.ToArray());
        client.Dispose();
        Assert.Equal("last words", await received.Task.WaitAsync(TransportRig.Patience));
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_file_left_behind_is_replaced(string transport)
    {
        using (var dead = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified))
        {
            dead.Bind(new UnixDomainSocketEndPoint(_path));
            // The runtime deletes the file together with the socket, so a copy of the name is kept.
            File.Move(_path, _path + ".kept");
        }
        File.Move(_path + ".kept", _path);
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            Sessions.EchoAsync,
            endPoint: new UnixDomainSocketEndPoint(_path)
        );
        using Socket client = await rig.ConnectAsync();
        await client.SendAsync(new byte[2]);
        await EchoTests.ReceiveAsync(client, 2);
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_socket_in_use_is_left_alone(string transport)
    {
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            Sessions.EchoAsync,
            endPoint: new UnixDomainSocketEndPoint(_path)
        );
        await using ITransport second = Transports.Create(transport);
        await Assert.ThrowsAsync<AddressInUseException>(async () => await second.BindAsync(new UnixDomainSocketEndPoint(_path)));
        using Socket client = await rig.ConnectAsync();
        await client.SendAsync(new byte[2]);
        await EchoTests.ReceiveAsync(client, 2);
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task An_ordinary_file_of_that_name_is_left_alone(string transport)
    {
        await File.WriteAllTextAsync(_path, "precious");
        await using ITransport made = Transports.Create(transport);
        await Assert.ThrowsAsync<AddressInUseException>(async () => await made.BindAsync(new UnixDomainSocketEndPoint(_path)));
        Assert.Equal("precious", await File.ReadAllTextAsync(_path));
    }
}
