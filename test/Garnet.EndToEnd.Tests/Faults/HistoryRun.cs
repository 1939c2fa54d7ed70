// Sixteen clients on a few keys of a server that is killed and restarted occasionally. Run once, by one thread; the clients have their own
// threads.
using System.Globalization;
using System.Net.Sockets;
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Faults;

/// <summary>
/// All clients synchronize after every few operations, and the operations since then are checked, key by key. In every thirtieth window the
/// server is killed, so that replies are missing, and it is restarted before the next window.
/// </summary>
internal sealed class HistoryRun : IDisposable
{
    public const int OperationsPerWindow = 3;
    public const int Clients = 16;
    private const int Keys = 6;
    private const int WindowsPerLife = 30;
    private static readonly string[] Logged = ["--appendonly", "yes", "--appendfsync", "always", "--auto-aof-rewrite-min-size", "100kb"];

    private readonly string _folder;
    private readonly int _windows;
    private readonly int _seed;
    private readonly Random _random;
    private readonly KeyHistory[] _histories = [.. Enumerable.Range(0, Keys).Select(_ => new KeyHistory())];
    private readonly List<(int Key, KeyOperation Operation)>[] _logs =
    [
        .. Enumerable.Range(0, Clients).Select(_ => new List<(int, KeyOperation)>()),
    ];
    private readonly RespExchange?[] _connections = new RespExchange?[Clients];
    private readonly Barrier _meeting;
    private GarnetProcess _server;
    private Thread? _killer;
    private int _window;
    private long _ticks;
    private volatile string? _failure;

    public HistoryRun(string folder, int windows, int seed)
    {
        _folder = folder;
        _windows = windows;
        _seed = seed;
        _random = new Random(seed);
        _server = GarnetProcess.StartIn(folder, Logged);
        _meeting = new Barrier(Clients, _ => EndWindow());
    }

    /// <summary>Number of operations with a reply.</summary>
    public long Answered { get; private set; }

    /// <summary>Number of operations without a reply.</summary>
    public long Unanswered { get; private set; }

    /// <summary>Number of kills.</summary>
    public int Kills { get; private set; }

    /// <summary>Runs all windows; returns what is inconsistent, or null.</summary>
    public string? Run()
    {
        Thread[] threads = [.. Enumerable.Range(0, Clients).Select(client => new Thread(() => Serve(client)))];
        foreach (Thread thread in threads)
            thread.Start();
        foreach (Thread thread in threads)
            thread.Join();
        return _failure;
    }

    public void Dispose()
    {
        _meeting.Dispose();
        foreach (RespExchange? connection in _connections)
            connection?.Dispose();
        _server.Dispose();
    }

    private void Serve(int client)
    {
        Random random = new(_seed + client);
        while (_window < _windows && _failure is null)
        {
            try
            {
                RespExchange connection = _connections[client] ??= _server.Connect();
                for (int i = 0; i < OperationsPerWindow; i++)
                {
                    if (!TryPerform(connection, client, random))
                        break;
                }
            }
            catch (SocketException) when (_killer is not null)
            {
                // Killed before the connection was established.
            }
            catch (Exception e)
            {
                _failure = e.ToString();
            }

            _meeting.SignalAndWait();
        }
    }

    // False if the server has ended.
    private bool TryPerform(RespExchange connection, int client, Random random)
    {
        int key = random.Next(Keys);
        string name = random.Next(10) switch
        {
            < 4 => "GET",
            < 6 => "SET",
            6 => "DEL",
            7 => "GETSET",
            _ => "APPEND",
        };
        string argument = name == "APPEND" ? "x" : string.Create(CultureInfo.InvariantCulture, $"{client}.{_window}.{random.Next(100)}");
        long began = Interlocked.Increment(ref _ticks);
        string? reply = null;
        try
        {
            byte[]? bytes = name is "GET" or "DEL"
                ? connection.Execute(name, $"key{key}")
                : connection.Execute(name, $"key{key}", argument);
            reply = bytes is null ? null : System.Text.Encoding.Latin1.GetString(bytes);
        }
        catch (Exception e) when (_killer is not null && e is IOException or SocketException)
        {
            // No answer.
        }

        _logs[client].Add((key, new KeyOperation(name, argument, reply, began, Interlocked.Increment(ref _ticks))));
        return reply is not null;
    }

    // Run by the last client to arrive; the others wait.
    private void EndWindow()
    {
        _failure ??= Explain();
        _window++;
        if (_killer is not null)
            StartAgain();
        if (_failure is null && _window % WindowsPerLife == 0)
        {
            int delayMs = _random.Next(4);
            _killer = new Thread(() =>
            {
                // The moment of the kill is what is varied.
                Thread.Sleep(delayMs);
                _server.Kill();
            });
            _killer.Start();
        }
    }

    private string? Explain()
    {
        (int Key, KeyOperation Operation)[] all = [.. _logs.SelectMany(static log => log)];
        foreach (List<(int, KeyOperation)> log in _logs)
            log.Clear();
        if (_killer is null && all.Any(static each => each.Operation.IsUnanswered))
            return $"window {_window}: no answer, though the server was not killed{Environment.NewLine}{_server.Output}";
        Unanswered += all.Count(static each => each.Operation.IsUnanswered);
        Answered += all.Count(static each => !each.Operation.IsUnanswered);
        for (int key = 0; key < Keys; key++)
        {
            KeyOperation[] window = [.. all.Where(each => each.Key == key).Select(static each => each.Operation)];
            if (!_histories[key].TryAdvance(window))
                return $"window {_window}, key {key}: nothing explains{Environment.NewLine}{string.Join(Environment.NewLine, window.OrderBy(static operation => operation.Began))}";
        }

        return null;
    }

    private void StartAgain()
    {
        _killer!.Join();
        _killer = null;
        Kills++;
        for (int client = 0; client < Clients; client++)
        {
            _connections[client]?.Dispose();
            _connections[client] = null;
        }

        _server.Dispose();
        _server = GarnetProcess.StartIn(_folder, Logged);
    }
}
