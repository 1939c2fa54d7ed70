// The state of one client: identity, protocol, database, authentication, transaction, counters. Written by the thread that serves the
// client; other threads read it for CLIENT LIST.
using Garnet.Server.Acl;
using Garnet.Server.CommandModel;
using Garnet.Server.Messaging;
using Garnet.Server.Transactions;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Sessions;

/// <summary>One connected client.</summary>
internal sealed class ClientSession : IDisposable
{
    private const long MsPerSecond = 1000;

    // Limit on unread replies of an unauthenticated client, whatever the configured limits: a little more than one reply buffer, as in
    // Valkey.
    private const int StrangerOutputBytes = 17 * 1024;

    // Measured memory of an idle connection: its objects here and in the transport.
    private const long ConnectionBytes = 3 * 1024;

    private ClientNames _names = new();
    private ClientModes _modes;
    private ClientTraffic _traffic;
    private ClientPropagation _propagation;
    private volatile bool _closing;
    private bool _hasTransacted;
    private volatile bool _ending;
    private MessageQueue? _messages;
    private int _isAtOutputLimit;
    private long _softLimitSinceMs;
    private long _unauthenticatedBytes;

    internal ClientSession(RespServer server, IClientConnection connection, long id)
    {
        Server = server;
        Connection = connection;
        Id = id;
        Store = server.Store.OpenSession();
        User = server.Users.Default;
        IsAuthenticated = !server.Users.RequireLogin;
        _traffic = new ClientTraffic(server.Clock.NowMs);
    }

    /// <summary>The server.</summary>
    public RespServer Server { get; }

    /// <summary>The connection.</summary>
    public IClientConnection Connection { get; }

    /// <summary>The client's view of the store; its Database is the selected one.</summary>
    public StoreSession Store { get; }

    /// <summary>Unique, growing client id.</summary>
    public long Id { get; }

    /// <summary>2 or 3.</summary>
    public int ProtocolVersion { get; set; } = 2;

    /// <summary>The names that the client has given.</summary>
    public ref ClientNames Names => ref _names;

    /// <summary>What the client has switched on and off.</summary>
    public ref ClientModes Modes => ref _modes;

    /// <summary>What the client has sent and received.</summary>
    public ref ClientTraffic Traffic => ref _traffic;

    /// <summary>The effects of the client's current command or transaction.</summary>
    internal ref ClientPropagation Propagation => ref _propagation;

    /// <summary>True when no password was required when the client connected, or it was given.</summary>
    public bool IsAuthenticated { get; set; }

    /// <summary>
    /// True while the client must still authenticate; a client that has not done so is admitted when the password is removed.
    /// </summary>
    public bool MustAuthenticate => !IsAuthenticated && Server.Users.RequireLogin;

    /// <summary>
    /// The user whose rules apply, the default user before a login; null for callers that may do anything, inside the process.
    /// </summary>
    public User? User { get; internal set; }

    /// <summary>Whether the user's rules have to be checked.</summary>
    internal bool IsRestricted => User is { Rules.AllowEverything: false };

    /// <summary>Logs the client in.</summary>
    public void LogIn(User user)
    {
        User = user;
        IsAuthenticated = true;
    }

    /// <summary>Makes the client a new connection's user again (RESET, or when its user is deleted).</summary>
    public void LogOut(bool mayBeDefault)
    {
        User = Server.Users.Default;
        IsAuthenticated = mayBeDefault && !Server.Users.RequireLogin;
    }

    /// <summary>Determines <see cref="OutputLimit"/>; written by the client's thread.</summary>
    public OutputClass OutputClass
    {
        get;
        set
        {
            Server.Clients.CountClass(field, value);
            field = value;
        }
    }

    /// <summary>The present limit of unsent replies and messages, by the client's class.</summary>
    public OutputBufferLimit OutputLimit => Server.Configuration.Current.ClientOutputBufferLimits.Of(OutputClass);

    /// <summary>CLIENT NO-TOUCH.</summary>
    public bool NoTouch
    {
        get => !Store.Accesses.Touches;
        set => Store.Accesses.Touches = !value;
    }

    /// <summary>The open MULTI, or null.</summary>
    public Transaction? Transaction
    {
        get;
        set
        {
            _hasTransacted |= value is not null;
            field = value;
        }
    }

    /// <summary>The transaction whose commands EXEC is running, or null.</summary>
    public Transaction? Executed { get; internal set; }

    /// <summary>True while EXEC runs the queued commands: nothing may block, and effects are collected into one group.</summary>
    public bool IsExecuting => Executed is not null;

