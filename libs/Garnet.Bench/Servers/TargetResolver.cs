// Turns options into a server to connect to. Stateless; any thread.
using System.Net;
using System.Net.Sockets;
using Garnet.Bench.Options;
using Garnet.Client;

namespace Garnet.Bench.Servers;

/// <summary>Resolves names once, so that no lookup falls into a measurement.</summary>
internal static class TargetResolver
{
    /// <summary>The server of the options.</summary>
    public static Task<IReadOnlyList<ServerTarget>> ResolveAsync(TargetOptions options) =>
        options.UnixSocket is { } path
            ? Task.FromResult<IReadOnlyList<ServerTarget>>([Unix(path, options)])
            : ResolveAsync(options.Host, options.Port, options);

    /// <summary>The server of <c>--against</c>, which has the other options in common with the first.</summary>
    public static Task<IReadOnlyList<ServerTarget>> ResolveAgainstAsync(TargetOptions options)
    {
        string text = options.Against!;
        TargetOptions other = Copy(options);
        if (text.Contains("://", StringComparison.Ordinal))
        {
            // Its scheme says whether there is TLS, whatever the first server has.
            other.UsesTls = false;
            try
            {
                TargetUri.Apply(text, other);
            }
            catch (BenchException e)
            {
                throw new BenchException($"--against: {e.Message}", e);
            }

            return ResolveAsync(other);
        }

        if (!RespEndPoint.TryParse(text, out EndPoint? endPoint))
            throw new BenchException($"--against '{text}' must be host:port, unix:/path or a URI");
        return endPoint switch
        {
            UnixDomainSocketEndPoint unix => Task.FromResult<IReadOnlyList<ServerTarget>>([Unix(unix.ToString(), other)]),
            IPEndPoint address => ResolveAsync(address.Address.ToString(), address.Port, other),
            DnsEndPoint name => ResolveAsync(name.Host, name.Port, other),
            _ => throw new InvalidOperationException(endPoint.GetType().Name),
        };
    }

    private static ServerTarget Unix(string path, TargetOptions options)
    {
        try
        {
            return new ServerTarget(path, new UnixDomainSocketEndPoint(path), Tls(options, "localhost"), options);
        }
        catch (ArgumentException e)
        {
            throw new BenchException($"'{path}' cannot be a Unix socket: {e.Message.ReplaceLineEndings(" ")}", e);
        }
    }

    private static async Task<IReadOnlyList<ServerTarget>> ResolveAsync(string host, int port, TargetOptions options)
    {
        using var limit = new CancellationTokenSource(options.ConnectTimeout);
        IPAddress[] addresses;
        try
        {
            addresses = await Dns.GetHostAddressesAsync(host, limit.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException or ArgumentException)
        {
            throw new BenchException($"cannot find the host '{host}': {e.Message}", e);
        }

        string name = host.Contains(':', StringComparison.Ordinal) ? $"[{host}]:{port}" : $"{host}:{port}";
        RespTlsOptions? tls = Tls(options, host);
        return addresses.Length > 0
            ? [.. addresses.Select(address => new ServerTarget(name, new IPEndPoint(address, port), tls, options))]
            : throw new BenchException($"the host '{host}' has no address");
    }

    // The name that the certificate is for is the one that was given, not the address that was found.
    private static RespTlsOptions? Tls(TargetOptions options, string host) =>
        options.UsesTls
            ? new RespTlsOptions
            {
                HostName = options.Tls.HostName ?? host,
                AuthorityFile = options.Tls.AuthorityFile,
                CertificateFile = options.Tls.CertificateFile,
                KeyFile = options.Tls.KeyFile,
                Configure = options.SkipsVerification ? TlsHandshake.AcceptAny : null,
            }
            : null;

    private static TargetOptions Copy(TargetOptions options)
    {
        var copy = new TargetOptions
        {
            Port = 6379,
            User = options.User,
            Password = options.Password,
            Database = options.Database,
            UsesTls = options.UsesTls,
            SkipsVerification = options.SkipsVerification,
            UsesResp3 = options.UsesResp3,
            ConnectTimeout = options.ConnectTimeout,
            ReplyTimeout = options.ReplyTimeout,
        };
        copy.Tls.HostName = options.Tls.HostName;
        copy.Tls.AuthorityFile = options.Tls.AuthorityFile;
        copy.Tls.CertificateFile = options.Tls.CertificateFile;
        copy.Tls.KeyFile = options.Tls.KeyFile;
        return copy;
    }
}
