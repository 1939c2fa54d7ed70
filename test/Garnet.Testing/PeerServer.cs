// A redis-server or valkey-server started by a test as a child process. One owner, which disposes of it.
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Garnet.Testing;

/// <summary>A peer on a Unix socket in a temporary folder, without persistence; killed on disposal.</summary>
internal sealed class PeerServer : IDisposable
{
    private static readonly TimeSpan StartTimeout = TimeSpan.FromMinutes(2);

    private readonly Process _process;
    private readonly string _folder;

    private PeerServer(Process process, string folder, EndPoint endPoint)
    {
        _process = process;
        _folder = folder;
        EndPoint = endPoint;
    }

    /// <summary>The endpoint it listens on.</summary>
    public EndPoint EndPoint { get; }

    /// <summary>The process ID.</summary>
    public int Id => _process.Id;

    /// <summary>Its working folder, removed on disposal.</summary>
    public string Folder => _folder;

    /// <summary>Starts the peer with this name (see <see cref="Peers.Find"/>) and waits until it answers.</summary>
    public static PeerServer Start(string peer, params string[] arguments)
    {
        string folder = Directory.CreateTempSubdirectory("garnet-peer-").FullName;
        string socket = Path.Combine(folder, "s");
        string[] all =
        [
            "--port",
            "0",
            "--unixsocket",
            socket,
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            folder,
            "--daemonize",
            "no",
            .. arguments,
        ];
        var start = new ProcessStartInfo(Peers.Find(peer), all) { RedirectStandardOutput = true, RedirectStandardError = true };
        Process process = Process.Start(start)!;
        process.OutputDataReceived += (_, _) => { };
        process.ErrorDataReceived += (_, _) => { };
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        var server = new PeerServer(process, folder, new UnixDomainSocketEndPoint(socket));
        try
        {
            server.WaitForPong();
            return server;
        }
        catch
        {
            server.Dispose();
            throw;
        }
    }

    /// <summary>Kills the process and removes its folder.</summary>
    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private void WaitForPong()
    {
        long start = Stopwatch.GetTimestamp();
        while (true)
        {
            if (_process.HasExited)
                throw new InvalidOperationException($"The peer ended at once with exit code {_process.ExitCode}.");
            try
            {
                using var exchange = RespExchange.Connect(EndPoint);
                if (exchange.ExecuteText("PING") == "+PONG\r\n")
                    return;
            }
            catch (SocketException) when (Stopwatch.GetElapsedTime(start) < StartTimeout)
            {
                Thread.Sleep(10);
            }
        }
    }
}
