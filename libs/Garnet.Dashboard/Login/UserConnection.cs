// Runs a user's commands, over a connection that is opened when one is needed. Any thread; commands run one after another.
using System.Globalization;
using System.Net;
using System.Text;
using Garnet.Client;

namespace Garnet.Dashboard.Login;

/// <summary>
/// A client of the server like any other: what the user's rules deny is denied, CLIENT LIST shows it with the browser's address, and CLIENT
/// KILL or ACL DELUSER ends it. A connection that was closed, or whose reply is too large to show, is replaced by the next command.
/// </summary>
internal sealed class UserConnection(IDashboardServer server, EndPoint peer, string user) : IAsyncDisposable
{
    /// <summary>The largest string in a reply, in bytes.</summary>
    public const int MaxBulkBytes = 4 * 1024 * 1024;

    private const int MaxElements = 100_000;

    /// <summary>How long a command may take.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private static readonly ReplyLimits Limits = new()
    {
        MaxBulkBytes = MaxBulkBytes,
        MaxLineBytes = 64 * 1024,
        MaxElements = MaxElements,
    };

    private readonly SemaphoreSlim _turn = new(1);
    private RespClient? _client;
    private int _database;
    private bool _isDisposed;

    /// <summary>Runs a command in a database; an error is a reply.</summary>
    /// <exception cref="IOException">The connection cannot be opened, or it ended before the reply came.</exception>
    /// <exception cref="RespProtocolException">The reply is larger than can be shown.</exception>
    /// <exception cref="OperationCanceledException">The reply took too long, or the caller has cancelled.</exception>
    public async Task<RespValue> CallAsync(int database, ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken)
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(Patience);
        await _turn.WaitAsync(patience.Token).ConfigureAwait(false);
        bool isWhole = false;
        try
        {
            RespClient client = await ClientAsync(patience.Token).ConfigureAwait(false);
            if (database != _database)
            {
                string[] select = ["SELECT", database.ToString(CultureInfo.InvariantCulture)];
                RespValue selected = await client.TryCallAsync(select, patience.Token).ConfigureAwait(false);
                if (selected.IsError)
                {
                    isWhole = true;
                    return selected;
                }

                _database = database;
            }

            RespValue reply = await client.TryCallAsync(arguments, patience.Token).ConfigureAwait(false);
            isWhole = true;
            return reply;
        }
        finally
        {
            if (!isWhole)
                await CloseAsync().ConfigureAwait(false);
            _turn.Release();
        }
    }

    /// <summary>As the other, for text.</summary>
    public Task<RespValue> CallAsync(int database, string[] arguments, CancellationToken cancellationToken) =>
        CallAsync(
            database,
            Array.ConvertAll(arguments, static text => (ReadOnlyMemory<byte>)Encoding.UTF8.GetBytes(text)),
            cancellationToken
        );

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        // A command that runs ends with its connection.
        _isDisposed = true;
        await CloseAsync().ConfigureAwait(false);
    }

    private async Task<RespClient> ClientAsync(CancellationToken cancellationToken)
    {
        if (_client is { } open)
            return open;
        var client = new RespClient(server.Connect(peer, user), Limits);
        _client = client;
        _database = 0;
        if (_isDisposed)
            throw new IOException("The session has ended.");
        // Users need no right for HELLO.
        string[] hello = ["HELLO", "3", "SETNAME", "garnet-dashboard"];
        await client.TryCallAsync(hello, cancellationToken).ConfigureAwait(false);
        return client;
    }

    private async ValueTask CloseAsync()
    {
        if (Interlocked.Exchange(ref _client, null) is { } client)
            await client.DisposeAsync().ConfigureAwait(false);
    }
}