    /// <summary>
    /// Number of commands queued or run by EXEC, zero once a watched key has changed (CLIENT LIST multi); -1 before the first MULTI or
    /// WATCH.
    /// </summary>
    public int QueuedCommands =>
        Watched is { IsTouched: true } ? 0 : (Transaction ?? Executed)?.Count ?? (_hasTransacted || Watched is not null ? 0 : -1);

    /// <summary>Memory of the queue (CLIENT LIST multi-mem).</summary>
    public long QueuedBytes => (Transaction ?? Executed)?.MemoryBytes ?? 0;

    /// <summary>True for the session that replays effects: rules for clients do not apply.</summary>
    public bool IsReplaying { get; init; }

    /// <summary>Whether an option grants its action to this client.</summary>
    public bool IsGranted(CommandAccess access) => access == CommandAccess.Yes || (access == CommandAccess.Local && Connection.IsLocal);

    /// <summary>What the client has subscribed to; null before the first subscription, and again after RESET.</summary>
    internal Subscriber? Subscriber { get; set; }

    /// <summary>True in RESP2 while the client has subscriptions: its replies could not be told from messages.</summary>
    internal bool TakesOnlySubscriptions => OutputClass == OutputClass.PubSub && ProtocolVersion == 2;

    /// <summary>Keys watched, or null before the first WATCH.</summary>
    public WatchedKeys? Watched { get; set; }

    /// <summary>
    /// Bytes received of requests that are not executed yet: in the receive buffer, and the arguments held outside of it.
    /// </summary>
    public long QueryBufferBytes
    {
        get;
        internal set
        {
            field = value;
            Server.ClientMemory.Unauthenticated.Count(this, ref _unauthenticatedBytes, value);
        }
    }

    /// <summary>This client's share of <see cref="Eviction.UnauthenticatedMemory"/>.</summary>
    internal long UnauthenticatedBytes => Volatile.Read(ref _unauthenticatedBytes);

    /// <summary>True while the payload of a large argument is received into its block.</summary>
    internal bool IsReceivingBlock { get; set; }

    /// <summary>
    /// Memory of this client (CLIENT LIST tot-mem): unfinished requests, queued commands, unsent replies and messages, and the fixed cost
    /// of a connection, and subscriptions.
    /// </summary>
    public long MemoryBytes =>
        ConnectionBytes + QueryBufferBytes + QueuedBytes + Connection.UnsentBytes + (Messages?.Bytes ?? 0) + (Subscriber?.MemoryBytes ?? 0);

    /// <summary>
    /// True while the client waits for a pending reply, or CLIENT PAUSE delays its next command, which counts as blocked in Valkey too.
    /// </summary>
    public bool IsBlocked { get; internal set; }

    /// <summary>True while the client's next command is delayed, by a pause or by a snapshot that has no space for old images.</summary>
    public bool IsHeldBack { get; internal set; }

    /// <summary>The client's current wait, so that CLIENT UNBLOCK can find it; null when not blocked.</summary>
    public PendingReply? PendingReply { get; internal set; }

    /// <summary>True when the connection ends after the current reply.</summary>
    public bool CloseAfterReply { get; set; }

    /// <summary>True once the client has been told to close (CLIENT KILL, timeout, limits).</summary>
    public bool IsClosing => _closing;

    /// <summary>The flags of a command for rules that depend on them: for EXEC those of the queued commands.</summary>
    internal CommandFlags FlagsOf(Command command) =>
        command.IsExec && Transaction is { } transaction ? command.Flags | transaction.Flags : command.Flags;

    /// <summary>
    /// Closes the client when its received but not executed data, including MULTI's queue, exceeds client-query-buffer-limit; also enforces
    /// maxmemory-clients. Called by the client's thread whenever that data has grown.
    /// </summary>
    internal bool EndIfTooMuchUnread()
    {
        if (_closing)
            return true;
        GarnetOptions options = Server.Configuration.Current;
        if (QueryBufferBytes + QueuedBytes > options.ClientQueryBufferLimitBytes)
        {
            Server.Statistics.CountQueryBufferDisconnection();
            Server.Log.LogWarning(
                "Client {Id} at {Address} closed: its unfinished request exceeded client-query-buffer-limit",
                Id,
                Connection.RemoteAddress
            );
            Kill();
        }
        else if (options.MaxMemoryClientsBytes != 0)
        {
            Server.ClientMemory.Eviction.RunIfNotable(this, options);
        }

        if (UnauthenticatedBytes != 0)
            Server.ClientMemory.Unauthenticated.EndLargest(options.MaxMemoryUnauthenticatedClientsBytes);

        return _closing;
    }

