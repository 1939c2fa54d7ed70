// Runs a user's commands, over a connection that is opened when one is needed. Any thread; commands run one after another.
using System.Net;
using Garnet.Client;
using Garnet.Dashboard.Http;
using Garnet.Dashboard.Panels;

namespace Garnet.Dashboard.Login;

/// <summary>
/// A client of the server like any other: what the user's rules deny is denied, CLIENT LIST shows it with the browser's address, and CLIENT
/// KILL or ACL DELUSER ends it. A connection that was closed, or whose reply is too large to show, is replaced by the next command.
/// </summary>
internal sealed class UserConnection(IDashboardServer server, EndPoint peer, string user) : IAsyncDisposable
{
    /// <summary>The largest string in a reply, in bytes.</summary>
    public const int MaxBulkBytes = 4 * 1024 * 1024;

    // What a reply takes here while it is written for the page is several times as much.
    private const long MaxReplyBytes = 8 * 1024 * 1024;
    private const int MaxElements = 100_000;

    // While a reply comes its bytes are in a buffer that doubles, and then in the values as well.
    private const long BufferMultiple = 3;

    // What a value takes besides its bytes, about.
    private const long ValueBytes = 100;

    /// <summary>How long a command may take.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private static readonly ReplyLimits Limits = new()
    {
        MaxBulkBytes = MaxBulkBytes,
        MaxLineBytes = 64 * 1024,
        MaxElements = MaxElements,
        MaxReplyBytes = MaxReplyBytes,
    };

    private readonly SemaphoreSlim _turn = new(1);
    private readonly CancellationTokenSource _ending = new();
    private RespClient? _client;
    private int _database;

    /// <summary>
    /// As <see cref="CallAsync"/>, once the server has said that the user may: what it may not do is answered with an error, and leaves no
    /// denial in ACL LOG, as nobody has tried anything.
    /// </summary>
    public async Task<RespValue> AskAsync(int database, ReadOnlyMemory<byte>[] command, RequestMemory memory)
    {
        string? missing = await Rights.MissingAsync(server, user, command, memory.Aborted).ConfigureAwait(false);
        return missing is null
            ? await CallAsync(database, command, memory).ConfigureAwait(false)
            : new RespValue { Kind = RespKind.Error, Bytes = Words.Bytes($"NOPERM {missing}") };
    }

    /// <summary>Runs a command of the page's own, which the charts leave out; otherwise as <see cref="RunAsync"/>.</summary>
    public Task<RespValue> CallAsync(int database, ReadOnlyMemory<byte>[] command, RequestMemory memory)
    {
        server.OwnCalls.Count(command);
        return RunAsync(database, command, memory);
    }

    /// <summary>Runs a command in a database; an error is a reply.</summary>
    /// <exception cref="IOException">The connection cannot be opened, or it ended before the reply came.</exception>
    /// <exception cref="RespProtocolException">The reply is larger than can be shown.</exception>
    /// <exception cref="OperationCanceledException">The reply took too long, or the browser has gone.</exception>
    /// <exception cref="OutOfMemoryShareException">The session's requests have too many bytes already.</exception>
    public async Task<RespValue> RunAsync(int database, ReadOnlyMemory<byte>[] command, RequestMemory memory)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(memory.Aborted, _ending.Token);
        end.CancelAfter(Patience);
        try
        {
            await _turn.WaitAsync(end.Token).ConfigureAwait(false);
            try
            {
                return await RunInTurnAsync(database, command, memory, end.Token).ConfigureAwait(false);
            }
            finally
            {
                _turn.Release();
            }
        }
        catch (OperationCanceledException e) when (_ending.IsCancellationRequested)
        {
            throw new IOException("The session has ended.", e);
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        // A command that runs is given up, and closes the connection that it uses; nobody else may, as its buffer is a lent one.
        await _ending.CancelAsync().ConfigureAwait(false);
        await _turn.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        await CloseAsync().ConfigureAwait(false);
        _turn.Release();
    }

    private async Task<RespValue> RunInTurnAsync(
        int database,
        ReadOnlyMemory<byte>[] command,
        RequestMemory memory,
        CancellationToken cancellationToken
    )
    {
        long received = 0;
        bool isWhole = false;
        RespClient? client = null;
        try
        {
            client = _client ?? await OpenAsync(cancellationToken).ConfigureAwait(false);
            client.Received = Count;
            RespValue reply =
                await SelectAsync(client, database, cancellationToken).ConfigureAwait(false)
                ?? await client.TryCallAsync(command, cancellationToken).ConfigureAwait(false);
            memory.Take(ValueBytes * CountOf(reply));
            isWhole = true;
            return reply;
        }
        finally
        {
            client?.Received = null;
            if (isWhole)
                client!.TrimBuffers();
            else
                await CloseAsync().ConfigureAwait(false);
            // The buffer has gone; of a whole reply its bytes stay.
            memory.GiveBack(isWhole ? (BufferMultiple - 1) * received : BufferMultiple * received);
        }

        void Count(int bytes)
        {
            memory.Take(BufferMultiple * bytes);
            received += bytes;
        }
    }

    // The server's error where there is no such database.
    private async Task<RespValue?> SelectAsync(RespClient client, int database, CancellationToken cancellationToken)
    {
        if (database == _database)
            return null;
        ReadOnlyMemory<byte>[] select = [Words.Bytes("SELECT"), Words.Bytes(database)];
        server.OwnCalls.Count(select);
        RespValue selected = await client.TryCallAsync(select, cancellationToken).ConfigureAwait(false);
        if (selected.IsError)
            return selected;
        _database = database;
        return null;
    }

    private static long CountOf(RespValue reply) => 1 + reply.Children.Sum(static child => CountOf(child));

    private async Task<RespClient> OpenAsync(CancellationToken cancellationToken)
    {
        var client = new RespClient(server.Connect(peer, user), Limits);
        (_client, _database) = (client, 0);
        // Users need no right for HELLO.
        ReadOnlyMemory<byte>[] hello = Words.Of("HELLO", "3", "SETNAME", "garnet-dashboard");
        server.OwnCalls.Count(hello);
        await client.TryCallAsync(hello, cancellationToken).ConfigureAwait(false);
        return client;
    }

    private async ValueTask CloseAsync()
    {
        RespClient? client = _client;
        _client = null;
        if (client is not null)
            await client.DisposeAsync().ConfigureAwait(false);
    }
}
