// Clients on a few keys of a primary that is killed again and again, and replaced by one of its replicas. Run once, by one thread.
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Garnet.EndToEnd.Tests.Faults;
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Replication;

/// <summary>
/// Every operation is a write, and is acknowledged only when WAIT has counted both replicas; so it must be there after a failover. In every
/// fourth window the primary is killed. The operations of each window are checked before the next.
/// </summary>
internal sealed class FailoverHistoryRun : IDisposable
{
    private const int Clients = 8;
    private const int OperationsPerWindow = 4;
    private const int Keys = 4;
    private const int WindowsPerPrimary = 4;
    private const int LongestDelayMs = 30;
    private static readonly string[] Options = ["--repl-diskless-sync-delay", "0", "--save", ""];

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-failover-").FullName;
    private readonly Random _random;
    private readonly int _seed;
    private readonly KeyHistory[] _histories = [.. Enumerable.Range(0, Keys).Select(static _ => new KeyHistory())];
    private readonly List<GarnetProcess> _servers = []; // the first is the primary
    private int _started;
    private int _window;
    private long _ticks;

    public FailoverHistoryRun(int seed)
    {
        _seed = seed;
        _random = new Random(seed);
        for (int i = 0; i < 3; i++)
            _servers.Add(StartServer());
        FollowFirst();
    }

    /// <summary>Operations that were acknowledged.</summary>
    public long Acknowledged { get; private set; }

    /// <summary>Operations that were sent and not acknowledged.</summary>
    public long Unanswered { get; private set; }

    /// <summary>Runs until a number of failovers; returns what is inconsistent, or null.</summary>
    public string? Run(int failovers)
    {
        while (failovers > 0)
        {
            bool kills = ++_window % WindowsPerPrimary == 0;
            if (RunWindow(kills) is { } failure)
                return failure;
            if (!kills)
                continue;
            FailOver();
            failovers--;
        }

        return RunWindow(kills: false);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (GarnetProcess server in _servers)
            server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private string? RunWindow(bool kills)
    {
        GarnetProcess primary = _servers[0];
        Task<List<(int Key, KeyOperation Operation)>>[] clients =
        [
            .. Enumerable
                .Range(0, Clients)
                .Select(client =>
                    Task.Factory.StartNew(
                        () => Serve(primary, client),
                        CancellationToken.None,
                        TaskCreationOptions.LongRunning,
                        TaskScheduler.Default
                    )
                ),
        ];
        if (kills)
        {
            // The moment of the kill is what is varied.
            Thread.Sleep(_random.Next(LongestDelayMs));
            primary.Kill();
        }

        (int Key, KeyOperation Operation)[] all = [.. clients.SelectMany(static client => client.GetAwaiter().GetResult())];
        if (!kills && all.Any(static each => each.Operation.IsUnanswered))
            return $"window {_window}: no answer, though the primary was not killed";
        Unanswered += all.Count(static each => each.Operation.IsUnanswered);
        Acknowledged += all.Count(static each => !each.Operation.IsUnanswered);
        for (int key = 0; key < Keys; key++)
        {
            KeyOperation[] window = [.. all.Where(each => each.Key == key).Select(static each => each.Operation)];
            if (!_histories[key].TryAdvance(window))
                return $"window {_window}, key {key}: nothing explains\n{string.Join('\n', window.OrderBy(static operation => operation.Began))}";
        }

        return null;
    }

    private List<(int Key, KeyOperation Operation)> Serve(GarnetProcess primary, int client)
    {
        List<(int, KeyOperation)> log = [];
        Random random = new(_seed + (_window * Clients) + client);
        try
        {
            using RespExchange connection = primary.Connect();
            for (int i = 0; i < OperationsPerWindow; i++)
            {
                int key = random.Next(Keys);
                string name = random.Next(4) switch
                {
                    0 => "SET",
                    1 => "APPEND",
                    _ => "GETSET",
                };
                string argument = name == "APPEND" ? "x" : string.Create(CultureInfo.InvariantCulture, $"{client}.{_window}.{i}");
                long began = Interlocked.Increment(ref _ticks);
                string? reply = Perform(connection, name, $"key{key}", argument);
                log.Add((key, new KeyOperation(name, argument, reply, began, Interlocked.Increment(ref _ticks))));
                if (reply is null)
                    break;
            }
        }
        catch (SocketException)
        {
            // Killed before the connection was established.
        }

        return log;
    }

    // Null when it was not acknowledged.
    private static string? Perform(RespExchange connection, string name, string key, string argument)
    {
        try
        {
            byte[]? reply = connection.Execute(name, key, argument);
            byte[]? count = reply is null ? null : connection.Execute("WAIT", "2", "0");
            return count is null ? null : Encoding.Latin1.GetString(reply!);
        }
        catch (Exception e) when (e is IOException or SocketException)
        {
            return null;
        }
    }

    private void FailOver()
    {
        _servers[0].Dispose();
        _servers.RemoveAt(0);
        if (_random.Next(2) == 0)
            _servers.Reverse();
        Call(_servers[0], "REPLICAOF", "NO", "ONE");
        _servers.Add(StartServer());
        FollowFirst();
    }

    private void FollowFirst()
    {
        foreach (GarnetProcess replica in _servers.Skip(1))
            Call(replica, "REPLICAOF", _servers[0].EndPoint.ToString()!, "0");
        ReplicationNode.Await(() =>
            _servers
                .Skip(1)
                .All(static replica => Call(replica, "INFO", "replication").Contains("master_link_status:up", StringComparison.Ordinal))
        );
    }

    private GarnetProcess StartServer()
    {
        string folder = Path.Combine(_folder, string.Create(CultureInfo.InvariantCulture, $"{_started++}"));
        Directory.CreateDirectory(folder);
        return GarnetProcess.StartIn(folder, Options);
    }

    private static string Call(GarnetProcess server, params string[] command)
    {
        using RespExchange client = server.Connect();
        return client.ExecuteText(command);
    }
}
