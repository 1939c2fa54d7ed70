// Reads from a replica that see an earlier write at the primary. Stateless; any thread.
using System.Globalization;

namespace Garnet.Client;

/// <summary>
/// Uses INFO alone, so primary and replica may be Garnet, Redis or Valkey. The user needs the permission <c>+info</c>.
/// </summary>
public static class RespReplicationExtensions
{
    private const int FirstPauseMs = 1;
    private const int MaxPauseMs = 50;

    /// <summary>The place of the last write in the history of the primary that the client is connected to.</summary>
    /// <exception cref="InvalidOperationException">The server keeps no history, because it has never had a replica.</exception>
    /// <exception cref="RespProtocolException">The server's answer is an error, or has no such fields.</exception>
    public static Task<ReplicationToken> GetReplicationTokenAsync(this RespClient client, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        return TokenAsync(() => client.TryCallAsync(["INFO", "replication"], cancellationToken));
    }

    /// <inheritdoc cref="GetReplicationTokenAsync(RespClient, CancellationToken)"/>
    public static Task<ReplicationToken> GetReplicationTokenAsync(
        this RespMultiplexer client,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(client);
        return TokenAsync(() => client.TryCallAsync(["INFO", "replication"], cancellationToken));
    }

    /// <summary>Completes when the server that the client is connected to has applied what a token stands for.</summary>
    /// <param name="client">A connection to a replica, or to the primary itself.</param>
    /// <param name="token">From the primary.</param>
    /// <param name="timeout">How long to wait.</param>
    /// <param name="cancellationToken">Ends the wait; the connection is of no further use then.</param>
    /// <exception cref="TimeoutException">The server has not applied it in time.</exception>
    /// <exception cref="InvalidOperationException">The server's data is the result of another history.</exception>
    /// <exception cref="RespProtocolException">The server's answer is an error, or has no such fields.</exception>
    public static Task ReadAfterAsync(
        this RespClient client,
        ReplicationToken token,
        TimeSpan timeout,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(client);
        return WaitAsync(() => client.TryCallAsync(["INFO", "replication"], cancellationToken), token, timeout, cancellationToken);
    }

    /// <inheritdoc cref="ReadAfterAsync(RespClient, ReplicationToken, TimeSpan, CancellationToken)"/>
    public static Task ReadAfterAsync(
        this RespMultiplexer client,
        ReplicationToken token,
        TimeSpan timeout,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(client);
        return WaitAsync(() => client.TryCallAsync(["INFO", "replication"], cancellationToken), token, timeout, cancellationToken);
    }

    private static async Task<ReplicationToken> TokenAsync(Func<Task<RespValue>> ask)
    {
        Dictionary<string, string> fields = Fields(await ask().ConfigureAwait(false));
        if (Text(fields, "repl_backlog_active") == "0")
            throw new InvalidOperationException("The server keeps no history, because no replica has connected to it yet.");
        return new ReplicationToken(Text(fields, "master_replid"), Number(fields, "master_repl_offset"));
    }

    private static async Task WaitAsync(
        Func<Task<RespValue>> ask,
        ReplicationToken token,
        TimeSpan timeout,
        CancellationToken cancellationToken
    )
    {
        var clock = System.Diagnostics.Stopwatch.StartNew();
        for (int pause = FirstPauseMs; ; pause = Math.Min(2 * pause, MaxPauseMs))
        {
            Dictionary<string, string> fields = Fields(await ask().ConfigureAwait(false));
            if (Has(fields, token))
                return;
            if (clock.Elapsed >= timeout)
            {
                throw new TimeoutException(
                    $"The server is at position {Text(fields, "master_repl_offset")} of history {Text(fields, "master_replid")}; {token} was waited for."
                );
            }

            await Task.Delay(pause, cancellationToken).ConfigureAwait(false);
        }
    }

    private static bool Has(Dictionary<string, string> fields, ReplicationToken token)
    {
        bool isReplica = Text(fields, "role") == "slave";
        long applied = Number(fields, isReplica ? "slave_repl_offset" : "master_repl_offset");
        if (token.History.Equals(Text(fields, "master_replid"), StringComparison.OrdinalIgnoreCase))
            return applied >= token.Position;
        // A former history belongs to the data up to where the present one began.
        bool isFormer = token.History.Equals(Text(fields, "master_replid2"), StringComparison.OrdinalIgnoreCase);
        if (isFormer && token.Position < Number(fields, "second_repl_offset"))
            return applied >= token.Position;
        // Until it is connected it may still become a replica with that history.
        if (isReplica && Text(fields, "master_link_status") != "up")
            return false;
        throw new InvalidOperationException(
            $"The server's data is not the result of history {token.History} up to position {token.Position}: its history is {Text(fields, "master_replid")}."
        );
    }

    private static Dictionary<string, string> Fields(RespValue reply)
    {
        if (reply.IsError)
            throw new RespProtocolException($"INFO was refused: {reply}");
        Dictionary<string, string> fields = [];
        foreach (string line in System.Text.Encoding.UTF8.GetString(reply.Bytes.Span).Split("\r\n"))
        {
            int colon = line.IndexOf(':', StringComparison.Ordinal);
            if (colon > 0)
                fields[line[..colon]] = line[(colon + 1)..];
        }

        return fields;
    }

    private static string Text(Dictionary<string, string> fields, string name) =>
        fields.TryGetValue(name, out string? value) ? value : throw new RespProtocolException($"INFO has no field {name}.");

    private static long Number(Dictionary<string, string> fields, string name) =>
        long.TryParse(Text(fields, name), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long value)
            ? value
            : throw new RespProtocolException($"INFO's field {name} is no number.");
}
