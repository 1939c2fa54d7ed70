// Derives the options of the libraries (store, network, persistence) from the server's, in this one place. Pure functions, any thread.
using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using Garnet.Network;
using Garnet.Network.Epoll;
using Garnet.Network.Loops;
using Garnet.Network.Sockets;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Hosting;

/// <summary>The options of each library.</summary>
internal static class LibraryOptions
{
    public static StoreOptions Store(GarnetOptions options) =>
        new()
        {
            Databases = options.Databases,
            MaxMemoryBytes = options.MaxMemoryBytes,
            HashSeed = options.HashSeed.Length == 0 ? null : Seed(options.HashSeed),
        };

    public static ITransport Transport(GarnetOptions options, ILoggerFactory loggers)
    {
        var transport = new TransportOptions
        {
            IoThreads = options.IoThreads,
            Backlog = options.TcpBacklog,
            TcpKeepAliveSeconds = options.TcpKeepAliveSeconds,
            UnixSocketMode =
                options.UnixSocketPermissions == 0 || HostSystem.IsWindows ? null : (UnixFileMode)options.UnixSocketPermissions,
            UnixSocketGroup = options.UnixSocketGroup.Length == 0 ? null : Group(options.UnixSocketGroup),
        };
        return options.Transport switch
        {
            TransportKind.Epoll when HostSystem.IsLinux => new EpollTransport(transport, loggers),
            TransportKind.Sockets => new SocketsTransport(transport, loggers),
            _ => throw new OptionException("transport epoll: only Linux has it (allowed here: sockets)"),
        };
    }

    // The same text has the same seed on every machine.
    private static ulong Seed(string text) => BinaryPrimitives.ReadUInt64LittleEndian(SHA256.HashData(Encoding.UTF8.GetBytes(text)));

    private static uint Group(string name) =>
        HostSystem.IsWindows ? throw new OptionException("unixsocketgroup: Windows has no groups of files (allowed here: \"\")")
        : SystemGroup.Find(name) is { } group ? group
        : throw new OptionException($"unixsocketgroup {name}: this system has no such group");
}