    /// <summary>
    /// Closes the client when its unsent replies exceed a limit: at once for the hard limit, after a while for the soft one. Called by the
    /// clock, and by the client's thread after a batch.
    /// </summary>
    internal bool EndIfSlow(OutputBufferLimits limits, long nowMs)
    {
        if (_closing || !ExceedsOutputLimit(limits.Of(OutputClass), nowMs))
            return _closing;
        ReportOutputLimit();
        Kill();
        return true;
    }

    private bool ExceedsOutputLimit(OutputBufferLimit limit, long nowMs)
    {
        long unsent = Connection.UnsentBytes + (Messages?.Bytes ?? 0);
        if ((limit.HardBytes > 0 && unsent >= limit.HardBytes) || (unsent > StrangerOutputBytes && MustAuthenticate))
            return true;
        if (limit.SoftBytes == 0 || unsent < limit.SoftBytes)
        {
            _softLimitSinceMs = 0;
            return false;
        }

        if (_softLimitSinceMs == 0)
            _softLimitSinceMs = nowMs;
        return nowMs - _softLimitSinceMs > limit.SoftSeconds * MsPerSecond;
    }

    /// <summary>The session loop of this client.</summary>
    internal RespSession? Session { get; set; }

    /// <summary>Cancelled when the client has disconnected, as far as that can be detected while one of its commands waits.</summary>
    internal CancellationToken Disconnected => Session?.Disconnected ?? Connection.Closed;

    /// <summary>True once the session is to end after answering the requests it has.</summary>
    internal bool IsEnding => _ending;

    /// <summary>Messages from other threads for this client; null when there never were any.</summary>
    internal MessageQueue? Messages => Volatile.Read(ref _messages);

    /// <summary>Lets the session finish its present requests and then end. Any thread.</summary>
    public void EndAfterBatch()
    {
        _ending = true;
        Session?.Wake();
    }

    /// <summary>
    /// Sends bytes to the client between its replies, from any thread and under any latch; they are not copied. What the client's thread
    /// has not written yet counts here, as that thread may be busy for long.
    /// </summary>
    internal void Deliver(byte[] message, ValueBlock payload = default)
    {
        if (_closing)
            return;
        MessageQueue queue = Messages ?? Interlocked.CompareExchange(ref _messages, new MessageQueue(), null) ?? _messages!;
        payload.AddReference();
        if (queue.Add(new QueuedMessage(message, payload)))
            Session?.Wake();
        CloseIfAtOutputLimit();
    }

    /// <summary>Closes the client when its unsent replies and messages have reached the hard limit. Any thread, under any latch.</summary>
    internal void CloseIfAtOutputLimit()
    {
        long limit = OutputLimit.HardBytes;
        if (limit > 0 && Connection.UnsentBytes + (Messages?.Bytes ?? 0) >= limit && Interlocked.Exchange(ref _isAtOutputLimit, 1) == 0)
            CloseAtOutputLimit();
    }

    // The log may wait for a disk, which the caller must not.
    private void CloseAtOutputLimit()
    {
        Kill();
        ThreadPool.UnsafeQueueUserWorkItem(static client => client.ReportOutputLimit(), this, preferLocal: false);
    }

    private void ReportOutputLimit()
    {
        Server.Statistics.CountOutputBufferDisconnection();
        Server.Log.LogWarning(
            "Client {Id} at {Address} closed: its unsent replies exceeded the output buffer limit",
            Id,
            Connection.RemoteAddress
        );
    }

    /// <summary>Ends the connection from any thread.</summary>
    public void Kill()
    {
        _closing = true;
        Server.ClientMemory.Unauthenticated.Forget(ref _unauthenticatedBytes);
        Connection.Abort();
    }

    /// <summary>Discards transaction and watched keys (DISCARD, RESET, end of the connection).</summary>
    public void ResetTransaction()
    {
        Transaction?.Release();
        Transaction = null;
        Watched?.Clear();
    }

    /// <summary>Ends all subscriptions (RESET, end of the connection).</summary>
    public void EndSubscriptions()
    {
        if (Subscriber is null)
            return;
        Server.Messages.Leave(Subscriber);
        Subscriber = null;
        OutputClass = OutputClass.Normal;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Server.Monitors.Remove(this);
        EndSubscriptions();
        Messages?.Close();
        OutputClass = OutputClass.Normal;
        ResetTransaction();
        Executed?.Release();
        Server.ClientMemory.Unauthenticated.Forget(ref _unauthenticatedBytes);
        Store.Dispose();
    }
}
