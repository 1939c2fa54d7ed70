// A server to measure, with its address known. Immutable; any thread.
using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using Garnet.Bench.Options;
using Garnet.Client;

namespace Garnet.Bench.Servers;

/// <summary>Where to connect, and how to begin a connection.</summary>
/// <param name="Name">The address for messages and results.</param>
/// <param name="EndPoint">The resolved address.</param>
/// <param name="Tls">TLS settings, or null.</param>
/// <param name="Options">Everything else.</param>
internal sealed record ServerTarget(string Name, EndPoint EndPoint, RespTlsOptions? Tls, TargetOptions Options)
{
    /// <summary>How long a connection may take.</summary>
    public TimeSpan ConnectTimeout => Options.ConnectTimeout;

    /// <summary>How long a reply may take.</summary>
    public TimeSpan ReplyTimeout => Options.ReplyTimeout;

    /// <summary>The commands that each connection begins with.</summary>
    public IReadOnlyList<string[]> Greeting()
    {
        var commands = new List<string[]>();
        if (Options.UsesResp3 && Options.Password is not null)
            commands.Add(["HELLO", "3", "AUTH", Options.User ?? "default", Options.Password]);
        else if (Options.UsesResp3)
            commands.Add(["HELLO", "3"]);
        else if (Options.Password is not null)
            commands.Add(Options.User is null ? ["AUTH", Options.Password] : ["AUTH", Options.User, Options.Password]);
        if (Options.Database != 0)
            commands.Add(["SELECT", Options.Database.ToString(System.Globalization.CultureInfo.InvariantCulture)]);
        return commands;
    }

    /// <summary>The exception for a failure to connect.</summary>
    public BenchException CannotConnect(Exception cause) => new($"cannot connect to {Name}: {Reason(cause)}", cause);

    /// <summary>The exception for something wrong with the server.</summary>
    public BenchException Failed(string what, Exception? cause = null) => new($"{Name}: {what}", cause);

    private string Doubt => Tls is null ? "is the address right?" : "does the server speak TLS on this port?";

    private string Reason(Exception cause) =>
        cause switch
        {
            SocketException when EndPoint is UnixDomainSocketEndPoint path && !File.Exists(path.ToString()) =>
                "there is no such socket; is a server running there?",
            SocketException { SocketErrorCode: SocketError.ConnectionRefused } => "connection refused; is a server running there?",
            SocketException { SocketErrorCode: SocketError.TimedOut } or TimeoutException or OperationCanceledException =>
                $"no answer within {ConnectTimeout.TotalSeconds:0.###} s; {Doubt} --connect-timeout gives it more time",
            SocketException { SocketErrorCode: SocketError.TooManyOpenSockets } =>
                "too many open files; raise the limit (ulimit -n), or take fewer --clients",
            SocketException { SocketErrorCode: SocketError.AddressNotAvailable } =>
                "no local port is free; take fewer --clients, or a Unix socket",
            AuthenticationException => $"TLS: {Inner(cause)} (--cacert names the authority to trust, --insecure trusts any)",
            IOException when Tls is not null => $"TLS: {cause.Message} {Doubt}",
            _ => cause.Message,
        };

    private static string Inner(Exception cause) => cause.InnerException is { } inner ? $"{cause.Message} {inner.Message}" : cause.Message;
}
