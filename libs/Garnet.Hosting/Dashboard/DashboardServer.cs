// A server as its dashboard sees it. Any thread.
using System.Net;
using System.Security.Cryptography;
using System.Text;
using Garnet.Client;
using Garnet.Dashboard;
using Garnet.Dashboard.Figures;
using Garnet.Engine.Execution;
using Garnet.Server.Basics;

namespace Garnet.Hosting.Dashboard;

/// <summary>Connects the dashboard's users as clients whose pipes end in this process.</summary>
/// <param name="server">The server.</param>
/// <param name="log">Its latest log lines.</param>
/// <param name="blocks">Releases large values that were sent.</param>
internal sealed class DashboardServer(GarnetServer server, LogTail log, BlockSendOwner blocks) : IDashboardServer
{
    private readonly Lock _gate = new();
    private readonly HashSet<Task> _serving = [];
    private readonly HashSet<PipeConnection> _open = [];
    private bool _isClosed;

    /// <inheritdoc/>
    public bool RequiresLogin => server.Resp.Users.RequireLogin;

    /// <inheritdoc/>
    public string Version => ServerVersion.Current;

    /// <inheritdoc/>
    public IReadOnlyList<string> LogLines => log.Lines;

    /// <inheritdoc/>
    public string? LoginState(string user)
    {
        if (server.Resp.Users.FindText(user) is not { Rules: { IsOn: true } rules } found)
            return null;
        if (rules.AcceptsAnyPassword)
            return $"{found.Number} nopass";
        string passwords = string.Join(' ', rules.Passwords.Select(static password => password.ToString()).Order(StringComparer.Ordinal));
        return $"{found.Number} {Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(passwords)))}";
    }

    /// <inheritdoc/>
    public OwnCalls OwnCalls { get; } = new();

    /// <inheritdoc/>
    public async ValueTask<RespValue> CallAsync(ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken)
    {
        OwnCalls.Count(arguments);
        try
        {
            string name = Encoding.ASCII.GetString(arguments[0].Span);
            return await server.InProcess.ExecuteAsync(name, arguments[1..], cancellationToken).ConfigureAwait(false);
        }
        catch (GarnetCommandException e)
        {
            return new RespValue { Kind = RespKind.Error, Bytes = Encoding.UTF8.GetBytes(e.Message) };
        }
        // Before the server's start and after its stop no command runs in the process.
        catch (InvalidOperationException e)
        {
            throw new IOException(e.Message, e);
        }
    }

    /// <inheritdoc/>
    public Stream Connect(EndPoint peer, string? user)
    {
        var pipes = new PipeConnection(peer, server.DashboardEndPoints.FirstOrDefault() ?? peer);
        // Behind a proxy a browser's address says nothing about where it is: what only clients of this machine may do, no page may.
        var connection = new ClientConnection(pipes, blocks, user is null ? [] : [user], mayBeLocal: false);
        ClientSession client;
        lock (_gate)
        {
            if (_isClosed)
                throw new IOException("The server stops.");
            _open.Add(pipes);
            (client, Task served) = server.Resp.Connections.ServeAdmitted(pipes.Transport, connection);
            Task serving = CloseAfterAsync(served, pipes);
            _serving.Add(serving);
            _ = serving.ContinueWith(Forget, TaskScheduler.Default);
        }

        if (user is null || IsUser(client, user))
            return pipes.OpenClientEnd();
        pipes.Abort();
        throw new IOException("The user may no longer log in.");
    }

    /// <summary>Ends all connections and lets no more begin; completes when they have ended.</summary>
    public async Task CloseAsync()
    {
        Task[] serving;
        lock (_gate)
        {
            _isClosed = true;
            foreach (PipeConnection pipes in _open)
                pipes.Abort();
            serving = [.. _serving];
        }

        await Task.WhenAll(serving).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    // Between the look at the user and the login of the connection the user may have been deleted; then the connection would be the default
    // user's.
    private bool IsUser(ClientSession client, string user) =>
        client.Login.CurrentUser is { } current && ReferenceEquals(current, server.Resp.Users.FindText(user));

    private async Task CloseAfterAsync(Task served, PipeConnection pipes)
    {
        try
        {
            await served.ConfigureAwait(false);
        }
        finally
        {
            await pipes.DisposeAsync().ConfigureAwait(false);
            lock (_gate)
                _open.Remove(pipes);
        }
    }

    private void Forget(Task serving)
    {
        lock (_gate)
            _serving.Remove(serving);
    }
}
