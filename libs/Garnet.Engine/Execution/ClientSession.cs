// The state of one client: identity, protocol, database, login, transaction, counters. Written by the thread that serves the client; other
// threads read it for CLIENT LIST.
using Garnet.Engine.Clients;
using Garnet.Engine.Rules;
using Garnet.Store;

namespace Garnet.Engine.Execution;

/// <summary>One connected client.</summary>
internal sealed class ClientSession : IDisposable
{
    // Measured memory of an idle connection: its objects here and in the transport.
    private const long ConnectionBytes = 3 * 1024;

    private readonly Action<ClientSession> _onEnd;
    private ClientLogin _login;
    private ClientNames _names = new();
    private ClientModes _modes;
    private ClientTraffic _traffic;
    private ClientTransactions _transactions;
    private ClientWait _wait;
    private ClientPropagation _propagation;
    private ClientEnd _end;

    internal ClientSession(ClientParts parts, IClientConnection connection, long id)
    {
        _onEnd = parts.OnEnd;
        Executor = parts.Executor;
        Connection = connection;
        Id = id;
        Store = parts.Store.OpenSession();
        Input = new ClientInput(this, parts);
        Output = new ClientOutput(this, parts);
        _login = new ClientLogin(parts.Users);
        ProtocolVersion = parts.Executor.Settings.Protocol;
        _traffic = new ClientTraffic(parts.Clock.NowMs);
        _end = new ClientEnd(this);
        _propagation.Sink = parts.Sink;
    }

    /// <summary>Runs its commands.</summary>
    public Executor Executor { get; }

    /// <summary>The connection.</summary>
    public IClientConnection Connection { get; }

    /// <summary>The client's view of the store; its Database is the selected one.</summary>
    public StoreSession Store { get; }

    /// <summary>Unique, growing client id.</summary>
    public long Id { get; }

    /// <summary>2 or 3.</summary>
    public int ProtocolVersion
    {
        get;
        set
        {
            field = value;
            Output.UpdateRaised();
        }
    }

    /// <summary>Who the client's commands come from.</summary>
    public Origin Origin { get; init; } = Origin.Connection;

    /// <summary>Which user the client is.</summary>
    public ref ClientLogin Login => ref _login;

    /// <summary>The names that the client has given.</summary>
    public ref ClientNames Names => ref _names;

    /// <summary>What the client has switched on and off.</summary>
    public ref ClientModes Modes => ref _modes;

    /// <summary>What the client has sent and received.</summary>
    public ref ClientTraffic Traffic => ref _traffic;

    /// <summary>MULTI, EXEC and WATCH.</summary>
    public ref ClientTransactions Transactions => ref _transactions;

    /// <summary>What the client waits for.</summary>
    public ref ClientWait Wait => ref _wait;

    /// <summary>The effects of the client's current command or transaction.</summary>
    public ref ClientPropagation Propagation => ref _propagation;

    /// <summary>When the connection ends.</summary>
    public ref ClientEnd End => ref _end;

    /// <summary>Requests that are not executed yet.</summary>
    public ClientInput Input { get; }

    /// <summary>Replies and messages that are not sent yet.</summary>
    public ClientOutput Output { get; }

    /// <summary>What the client has subscribed to; null before the first subscription, and again after RESET.</summary>
    public ClientPart? Subscriptions { get; set; }

    /// <summary>What the client tracks; null before its first CLIENT TRACKING ON.</summary>
    public ClientPart? TrackedKeys { get; set; }

    /// <summary>The session loop of this client.</summary>
    public ConnectionSession? Session { get; set; }

    /// <summary>
    /// Memory of this client (CLIENT LIST tot-mem): unfinished requests, queued commands, watched keys, unsent replies and messages, and
    /// the fixed cost of a connection, subscriptions and tracked prefixes.
    /// </summary>
    public long MemoryBytes =>
        ConnectionBytes
        + Input.Bytes
        + _transactions.QueuedBytes
        + (_transactions.Watched?.MemoryBytes ?? 0)
        + Output.UnsentBytes
        + (Subscriptions?.MemoryBytes ?? 0)
        + (TrackedKeys?.MemoryBytes ?? 0);

    /// <inheritdoc/>
    public void Dispose()
    {
        _onEnd(this);
        Output.End();
        _transactions.Reset();
        _transactions.Executed?.Release();
        Input.Release();
        Store.Dispose();
    }
}
