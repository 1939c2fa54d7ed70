// Both pollers, on real sockets of this machine.
using System.Net;
using System.Net.Sockets;
using Garnet.Network.Polling;
using Garnet.Testing;
using Xunit;

namespace Garnet.Bench.Tests.Load;

public sealed class SocketPollerTests
{
    private const long LongNs = 20_000_000_000;

    [LinuxFact]
    public void Epoll_reports_sockets() => Check(new EpollPoller());

    [Fact]
    public void Select_reports_sockets() => Check(new SelectPoller());

    [LinuxFact]
    public void Epoll_reports_a_peer_that_has_ended() => CheckEnd(new EpollPoller());

    [Fact]
    public void Select_reports_a_peer_that_has_ended() => CheckEnd(new SelectPoller());

    [LinuxFact]
    public void Epoll_forgets_a_socket_that_is_removed() => CheckRemoval(new EpollPoller());

    [Fact]
    public void Select_forgets_a_socket_that_is_removed() => CheckRemoval(new SelectPoller());

    [LinuxFact]
    public void Epoll_waits_for_parts_of_a_millisecond()
    {
        using var poller = new EpollPoller();
        Assert.Equal(0, poller.Wait(new ReadySocket[4], 1));
        Assert.Equal(0, poller.Wait(new ReadySocket[4], 1_500_001));
        Assert.Equal(0, poller.Wait(new ReadySocket[4], 0));
    }

    private static void Check(SocketPoller poller)
    {
        using (poller)
        {
            using var first = new Pair();
            using var second = new Pair();
            poller.Add(first.Client, 7);
            poller.Add(second.Client, 9);
            var ready = new ReadySocket[4];
            Assert.Equal(0, poller.Wait(ready, 0));
            Assert.Equal(PolledSocket.WouldBlock, second.Client.Receive(new byte[8]));

            second.Server.Send("abc"u8);
            Assert.Equal(1, poller.Wait(ready, LongNs));
            Assert.Equal(new ReadySocket(9, CanRead: true, CanWrite: false), ready[0]);
            byte[] buffer = new byte[8];
            Assert.Equal(3, second.Client.Receive(buffer));

            poller.SetWantsWrite(first.Client, 7, wanted: true);
            Assert.Equal(1, poller.Wait(ready, LongNs));
            Assert.Equal(new ReadySocket(7, CanRead: false, CanWrite: true), ready[0]);
            poller.SetWantsWrite(first.Client, 7, wanted: false);
            Assert.Equal(0, poller.Wait(ready, 0));
        }
    }

    private static void CheckEnd(SocketPoller poller)
    {
        using (poller)
        {
            using var pair = new Pair();
            poller.Add(pair.Client, 1);
            pair.Server.Send("abc"u8);
            pair.Server.Shutdown(SocketShutdown.Send);
            byte[] buffer = new byte[8];
            var ready = new ReadySocket[4];
            int received = -1;
            int sum = 0;
            while (received != 0)
            {
                Assert.Equal(1, poller.Wait(ready, LongNs));
                received = pair.Client.Receive(buffer);
                sum += received;
                if (received > 0 && ready[0].HasEnded)
                    received = pair.Client.Receive(buffer);
            }

            Assert.Equal(3, sum);
        }
    }

    // Both are ready, and one is removed when the other has been reported: it is reported no more, and its number belongs to a third.
    private static void CheckRemoval(SocketPoller poller)
    {
        using (poller)
        {
            using var first = new Pair();
            using var second = new Pair();
            using var third = new Pair();
            poller.Add(first.Client, 1);
            poller.Add(second.Client, 2);
            poller.SetWantsWrite(second.Client, 2, wanted: true);
            first.Server.Send("a"u8);
            second.Server.Send("b"u8);
            var ready = new ReadySocket[1];
            Assert.Equal(1, poller.Wait(ready, LongNs));
            Pair removed = ready[0].Id == 1 ? second : first;
            int id = 3 - ready[0].Id;
            Assert.Equal(1, (id == 1 ? second : first).Client.Receive(new byte[8]));
            poller.SetWantsWrite(second.Client, 2, wanted: false);
            poller.Remove(removed.Client);
            Assert.Equal(0, poller.Wait(ready, 0));
            poller.Add(third.Client, id);
            third.Server.Send("c"u8);
            Assert.Equal(1, poller.Wait(ready, LongNs));
            Assert.Equal(new ReadySocket(id, CanRead: true, CanWrite: false), ready[0]);
        }
    }

    private sealed class Pair : IDisposable
    {
        public Pair()
        {
            using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
            listener.Listen();
            var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            client.Connect(listener.LocalEndPoint!);
            Client = new PolledSocket(client);
            Server = listener.Accept();
        }

        public PolledSocket Client { get; }

        public Socket Server { get; }

        public void Dispose()
        {
            Client.Dispose();
            Server.Dispose();
        }
    }
}
