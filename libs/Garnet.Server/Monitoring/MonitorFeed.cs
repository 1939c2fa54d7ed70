// Sends every executed command to the clients that sent MONITOR. Thread-safe; the list of watchers is replaced, never changed.
using System.Buffers;
using System.Globalization;
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Store;

namespace Garnet.Server.Monitoring;

/// <summary>The clients in monitor mode.</summary>
internal sealed class MonitorFeed(Conditions conditions, TimeProvider time)
{
    // A line may be four times as long as the command, and must not make that command fail.
    private const long MaxShownBytes = 256 << 20;

    private static readonly SearchValues<byte> Escaped = SearchValues.Create([
        .. Enumerable
            .Range(0, 256)
            .Select(static each => (byte)each)
            .Where(static each => each is (byte)'\\' or (byte)'"' or < 0x20 or > 0x7E),
    ]);

    private readonly Lock _gate = new();
    private volatile ClientSession[] _watchers = [];

    /// <summary>True when some client is in monitor mode; cheap enough to check for every command.</summary>
    public bool IsWatched => _watchers.Length != 0;

    /// <summary>Lets a client see commands from now on.</summary>
    public void Add(ClientSession client)
    {
        lock (_gate)
        {
            conditions.Set((uint)ObserverMask.Monitors, areRaised: true);
            _watchers = [.. _watchers, client];
            client.Modes.IsMonitor = true;
        }

        client.Output.UpdateRaised();
    }

    /// <summary>Ends the monitor mode of a client, if it is in it.</summary>
    public void Remove(ClientSession client)
    {
        if (!client.Modes.IsMonitor)
            return;
        lock (_gate)
        {
            _watchers = [.. _watchers.Where(each => each != client)];
            client.Modes.IsMonitor = false;
            conditions.Set((uint)ObserverMask.Monitors, IsWatched);
        }

        client.Output.UpdateRaised();
    }

    /// <summary>Shows the command in the context, unless it is one that is never shown.</summary>
    internal void Show(ref CommandContext context)
    {
        if ((context.Command.Flags & (CommandFlags.Admin | CommandFlags.SkipMonitor)) != 0)
            return;
        ShowNow(ref context);
    }

    /// <summary>Shows a command that runs a script if there is a monitor, unless it was shown before it was put off.</summary>
    internal void ShowOnce(ref CommandContext context)
    {
        ref bool isShown = ref context.Client.Wait.IsShown;
        if (!isShown && IsWatched)
            ShowNow(ref context);
        isShown = false;
    }

    /// <summary>Shows a command that says itself when it is shown, such as one that runs a script.</summary>
    internal void ShowNow(ref CommandContext context)
    {
        byte[] line = Describe(ref context);
        foreach (ClientSession watcher in _watchers)
            watcher.Output.Deliver(line);
    }

    // +<seconds>.<microseconds> [<database> <address>] "<argument>" ...
    private byte[] Describe(ref CommandContext context)
    {
        ClientSession client = context.Client;
        long microseconds = (time.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond;
        string address = client.Transactions.Script is null ? client.Connection.RemoteAddress : "lua";
        if (client.Connection.IsUnixSocket && client.Transactions.Script is null)
            address = "unix:" + address[..address.LastIndexOf(':')];
        ArrayBufferWriter<byte> line = new();
        Encoding.Latin1.GetBytes(
            string.Create(
                CultureInfo.InvariantCulture,
                $"+{microseconds / 1_000_000}.{microseconds % 1_000_000:D6} [{client.Store.Database} {address}]"
            ),
            line
        );
        if (context.ArgumentBytes > MaxShownBytes)
        {
            foreach (byte[] shortened in LoggedArguments.Shorten(ref context))
                Append(line, shortened);
        }
        else
        {
            for (int i = 0; i < context.Count; i++)
                Append(line, LoggedArguments.IsSecret(ref context, i) ? LoggedArguments.Redacted : context[i]);
        }

        line.Write("\r\n"u8);
        return line.WrittenSpan.ToArray();
    }

    private static void Append(ArrayBufferWriter<byte> line, ReadOnlySpan<byte> argument)
    {
        line.Write(" \""u8);
        while (argument.IndexOfAny(Escaped) is var plain and >= 0)
        {
            line.Write(argument[..plain]);
            AppendEscaped(line, argument[plain]);
            argument = argument[(plain + 1)..];
        }

        line.Write(argument);
        line.Write("\""u8);
    }

    private static void AppendEscaped(ArrayBufferWriter<byte> line, byte each)
    {
        switch (each)
        {
            case (byte)'\\' or (byte)'"':
                line.Write([(byte)'\\', each]);
                break;
            case (byte)'\n':
                line.Write("\\n"u8);
                break;
            case (byte)'\r':
                line.Write("\\r"u8);
                break;
            case (byte)'\t':
                line.Write("\\t"u8);
                break;
            case (byte)'\a':
                line.Write("\\a"u8);
                break;
            case (byte)'\b':
                line.Write("\\b"u8);
                break;
            default:
                line.Write(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"\\x{each:x2}")));
                break;
        }
    }
}
