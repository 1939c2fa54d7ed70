// The addresses on which a server listens, from its options. Pure except for name look-ups and probes, which may take a while.
using System.Net;
using System.Net.Sockets;
using Garnet.Hosting.Kestrel;

namespace Garnet.Hosting;

/// <summary>Turns <c>bind</c>, <c>port</c>, <c>tls-port</c> and <c>unixsocket</c> into endpoints.</summary>
internal static class ListenAddress
{
    /// <summary>The endpoints to open: TCP's as one group, which may move later, and the Unix socket, if any.</summary>
    /// <param name="options">The settings.</param>
    /// <param name="mayListenNowhere">Whether an empty <c>bind</c> is intended: the server can be reached without a socket.</param>
    /// <exception cref="OptionException">An address cannot be understood, or nothing is left to listen on.</exception>
    public static List<EndPoint> All(GarnetOptions options, bool mayListenNowhere = false)
    {
        List<EndPoint> tcp = Tcp(options);
        bool isMeant = mayListenNowhere && options.Bind.Count == 0;
        if (tcp.Count == 0 && options.UnixSocket.Length == 0 && options.TlsPort == 0 && !isMeant)
            throw new OptionException("nothing to listen on: give a port and an address to bind, or a unixsocket");
        var endpoints = new List<EndPoint> { new EndPointGroup(tcp) };
        if (options.UnixSocket.Length > 0)
            endpoints.Add(UnixSocket(options));
        return endpoints;
    }

    /// <summary>
    /// What <c>bind</c> and <c>port</c> name; addresses are left out that are marked as optional and do not exist on this machine.
    /// </summary>
    /// <exception cref="OptionException">An address cannot be understood.</exception>
    public static List<EndPoint> Tcp(GarnetOptions options) => Tcp("bind", options.Bind, options.Port);

    /// <summary>What <c>bind</c> and <c>tls-port</c> name.</summary>
    /// <inheritdoc cref="Tcp(GarnetOptions)"/>
    public static List<EndPoint> Tls(GarnetOptions options) => Tcp("bind", options.Bind, options.TlsPort);

    /// <summary>What <c>metrics-bind</c> and <c>metrics-port</c> name.</summary>
    /// <inheritdoc cref="Tcp(GarnetOptions)"/>
    public static List<EndPoint> Metrics(GarnetOptions options) => Tcp("metrics-bind", options.MetricsBind, options.MetricsPort);

    /// <summary>What <c>dashboard-bind</c> and <c>dashboard-port</c> name.</summary>
    /// <inheritdoc cref="Tcp(GarnetOptions)"/>
    public static List<EndPoint> Dashboard(GarnetOptions options) => Tcp("dashboard-bind", options.DashboardBind, options.DashboardPort);

    /// <summary>An endpoint as text.</summary>
    public static string Text(EndPoint endpoint) => endpoint is UnixDomainSocketEndPoint unix ? $"unix:{unix}" : endpoint.ToString()!;

    // Without a port nothing is asked of the network.
    private static List<EndPoint> Tcp(string option, IEnumerable<string> words, int port)
    {
        var endpoints = new List<EndPoint>();
        if (port == 0)
            return endpoints;
        foreach (string word in words)
        {
            bool optional = word.StartsWith('-');
            foreach (IPAddress address in Resolve(option, optional ? word[1..] : word, optional))
            {
                if (!optional || Exists(address))
                    endpoints.Add(new IPEndPoint(address, port));
            }
        }

        return endpoints;
    }

    private static IPAddress[] Resolve(string option, string word, bool optional)
    {
        if (word == "*")
            return [IPAddress.Any];
        if (word is "::*" or "::")
            return [IPAddress.IPv6Any];
        if (IPAddress.TryParse(word, out IPAddress? address))
            return [address];
        try
        {
            return Dns.GetHostAddresses(word);
        }
        catch (SocketException e)
        {
            return optional ? [] : throw new OptionException($"{option} {word}: {e.Message}");
        }
    }

    // Whether the machine has the address shows when a socket is bound to it; any port will do.
    private static bool Exists(IPAddress address)
    {
        try
        {
            using var probe = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            probe.Bind(new IPEndPoint(address, 0));
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private static UnixDomainSocketEndPoint UnixSocket(GarnetOptions options)
    {
        string path = Path.GetFullPath(options.UnixSocket, options.Dir);
        try
        {
            return new UnixDomainSocketEndPoint(path);
        }
        catch (ArgumentOutOfRangeException)
        {
            throw new OptionException($"unixsocket {path}: the path is longer than the system allows");
        }
    }
}
