// A server that takes part in replication: ours, in the test's process, or a real peer. One owner, which disposes of it.
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Garnet.EndToEnd.Tests.Differential;
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Replication;

/// <summary>Starts a server that others can reach over TCP, and asks it about its role.</summary>
internal sealed class ReplicationNode : IDisposable
{
    public const string Ours = "ours";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);

    private readonly IDisposable _server;

    private ReplicationNode(IDisposable server, EndPoint endPoint, int port)
    {
        _server = server;
        Port = port;
        EndPoint = endPoint;
    }

    /// <summary>The TCP port.</summary>
    public int Port { get; }

    private EndPoint EndPoint { get; }

    /// <summary>Starts a server of a kind: <see cref="Ours"/>, or the name of a peer.</summary>
    public static ReplicationNode Start(
        string kind,
        Action<GarnetOptions>? configure = null,
        TimeProvider? time = null,
        params string[] peerOptions
    )
    {
        if (kind == Ours)
        {
            var server = TestServer.Start(
                options =>
                {
                    options.DisklessSyncDelay = TimeSpan.Zero;
                    options.ReplicationBacklogBytes = 100 << 20;
                    configure?.Invoke(options);
                },
                time
            );
            return new ReplicationNode(server, server.EndPoint, server.EndPoint.Port);
        }

        const int MaxAttempts = 5;
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                return StartPeer(kind, LoopbackPort.Free(), peerOptions);
            }
            catch (InvalidOperationException) when (attempt < MaxAttempts)
            {
                // It ended at once: somebody else may have bound the port.
            }
        }
    }

    /// <summary>Opens a connection.</summary>
    public RespExchange Connect() => RespExchange.Connect(EndPoint);

    /// <summary>Calls one command on a connection of its own.</summary>
    public string Call(params string[] arguments)
    {
        using RespExchange client = Connect();
        return client.ExecuteText(arguments);
    }

    /// <summary>Makes the server a replica of another.</summary>
    public void Follow(ReplicationNode primary)
    {
        string reply = Call("REPLICAOF", "127.0.0.1", primary.Port.ToString(CultureInfo.InvariantCulture));
        // It may be one already, and is told so.
        if (!reply.StartsWith("+OK", StringComparison.Ordinal))
            throw new InvalidOperationException(reply);
    }

    /// <summary>Waits until the append-only log is on and complete.</summary>
    public void AwaitLog() =>
        Await(() =>
            Info("persistence") is { } info
            && info["aof_enabled"] == "1"
            && info["aof_rewrite_in_progress"] == "0"
            && info["aof_rewrite_scheduled"] == "0"
        );

    /// <summary>The fields of a section of INFO.</summary>
    public Dictionary<string, string> Info(string section = "replication") =>
        Call("INFO", section)
            .Split("\r\n")
            .Where(static line => line.Contains(':', StringComparison.Ordinal))
            .Select(static line => line.Split(':', 2))
            .ToDictionary(static words => words[0], static words => words[1]);

    /// <summary>Waits until this replica has all of its primary's stream.</summary>
    public void AwaitSync(ReplicationNode primary) =>
        Await(
            () =>
            {
                Dictionary<string, string> theirs = primary.Info();
                Dictionary<string, string> own = Info();
                return own.GetValueOrDefault("master_link_status") == "up"
                    && own["master_replid"] == theirs["master_replid"]
                    && own["slave_repl_offset"] == theirs["master_repl_offset"];
            },
            () => string.Join(", ", Info())
        );

    /// <summary>Waits for a condition.</summary>
    public static void Await(Func<bool> condition, Func<string>? describe = null, TimeSpan? patience = null)
    {
        long start = Stopwatch.GetTimestamp();
        while (!condition())
        {
            if (Stopwatch.GetElapsedTime(start) > (patience ?? Patience))
                throw new TimeoutException(describe?.Invoke() ?? "The condition was not met.");
            Thread.Sleep(Pause);
        }
    }

    /// <summary>All data, one line a key. Expiries of fields are left out, because Redis 7.0 has none.</summary>
    public List<string> Data()
    {
        using RespExchange client = Connect();
        return [.. DataListing.Of(client).Select(static line => line.Split(" expiries ")[0])];
    }

    /// <inheritdoc/>
    public void Dispose() => _server.Dispose();

    private static ReplicationNode StartPeer(string kind, int port, string[] options)
    {
        string text = port.ToString(CultureInfo.InvariantCulture);
        string[] own = ["--port", text, "--bind", "127.0.0.1", "--repl-diskless-sync-delay", "0", "--repl-backlog-size", "100mb"];
        var peer = PeerServer.Start(kind, [.. own, .. options]);
        return new ReplicationNode(peer, peer.EndPoint, port);
    }
}
