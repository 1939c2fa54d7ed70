// Reads redis:// addresses. Pure functions.
using System.Globalization;

namespace Garnet.Bench.Options;

/// <summary>The URIs of redis-cli: <c>redis://user:password@host:port/database</c>; <c>rediss</c> means TLS.</summary>
internal static class TargetUri
{
    /// <summary>Sets what the URI says, and leaves the rest.</summary>
    /// <exception cref="BenchException">It is not such a URI.</exception>
    public static void Apply(string text, TargetOptions target)
    {
        if (!Uri.TryCreate(text, UriKind.Absolute, out Uri? uri) || !IsKnown(uri.Scheme) || uri.Host.Length == 0)
            throw new BenchException("must be a URI such as redis://user:password@host:port/database");
        target.UnixSocket = null;
        target.Host = uri.IdnHost;
        if (!uri.IsDefaultPort)
            target.Port = uri.Port;
        target.UsesTls |= uri.Scheme is "rediss" or "valkeys";
        ApplyUser(uri.UserInfo, target);
        string path = uri.AbsolutePath.Trim('/');
        if (path.Length == 0)
            return;
        if (!int.TryParse(path, NumberStyles.None, CultureInfo.InvariantCulture, out int database))
            throw new BenchException($"must end in the number of a database, not in '{path}'");
        target.Database = database;
    }

    private static bool IsKnown(string scheme) => scheme is "redis" or "rediss" or "valkey" or "valkeys";

    private static void ApplyUser(string information, TargetOptions target)
    {
        if (information.Length == 0)
            return;
        int colon = information.IndexOf(':', StringComparison.Ordinal);
        string user = Uri.UnescapeDataString(colon < 0 ? information : information[..colon]);
        if (user.Length > 0)
            target.User = user;
        if (colon >= 0)
            target.Password = Uri.UnescapeDataString(information[(colon + 1)..]);
    }
}
