// The transports on which tests run. Stateless.
using Garnet.Network.Epoll;
using Garnet.Network.Sockets;
using Microsoft.Extensions.Logging.Abstractions;

namespace Garnet.Network.Tests;

internal static class Transports
{
    public static TheoryData<string> All => OperatingSystem.IsLinux() ? ["epoll", "sockets"] : ["sockets"];

    public static ITransport Create(string name, TransportOptions? options = null)
    {
        options ??= new TransportOptions { IoThreads = 2 };
        if (name == "sockets")
            return new SocketsTransport(options, NullLoggerFactory.Instance);
        return OperatingSystem.IsLinux()
            ? new EpollTransport(options, NullLoggerFactory.Instance)
            : throw new PlatformNotSupportedException();
    }
}
