// What a user may see. Any thread.
using Garnet.Client;

namespace Garnet.Dashboard.Panels;

/// <summary>
/// Asks before a command runs, by ACL DRYRUN, so that a page which a user may not see in full leaves no denials in the log.
/// </summary>
internal static class Rights
{
    /// <summary>Why a user may not run a command; null when it may.</summary>
    public static async ValueTask<string?> MissingAsync(
        IDashboardServer server,
        string user,
        ReadOnlyMemory<byte>[] command,
        CancellationToken cancellationToken
    )
    {
        ReadOnlyMemory<byte>[] ask = [.. Words.Of("ACL", "DRYRUN", user), .. command];
        RespValue answer = await server.CallAsync(ask, cancellationToken).ConfigureAwait(false);
        return answer.Kind == RespKind.SimpleString ? null
            : answer.IsError ? answer.ErrorMessage
            : answer.AsString();
    }
}
