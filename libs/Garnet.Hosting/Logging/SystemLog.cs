// Sends messages to the system's log (syslog). One thread at a time.
using System.Net.Sockets;
using System.Text;

namespace Garnet.Hosting.Logging;

/// <summary>
/// Datagrams as syslog(3) sends them: <c>&lt;priority&gt;ident[pid]: message</c>, where the priority is eight times the facility plus the
/// severity. What the system's log does not take at once is lost, so that it never holds up the server.
/// </summary>
internal sealed class SystemLog : IDisposable
{
    /// <summary>The socket on which the system's log listens.</summary>
    public const string DefaultPath = "/dev/log";

    private readonly Socket _socket;
    private readonly string _path;
    private readonly string _ident;
    private readonly int _facility;

    /// <summary>Opens a socket; whether anything listens at the path is found out at each message.</summary>
    public SystemLog(GarnetOptions options, string path)
    {
        _socket = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified) { Blocking = false };
        _path = path;
        _ident = options.SyslogIdent;
        _facility = (int)options.SyslogFacility;
    }

    /// <summary>Sends one message.</summary>
    /// <param name="mark">The level, as in <see cref="LogLine"/>.</param>
    /// <param name="message">The message; control characters are escaped.</param>
    public void Send(char mark, string message)
    {
        string text = $"<{(_facility * 8) + Severity(mark)}>{_ident}[{Environment.ProcessId}]: {LogLine.OneLine(message)}";
        try
        {
            _socket.SendTo(Encoding.UTF8.GetBytes(text), new UnixDomainSocketEndPoint(_path));
        }
        catch (SocketException)
        {
            // The log restarts, or its queue is full. The message is in the server's own log.
        }
    }

    public void Dispose() => _socket.Dispose();

    private static int Severity(char mark) =>
        mark switch
        {
            '.' => 7,
            '-' => 6,
            '*' => 5,
            _ => 4,
        };
}
