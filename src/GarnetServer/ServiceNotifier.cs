// Tells the service manager (systemd, Type=notify) how the process is. Any thread.
using System.Net.Sockets;
using System.Text;
using Microsoft.Extensions.Logging;

namespace Garnet.Tool;

/// <summary>
/// Sends datagrams of <c>NAME=value</c> lines to the socket that NOTIFY_SOCKET names (sd_notify(3)); without that variable, or with
/// <c>supervised no</c>, nothing is sent.
/// </summary>
internal sealed class ServiceNotifier : IDisposable
{
    private const string Variable = "NOTIFY_SOCKET";
    private const long MicrosecondsPerSecond = 1_000_000;

    private readonly ILogger _log;
    private readonly Socket? _socket;
    private readonly UnixDomainSocketEndPoint? _manager;

    /// <summary>Opens the socket that the environment names.</summary>
    public ServiceNotifier(ILogger log, Supervision supervision)
    {
        _log = log;
        if (supervision is Supervision.No or Supervision.Upstart)
            return;
        string name = Environment.GetEnvironmentVariable(Variable) ?? "";
        if (!name.StartsWith('/') && !name.StartsWith('@'))
        {
            if (supervision == Supervision.Systemd)
                log.LogWarning("supervised systemd: {Variable} is not set, so that systemd is not told anything", Variable);
            return;
        }

        // @ stands for the zero byte that an abstract name begins with.
        _manager = new UnixDomainSocketEndPoint(name[0] == '@' ? '\0' + name[1..] : name);
        _socket = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
    }

    /// <summary>Whether a service manager expects notifications.</summary>
    public bool IsActive => _socket is not null;

    /// <summary>The data is loaded and commands are executed.</summary>
    public void Ready(string status) => Send($"READY=1\nSTATUS={status}");

    /// <summary>The process begins to end.</summary>
    public void Stopping(string status) => Send($"STOPPING=1\nSTATUS={status}");

    /// <summary>The process is at something that takes long, and still at it: the manager's time limit for it starts anew.</summary>
    /// <param name="status">What it is at.</param>
    /// <param name="patience">How long the manager shall wait for the next word.</param>
    public void Busy(string status, TimeSpan patience) =>
        Send($"STATUS={status}\nEXTEND_TIMEOUT_USEC={(long)patience.TotalSeconds * MicrosecondsPerSecond}");

    /// <summary>One line for those who look.</summary>
    public void Status(string status) => Send($"STATUS={status}");

    /// <inheritdoc/>
    public void Dispose() => _socket?.Dispose();

    private void Send(string text)
    {
        if (_socket is null)
            return;
        try
        {
            _socket.SendTo(Encoding.UTF8.GetBytes(text), _manager!);
        }
        catch (SocketException e)
        {
            // The server can do without the manager; the manager will say what it missed.
            _log.LogWarning("The service manager could not be notified: {Problem}", e.Message);
        }
    }
}
