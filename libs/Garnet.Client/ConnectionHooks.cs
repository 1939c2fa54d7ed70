// What the owner of a shared connection does besides calls. Set before use, then only read.
namespace Garnet.Client;

/// <summary>The callbacks run on the thread that reads replies, in the order of arrival: they must not wait.</summary>
internal sealed class ConnectionHooks
{
    /// <summary>For a connection without special use.</summary>
    public static readonly ConnectionHooks None = new();

    /// <summary>Commands sent after the login and before any call; one that is refused ends the connection.</summary>
    public IReadOnlyList<string[]> Greeting { get; init; } = [];

    /// <summary>
    /// Channels subscribed to after the greeting, which must have turned on RESP3: there a subscription is confirmed by a push, not by a
    /// reply.
    /// </summary>
    public IReadOnlyList<string> Channels { get; init; } = [];

    /// <summary>Receives pushes.</summary>
    public Action<RespValue>? Pushed { get; init; }

    /// <summary>The connection has ended; called before its calls fail and before another one is opened.</summary>
    public Action? Ended { get; init; }
}
