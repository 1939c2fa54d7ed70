// A server in the test's process with an append-only log in a folder of its own. Used by one test.
using Garnet.Persistence.AppendLog;
using Garnet.Server.Configuration;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Persistence;

/// <summary>Starts, stops and starts again; the data are what the log brings back.</summary>
internal sealed class LoggedServer : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly Action<GarnetOptions> _configure;

    public LoggedServer(Action<GarnetOptions>? configure = null, bool startsOn = true)
    {
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

    /// <summary>Error number of writes and reservations in folders that are opened from now on.</summary>
    public int FutureWriteError { get; set; }

    public InProcessClient Client => Server.Client;

    /// <summary>Ends the server and starts it again.</summary>
    public void Restart(Action<GarnetOptions>? change = null)
    {
        Server.Dispose();
        Start(change);
    }

    /// <summary>Starts a server that was ended, with the clock at a moment unless that is 0.</summary>
    public void RestartAt(long nowMs) => Start(nowMs: nowMs);

    /// <summary>Calls a command and waits for its reply, which may be held back.</summary>
    public string Call(params string[] arguments) => Call(Client, arguments);

    /// <inheritdoc cref="Call(string[])"/>
    public static string Call(InProcessClient client, params string[] arguments)
    {
        client.Send(InProcessClient.Request(arguments));
        return Await(client);
    }

    /// <summary>Waits for a reply.</summary>
    public static string Await(InProcessClient client)
    {
        string reply = "";
        Assert.True(SpinWait.SpinUntil(() => (reply += client.Receive()).Length > 0 || client.IsClosed, Patience), "no reply came");
        return reply;
    }

    /// <summary>Waits until something is so.</summary>
    public static void Await(Func<bool> condition) => Assert.True(SpinWait.SpinUntil(condition, Patience));

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
            folders: path => Folder = new TroubledLogFolder(path) { DeleteError = Folder?.DeleteError ?? 0, WriteError = FutureWriteError }
        );
        if (nowMs != 0)
            Server.Clock.Advance(TimeSpan.FromMilliseconds(nowMs - Server.NowMs));
        if (Server.Server.Configuration.Current.AppendOnly)
            Server.Server.AppendOnly.Load(static (_, _) => { });
    }
}
