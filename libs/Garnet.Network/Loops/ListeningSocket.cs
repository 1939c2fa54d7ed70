// A bound and listening socket: TCP, or a Unix socket whose file it owns. Created by one caller; not thread-safe.
using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.Win32.SafeHandles;

namespace Garnet.Network.Loops;

internal sealed class ListeningSocket : IDisposable
{
    private readonly string? _path;

    private ListeningSocket(Socket socket, EndPoint endPoint, string? path)
    {
        Socket = socket;
        EndPoint = endPoint;
        _path = path;
    }

    internal Socket Socket { get; }

    /// <summary>The listening address, with the port chosen by the kernel.</summary>
    internal EndPoint EndPoint { get; }

    internal bool IsTcp => _path is null;

    /// <exception cref="AddressInUseException">Another process listens there; the exception type that Kestrel expects.</exception>
    /// <exception cref="SocketException">The address cannot be bound for another reason.</exception>
    internal static ListeningSocket Open(EndPoint endPoint, TransportOptions options)
    {
        try
        {
            return endPoint switch
            {
                UnixDomainSocketEndPoint unix => OpenUnix(unix, options),
                IPEndPoint ip => OpenTcp(ip, options),
                _ => throw new NotSupportedException($"Cannot listen on {endPoint}: neither an IP address nor a Unix socket."),
            };
        }
        catch (SocketException failure) when (failure.SocketErrorCode == SocketError.AddressAlreadyInUse)
        {
            throw new AddressInUseException(failure.Message, failure);
        }
    }

    public void Dispose()
    {
        // Also unlinks the file of a Unix socket: the runtime remembers what it bound.
        Socket.Dispose();
        if (_path is null)
            return;
        try
        {
            File.Delete(_path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The folder is gone, and the file with it, or may no longer be changed: then the next server replaces the file.
        }
    }

    private static ListeningSocket OpenTcp(IPEndPoint endPoint, TransportOptions options)
    {
        var socket = new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            if (endPoint.AddressFamily == AddressFamily.InterNetworkV6)
                socket.DualMode = options.DualMode;
            socket.Bind(endPoint);
            socket.Listen(options.Backlog);
            return new ListeningSocket(socket, socket.LocalEndPoint!, path: null);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static ListeningSocket OpenUnix(UnixDomainSocketEndPoint endPoint, TransportOptions options)
    {
        string path = endPoint.ToString()!;
        RemoveStale(endPoint, path);
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            socket.Bind(endPoint);
            // The group first: the mode may admit it.
            if (options.UnixSocketGroup is { } group && !OperatingSystem.IsWindows())
                SystemGroup.Give(path, group);
            // Before Listen: no client can connect until then, so none connects under the wrong permissions.
            if (options.UnixSocketMode is { } mode && !OperatingSystem.IsWindows())
                File.SetUnixFileMode(path, mode);
            socket.Listen(options.Backlog);
            return new ListeningSocket(socket, endPoint, path);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    // A server that crashed leaves its file behind. If the socket accepts a connection, the address is in use.
    private static void RemoveStale(UnixDomainSocketEndPoint endPoint, string path)
    {
        if (!File.Exists(path))
            return;
        if (IsOrdinaryFile(path, out bool isEmpty) && !isEmpty)
            throw new SocketException((int)SocketError.AddressAlreadyInUse);
        if (isEmpty)
        {
            File.Delete(path);
            return;
        }

        using var probe = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            probe.Connect(endPoint);
        }
        catch (SocketException refused) when (refused.SocketErrorCode == SocketError.ConnectionRefused)
        {
            File.Delete(path);
            return;
        }
        throw new SocketException((int)SocketError.AddressAlreadyInUse);
    }

    // Connecting to an ordinary file is refused too, and such a file must not be deleted, unless there is nothing in it, as when a script
    // has made it beforehand; opening a socket's file fails.
    private static bool IsOrdinaryFile(string path, out bool isEmpty)
    {
        isEmpty = false;
        try
        {
            using SafeFileHandle file = File.OpenHandle(path);
            isEmpty = RandomAccess.GetLength(file) == 0;
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }
}
