// A whole server in the test process: store, commands and sessions, without sockets. Used by one test at a time.
using System.Text;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;
using Garnet.Server.Composition;
using Garnet.Server.Configuration;
using Garnet.Server.Replication;
using Garnet.Server.Tests.Persistence;
using Garnet.Store;
using Garnet.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Garnet.Server.Tests;

/// <summary>
/// Builds a store and a server with a clock that only tests advance. Clients are pipes that run inline, so that a reply has arrived when
/// the call returns, and a command's allocations show on the calling thread. With GARNET_COLD_VALUES=1 every value is on disk before each
/// request.
/// </summary>
internal sealed class InProcessServer : IDisposable
{
    private readonly List<InProcessClient> _clients = [];
    private readonly bool _isCold;

    /// <param name="configure">Changes options before the server is built.</param>
    /// <param name="recordEffects">
    /// Gives the store a sink that records effects; without one, commands do not describe their effects.
    /// </param>
    /// <param name="folders">Creates the append-only log's folder for a path; null for the file system's.</param>
    /// <param name="disk">The disk for snapshots; null for the file system.</param>
    /// <param name="hashSeed">Seed of the key hash, which determines orders; null for a random one.</param>
    /// <param name="file">The configuration file; none when null.</param>
    /// <param name="connector">Opens connections to a primary; there is no network when null.</param>
    /// <param name="extensions">Commands and types added to the server's own.</param>
    public InProcessServer(
        Action<GarnetOptions>? configure = null,
        bool recordEffects = false,
        Func<string, ILogFolder>? folders = null,
        IDisk? disk = null,
        ulong? hashSeed = null,
        ServerExtensions? extensions = null,
        string? file = null,
        IServerConnector? connector = null
    )
    {
        GarnetOptions options = new();
        configure?.Invoke(options);
        Store = new HybridLogStore(
            new StoreOptions
            {
                Databases = options.Databases,
                MaxMemoryBytes = options.MaxMemoryBytes,
                HashSeed = hashSeed,
            },
            Clock
        );
        if (recordEffects)
            Store.Changes.Sink = Effects;
        Server = new RespServer(
            new ServerConfiguration(options, file),
            Store,
            Clock,
            NullLoggerFactory.Instance,
            disk,
            folders,
            extensions,
            connector
        );
        _isCold = ColdServer.IsAsked && !options.AppendOnly && disk is null && folders is null && connector is null;
        if (_isCold)
            ColdServer.Open(Store, Server.Executor.Gates.ColdValues);
        Server.Executor.CheckGates();
        // With a log, the test loads it first.
        if (!options.AppendOnly)
            Server.Modules.Open();
        Client = Connect();
    }

    /// <summary>The clock of the store and the server.</summary>
    public ManualTimeProvider Clock { get; } = new();

    /// <summary>The clock's time in Unix milliseconds.</summary>
    public long NowMs => Clock.GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>The data.</summary>
    public HybridLogStore Store { get; }

    /// <summary>The server.</summary>
    public RespServer Server { get; }

    /// <summary>The recorded effects, if recording is on.</summary>
    public RecordingSink Effects { get; } = new();

    /// <summary>The first client, connected from the start.</summary>
    public InProcessClient Client { get; }

    /// <summary>Connects another client.</summary>
    /// <param name="protocolVersion">2 or 3, as if HELLO had selected it.</param>
    /// <param name="connection">The connection, if it must differ from the default.</param>
    public InProcessClient Connect(int protocolVersion = 2, InProcessConnection? connection = null)
    {
        InProcessClient client = new(Server, protocolVersion, connection)
        {
            BeforeRequests = _isCold ? () => TierSweep.MoveAll(Store) : null,
        };
        _clients.Add(client);
        return client;
    }

    /// <summary>Calls a command with the first client and returns its raw reply, one character per byte.</summary>
    public string Call(params string[] arguments) => Client.Call(arguments);

    /// <summary>Waits until a condition holds, while time passes in steps.</summary>
    public void AwaitInTime(Func<bool> condition, int stepMs = 100) =>
        LoggedServer.Await(() =>
        {
            Clock.Advance(TimeSpan.FromMilliseconds(stepMs));
            if (condition())
                return true;
            // Faster than time does, and not as fast as this thread can ask: what has a time limit must not exceed it only because the
            // thread that works had no turn.
            Thread.Sleep(1);
            return false;
        });

    /// <summary>Stores a value that is not a string.</summary>
    public void PutOtherType(string key)
    {
        using StoreSession session = Store.OpenSession();
        session.EnterBatch();
        byte[] bytes = Encoding.Latin1.GetBytes(key);
        session.Open(bytes, session.Hash(bytes)).Set(RecordType.List, "x"u8, -1);
        session.LeaveBatch();
    }

    /// <summary>Unix milliseconds at which a key expires; -1 if it does not, -2 if it does not exist.</summary>
    public long ExpiryOf(string key)
    {
        using StoreSession session = Store.OpenSession();
        session.EnterBatch();
        byte[] bytes = Encoding.Latin1.GetBytes(key);
        RecordHandle record = session.Open(bytes, session.Hash(bytes));
        long expiry = record.Exists ? record.ExpiresAtMs : -2;
        session.LeaveBatch();
        return expiry;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (InProcessClient client in _clients)
            client.Dispose();
        Server.Dispose();
        Store.Dispose();
    }
}
