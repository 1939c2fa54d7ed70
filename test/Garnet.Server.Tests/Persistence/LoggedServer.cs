// A server in the test process with an append-only log in its own folder. Used by one test.
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;
using Garnet.Server.Composition;
using Garnet.Server.Replication;
using Garnet.Server.Tests.Commands;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Persistence;

/// <summary>Starts, stops and restarts a server whose data is restored from the log.</summary>
internal sealed class LoggedServer : IDisposable
{
    // Only a hang takes this long. A save's thread gets a tenth of the share of others: on a machine that runs thirty of them, a save may
    // take half a minute.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    /// <summary>After this time what failed is tried again: every ten seconds.</summary>
    public const int RetryMs = 11_000;

    private readonly Action<GarnetOptions> _configure;
    private readonly ServerExtensions? _extensions;
    private readonly IDisk? _disk;
    private readonly IServerConnector? _connector;

    /// <param name="configure">Changes options before each start.</param>
    /// <param name="startsOn">Whether the log is on.</param>
    /// <param name="extensions">Types of the application.</param>
    /// <param name="disk">Where snapshots go, those of the log too; the file system when null.</param>
    /// <param name="connector">Opens connections to a primary; there is no network when null.</param>
    public LoggedServer(
        Action<GarnetOptions>? configure = null,
        bool startsOn = true,
        ServerExtensions? extensions = null,
        IDisk? disk = null,
        IServerConnector? connector = null
    )
    {
        _connector = connector;
        _extensions = extensions;
        _disk = disk;
        Dir = Directory.CreateTempSubdirectory("garnet-log-").FullName;
        _configure = options =>
        {
            options.Dir = Dir;
            options.AppendOnly = startsOn;
            options.AppendFsync = AppendFsync.Always;
            configure?.Invoke(options);
        };
        Start();
    }

    public string Dir { get; }

    public TroubledLogFolder Folder { get; private set; } = null!;

    /// <summary>Names of the log's snapshots and segments.</summary>
    public IEnumerable<string> LogFiles =>
        Folder.List().Where(static name => !name.StartsWith('.') && !name.EndsWith(".manifest", StringComparison.Ordinal));

    public InProcessServer Server { get; private set; } = null!;

    /// <summary>Error number for writes and reservations in folders opened from now on.</summary>
    public int FutureWriteError { get; set; }

    /// <summary>Called when the server is about to open its folder, by the thread that does.</summary>
    public Action? WhenFolderOpens { get; set; }

    public InProcessClient Client => Server.Client;

    /// <summary>Stops the server and starts it again.</summary>
    public void Restart(Action<GarnetOptions>? change = null)
    {
        Server.Dispose();
        Start(change);
    }

    /// <summary>Starts a stopped server, with the clock at the given time unless that is 0.</summary>
    public void RestartAt(long nowMs) => Start(nowMs: nowMs);

    /// <summary>Calls a command and waits for its reply, which may be held back.</summary>
    public string Call(params string[] arguments) => Call(Client, arguments);

    /// <inheritdoc cref="Call(string[])"/>
    public static string Call(InProcessClient client, params string[] arguments)
    {
        client.Send(InProcessClient.Request(arguments));
        return Await(client);
    }

    /// <inheritdoc cref="Later.ReceiveUntilReady"/>
    public static string Await(InProcessClient client) => Later.ReceiveUntilReady(client);

    /// <summary>Waits until a condition holds.</summary>
    public static void Await(Func<bool> condition) => Assert.True(SpinWait.SpinUntil(condition, Patience));

    /// <inheritdoc cref="InProcessServer.AwaitInTime"/>
    public void AwaitInTime(Func<bool> condition, int stepMs = 100) => Server.AwaitInTime(condition, stepMs);

    public void Dispose()
    {
        Server.Dispose();
        Directory.Delete(Dir, recursive: true);
    }

    private void Start(Action<GarnetOptions>? change = null, long nowMs = 0)
    {
        Server = new InProcessServer(
            options =>
            {
                _configure(options);
                change?.Invoke(options);
            },
            disk: _disk,
            folders: path =>
            {
                WhenFolderOpens?.Invoke();
                return Folder = new TroubledLogFolder(path) { DeleteError = Folder?.DeleteError ?? 0, WriteError = FutureWriteError };
            },
            extensions: _extensions,
            connector: _connector
        );
        if (nowMs != 0)
            Server.Clock.Advance(TimeSpan.FromMilliseconds(nowMs - Server.NowMs));
        if (Server.Server.Configuration.Current.AppendOnly)
            Server.Server.Persistence.AppendOnly.Load(Server.Server.Loader.Logs, static (_, _) => { });
        Server.Server.Modules.Open();
    }
}
