// What the dashboard asks of the server that it shows. Implementations are thread-safe.
using System.Net;
using Garnet.Client;
using Garnet.Dashboard.Figures;

namespace Garnet.Dashboard;

/// <summary>
/// The dashboard knows a server by its commands alone: with all rights for figures that are kept whoever looks, and over connections that
/// are logged in as a user for everything that a user asks for.
/// </summary>
internal interface IDashboardServer
{
    /// <summary>Whether the default user has a password or is off, so that nobody gets in without logging in.</summary>
    bool RequiresLogin { get; }

    /// <summary>The version of the server.</summary>
    string Version { get; }

    /// <summary>The latest lines of the log, the oldest first.</summary>
    IReadOnlyList<string> LogLines { get; }

    /// <summary>
    /// A text that changes when a user's passwords do, and is another one for another user of the same name; null when there is no such
    /// user or it is off. Sessions end with it.
    /// </summary>
    string? LoginState(string user);

    /// <summary>What its dashboards have asked of it.</summary>
    OwnCalls OwnCalls { get; }

    /// <summary>Runs a command with all rights; an error is a reply.</summary>
    /// <exception cref="IOException">The server has not started, or it has stopped.</exception>
    ValueTask<RespValue> CallAsync(ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken);

    /// <summary>Opens a connection as a client's, on which requests and replies are RESP.</summary>
    /// <param name="peer">The browser's address, which CLIENT LIST and ACL LOG show.</param>
    /// <param name="user">A user that has proved who it is; null for a connection that has to log in.</param>
    /// <exception cref="IOException">The user may no longer log in, or the server stops.</exception>
    Stream Connect(EndPoint peer, string? user);
}
