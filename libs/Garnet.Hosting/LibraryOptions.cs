// Derives the options of the libraries (store, network, persistence) from the server's, in this one place. Pure functions, any thread.
using Garnet.Network;
using Garnet.Network.Epoll;
using Garnet.Network.Sockets;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Hosting;

/// <summary>The options of each library.</summary>
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
