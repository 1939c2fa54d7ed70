// The options about where the server listens. Stateless; any thread.
namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> about endpoints.</summary>
internal static class EndpointOptions
{
    public static OptionDescriptor[] All() =>
        [
            new IntegerOption("port", static o => o.Port, static (o, v) => o.Port = (int)v, 0, 65535)
            {
                Group = OptionGroup.Network,
                Help = "TCP port; 0 opens no TCP endpoint.",
                Mutability = Mutability.Runtime,
            },
            new ListOption("bind", static o => o.Bind, static (o, v) => o.Bind = v, AddressText.MaxCount)
            {
                Group = OptionGroup.Network,
                Help =
                    "Addresses to listen on: * is every IPv4 address, ::* every IPv6 address; one with a leading - is skipped if this machine lacks it.",
                Check = AddressText.FindProblem,
                Mutability = Mutability.Runtime,
            },
            new StringOption("unixsocket", static o => o.UnixSocket, static (o, v) => o.UnixSocket = v)
            {
                Group = OptionGroup.Network,
                Help = "Path of a Unix socket to listen on.",
                EmptyIsAbsent = true,
            },
            new IntegerOption(
                "unixsocketperm",
                static o => o.UnixSocketPermissions,
                static (o, v) => o.UnixSocketPermissions = (int)v,
                0,
                0x1FF
            )
            {
                Group = OptionGroup.Network,
                Help = "File mode of the Unix socket, in octal; 0 leaves it to the umask.",
                Octal = true,
            },
            new StringOption("unixsocketgroup", static o => o.UnixSocketGroup, static (o, v) => o.UnixSocketGroup = v)
            {
                Group = OptionGroup.Network,
                Help = "Group that owns the Unix socket.",
                EmptyIsAbsent = true,
            },
            new IntegerOption("tcp-backlog", static o => o.TcpBacklog, static (o, v) => o.TcpBacklog = (int)v, 0, int.MaxValue)
            {
                Group = OptionGroup.Network,
                Help = "Length of the queue of connections not yet accepted by the server.",
            },
            new IntegerOption(
                "tcp-keepalive",
                static o => o.TcpKeepAliveSeconds,
                static (o, v) => o.TcpKeepAliveSeconds = (int)v,
                0,
                int.MaxValue
            )
            {
                Property = nameof(GarnetOptions.TcpKeepAlive),
                Unit = TimeSpan.FromSeconds(1),
                Group = OptionGroup.Network,
                Help =
                    "Seconds between probes of a silent peer, capped at 32767 (nine hours). 0 sends none. A change applies to new connections.",
                Mutability = Mutability.Runtime,
            },
            new StringOption("availability-zone", static o => o.AvailabilityZone, static (o, v) => o.AvailabilityZone = v)
            {
                Group = OptionGroup.Network,
                Help = "Zone of the server, reported by HELLO and INFO for clients that prefer a near server.",
                Mutability = Mutability.Runtime,
            },
            new EnumOption<TransportKind>(
                "transport",
                static o => o.Transport,
                static (o, v) => o.Transport = v,
                [("epoll", TransportKind.Epoll), ("sockets", TransportKind.Sockets)]
            )
            {
                Group = OptionGroup.Network,
                Help = "Transport: epoll uses dedicated I/O threads (Linux only), sockets the runtime's sockets on its thread pool.",
            },
        ];
}
