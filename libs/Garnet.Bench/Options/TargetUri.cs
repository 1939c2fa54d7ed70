// Addresses of servers as URIs. Pure functions.
using Garnet.Client;

namespace Garnet.Bench.Options;

/// <summary>Applies a <see cref="ServerUri"/> to the options.</summary>
internal static class TargetUri
{
    /// <summary>Sets what the URI says, and leaves the rest.</summary>
    /// <exception cref="BenchException">It is not such a URI.</exception>
    public static void Apply(string text, TargetOptions target)
    {
        ServerUri uri;
        try
        {
            uri = ServerUri.Parse(text);
        }
        catch (FormatException e)
        {
            throw new BenchException(e.Message, e);
        }

        if (uri.Service is not null)
            throw new BenchException("A Sentinel's service cannot be measured: give the address of one of its servers");
        target.UnixSocket = uri.SocketPath;
        target.Host = uri.Host ?? target.Host;
        target.Port = uri.Port ?? target.Port;
        target.User = uri.User ?? target.User;
        target.Password = uri.Password ?? target.Password;
        target.Database = uri.Database ?? target.Database;
        target.UsesTls |= uri.UsesTls;
    }
}
