// Makes the rooms' own options from the server's, in this one place. Pure functions, any thread.
using Garnet.Network;
using Garnet.Network.Epoll;
using Garnet.Network.Sockets;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Hosting;

/// <summary>What each room gets of a server's options.</summary>
internal static class LibraryOptions
{
    public static StoreOptions Store(GarnetOptions options) =>
        new() { Databases = options.Databases, MaxMemoryBytes = options.MaxMemoryBytes };

    public static ITransport Transport(GarnetOptions options, ILoggerFactory loggers)
    {
        var transport = new TransportOptions
        {
            IoThreads = options.IoThreads,
            Backlog = options.TcpBacklog,
            TcpKeepAliveSeconds = options.TcpKeepAliveSeconds,
            UnixSocketMode =
                options.UnixSocketPermissions == 0 || HostSystem.IsWindows ? null : (UnixFileMode)options.UnixSocketPermissions,
        };
        return options.Transport switch
        {
            TransportKind.Epoll when HostSystem.IsLinux => new EpollTransport(transport, loggers),
            TransportKind.Sockets => new SocketsTransport(transport, loggers),
            _ => throw new OptionException("transport epoll: only Linux has it (allowed here: sockets)"),
        };
    }
}
