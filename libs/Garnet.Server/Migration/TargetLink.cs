// What a MIGRATE says to its target, and what it takes for an answer. Used by one task.
namespace Garnet.Server.Migration;

/// <summary>
/// Takes a connection for the first round and keeps it until the last. A connection that was used before may have been closed by the
/// target meanwhile: if it fails before the first answer, a new one is tried.
/// </summary>
internal sealed class TargetLink(TargetConnections connections, MigrateArguments arguments, TargetPatience patience)
{
    private const string Connecting = "IOERR error or timeout connecting to the client";
    private const string Writing = "IOERR error or timeout writing to target instance";
    private const string Reading = "IOERR error or timeout reading to target instance";
    private const string Unexpected = "IOERR unexpected reply from target instance";

    private TargetConnection? _connection;
    private string _problem = Connecting;

    /// <summary>Sends a round and notes which keys have arrived. A failure is noted too; nothing is thrown.</summary>
    public async Task ExchangeAsync(KeyTransfer transfer)
    {
        _connection ??= connections.TryTake(arguments.Target);
        bool isDone = false;
        while (!isDone)
        {
            bool mayRetry = _connection is { IsReused: true };
            try
            {
                if (await TryPrepareAsync(transfer).ConfigureAwait(false))
                    await SendAsync(transfer).ConfigureAwait(false);
                isDone = true;
            }
            catch (IOException) when (mayRetry && _connection!.IsReused)
            {
                Drop();
            }
            catch (Exception e) when (e is IOException or OperationCanceledException)
            {
                Drop();
                transfer.Fail(_problem);
                isDone = true;
            }
        }

        patience.Suspend();
    }

    /// <summary>Ends the work; the connection may be used by the next command.</summary>
    public void End(bool hasFailed)
    {
        if (_connection is { IsInStep: true } && !hasFailed)
            connections.Return(arguments.Target, _connection);
        else
            Drop();
    }

    // The answers are awaited before a key is sent: it must not get into the wrong database.
    private async Task<bool> TryPrepareAsync(KeyTransfer transfer)
    {
        if (_connection is null)
        {
            _problem = Connecting;
            patience.Renew();
            _connection = await connections.OpenAsync(arguments.Target, patience.Token).ConfigureAwait(false);
        }

        if (!_connection.IsLoggedIn && arguments.Target.Password is { } password)
        {
            string[] words = arguments.Target.User is { } user ? ["AUTH", user, password] : ["AUTH", password];
            if (!await TryCallAsync(transfer, words).ConfigureAwait(false))
                return false;
            _connection.IsLoggedIn = true;
        }

        if (_connection.Database == arguments.Database)
            return true;
        if (!await TryCallAsync(transfer, "SELECT", $"{arguments.Database}").ConfigureAwait(false))
            return false;
        _connection.Database = arguments.Database;
        return true;
    }

    private async Task<bool> TryCallAsync(KeyTransfer transfer, params string[] words)
    {
        _problem = Writing;
        await _connection!.SendAsync(TargetRequest.Of(words), patience).ConfigureAwait(false);
        string answer = await ReadAsync().ConfigureAwait(false);
        if (answer == "+OK")
            return true;
        if (!answer.StartsWith('-'))
            throw new IOException(answer);
        transfer.OnTargetError(answer[1..]);
        transfer.Fail("");
        return false;
    }

    private async Task SendAsync(KeyTransfer transfer)
    {
        _problem = Writing;
        await _connection!.SendAsync(transfer.Requests, patience).ConfigureAwait(false);
        foreach (MigratedKey key in transfer.Round)
        {
            string answer = await ReadAsync().ConfigureAwait(false);
            if (answer == "+OK")
                key.IsAccepted = true;
            else if (answer.StartsWith('-'))
                transfer.OnTargetError(answer[1..]);
            else
                throw new IOException(answer);
        }
    }

    private async ValueTask<string> ReadAsync()
    {
        _problem = Reading;
        string answer = await _connection!.ReadLineAsync(patience).ConfigureAwait(false);
        _connection.IsReused = false;
        _problem = Unexpected;
        return answer;
    }

    private void Drop()
    {
        _connection?.Dispose();
        _connection = null;
    }
}
