// A whole server in the test's own process: store, commands and sessions, without sockets. Used by one test at a time.
using System.Text;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;
using Garnet.Server.Configuration;
using Garnet.Server.Sessions;
using Garnet.Store;
using Garnet.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Garnet.Server.Tests;

/// <summary>
/// Builds a store and a server over it on a clock that stands still; clients are pipes whose every step runs inline, so that a reply is
/// there when the call returns, and what a command allocates shows on the calling thread.
/// </summary>
internal sealed class InProcessServer : IDisposable
{
    private readonly List<InProcessClient> _clients = [];

    /// <param name="configure">Changes options before the server is built.</param>
    /// <param name="recordEffects">
    /// Gives the store a sink that keeps what is written; without one, commands skip describing their effects.
    /// </param>
    /// <param name="folders">Makes the append-only log's folder of a path; the file system's when null.</param>
    /// <param name="disk">Where snapshots go; the file system when null.</param>
    /// <param name="hashSeed">Seed of the key hash, on which orders depend; a random one when null.</param>
    public InProcessServer(
        Action<GarnetOptions>? configure = null,
        bool recordEffects = false,
        Func<string, ILogFolder>? folders = null,
        IDisk? disk = null,
        ulong? hashSeed = null
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
            Store.Sink = Effects;
        Server = new RespServer(new ServerConfiguration(options), Store, Clock, NullLoggerFactory.Instance, disk, folders);
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

    /// <summary>What was handed to the write sink, when effects are recorded.</summary>
    public RecordingSink Effects { get; } = new();

    /// <summary>A client connected from the start.</summary>
    public InProcessClient Client { get; }

    /// <summary>Connects another client.</summary>
    /// <param name="protocolVersion">2 or 3, as if HELLO had chosen it.</param>
    /// <param name="connection">The connection, when it is to differ from others.</param>
    public InProcessClient Connect(int protocolVersion = 2, InProcessConnection? connection = null)
    {
        InProcessClient client = new(Server, protocolVersion, connection);
        _clients.Add(client);
        return client;
    }

    /// <summary>Calls a command with the first client and gives its reply as it came over the wire, one character a byte.</summary>
    public string Call(params string[] arguments) => Client.Call(arguments);

    /// <summary>Stores a value that is no string under a key.</summary>
    public void PutOtherType(string key)
    {
        using StoreSession session = Store.OpenSession();
        session.EnterBatch();
        byte[] bytes = Encoding.Latin1.GetBytes(key);
        session.Open(bytes, session.Hash(bytes)).Set(RecordType.List, "x"u8, -1);
        session.LeaveBatch();
    }

    /// <summary>Unix milliseconds at which a key expires; -1 when it does not, -2 when there is no such key.</summary>
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
