// What the commands of a connection have changed about it. One thread.
namespace Garnet.Cli.Connection;

/// <summary>What the prompt shows, and what decides how the next reply is read.</summary>
internal sealed class SessionState
{
    private int _databaseBeforeTransaction;
    private long _channels;
    private long _shardChannels;

    /// <summary>The selected database.</summary>
    public int Database { get; set; }

    /// <summary>Whether MULTI was sent, and neither EXEC nor DISCARD since.</summary>
    public bool IsInTransaction { get; private set; }

    /// <summary>Whether messages of channels may arrive.</summary>
    public bool IsSubscribed { get; private set; }

    /// <summary>Whether the connection speaks RESP3.</summary>
    public bool IsResp3 { get; set; }

    /// <summary>MULTI was accepted.</summary>
    public void BeginTransaction()
    {
        IsInTransaction = true;
        _databaseBeforeTransaction = Database;
    }

    /// <summary>EXEC or DISCARD ended the transaction.</summary>
    /// <param name="hasTakenEffect">Whether its commands, which may have been SELECT, ran.</param>
    public void EndTransaction(bool hasTakenEffect)
    {
        if (IsInTransaction && !hasTakenEffect)
            Database = _databaseBeforeTransaction;
        IsInTransaction = false;
    }

    /// <summary>A subscription began or ended.</summary>
    /// <param name="isSharded">Whether it is to shard channels.</param>
    /// <param name="count">The number of subscriptions of its kind that remain.</param>
    public void SetSubscriptions(bool isSharded, long count)
    {
        if (isSharded)
            _shardChannels = count;
        else
            _channels = count;
        IsSubscribed = _channels + _shardChannels > 0;
    }

    /// <summary>RESET, or a new connection.</summary>
    public void Reset()
    {
        Database = 0;
        IsInTransaction = false;
        IsSubscribed = false;
        IsResp3 = false;
        _channels = _shardChannels = 0;
    }
}
