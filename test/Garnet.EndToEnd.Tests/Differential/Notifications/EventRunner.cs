// Runs a history and collects the events of its keys. One thread; own connections for each run.
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text;
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Differential.Notifications;

/// <summary>
/// A subscriber sends PING with a word of its own after every command: what it received before the answer are the command's events.
/// </summary>
internal sealed class EventRunner(EndPoint server)
{
    /// <summary>Sends a command that will wait, and waits until the server says that it does.</summary>
    public const string Block = "@BLOCK";

    /// <summary>Lets keys expire that have a millisecond left.</summary>
    public const string Wait = "@WAIT";

    /// <summary>The reply to it is read before the events of the command that leads to it are collected.</summary>
    public const string Served = "@SERVED";

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private int _words;

    /// <summary>One text for each command: its events in order, a line for each message.</summary>
    public byte[][] Run(Episode episode)
    {
        var connections = new RespExchange[episode.Connections];
        using var subscriber = RespExchange.Connect(server);
        using var control = RespExchange.Connect(server);
        byte[][] events = new byte[episode.Commands.Count][];
        try
        {
            control.ExecuteText("CONFIG", "SET", "notify-keyspace-events", "KEAmn");
            // When it would find an expired key is up to the server.
            control.ExecuteText("DEBUG", "SET-ACTIVE-EXPIRE", "0");
            for (int i = 0; i < connections.Length; i++)
                connections[i] = RespExchange.Connect(server);
            control.ExecuteText("FLUSHALL");
            subscriber.Execute("PSUBSCRIBE", "__key*__:*");
            for (int i = 0; i < events.Length; i++)
            {
                Command command = episode.Commands[i];
                Execute(connections[command.Connection], control, command);
                // Who was waiting is served with this command, but perhaps by another thread: its events are there when its reply is.
                if (i + 1 < events.Length && episode.Commands[i + 1] is { Name: Served } served)
                    connections[served.Connection].ReadReply();
                events[i] = Collect(subscriber, command);
            }
        }
        finally
        {
            foreach (RespExchange connection in connections)
                connection?.Dispose();
        }

        return events;
    }

    private static void Execute(RespExchange connection, RespExchange control, Command command)
    {
        switch (command.Name)
        {
            case Block:
                int blocked = Blocked(control);
                connection.Send(RespExchange.Encode(command.Arguments[1..]));
                long start = Stopwatch.GetTimestamp();
                while (Blocked(control) == blocked)
                {
                    if (Stopwatch.GetElapsedTime(start) > Patience)
                        throw new TimeoutException($"{command} does not wait.");
                }

                break;
            case Wait:
                Thread.Sleep(3);
                break;
            case Served:
                // Read with the command before.
                break;
            case Command.ScanAll:
                // Which keys it meets is not compared here.
                break;
            default:
                connection.Execute(command.Arguments);
                break;
        }
    }

    private static int Blocked(RespExchange control)
    {
        string info = control.ExecuteText("INFO", "clients");
        const string field = "blocked_clients:";
        int start = info.IndexOf(field, StringComparison.Ordinal) + field.Length;
        return int.Parse(info.AsSpan(start, info.IndexOf('\r', start) - start), CultureInfo.InvariantCulture);
    }

    private byte[] Collect(RespExchange subscriber, Command command)
    {
        string word = string.Create(CultureInfo.InvariantCulture, $"word-{++_words}");
        subscriber.Send(RespExchange.Encode([Encoding.ASCII.GetBytes("PING"), Encoding.ASCII.GetBytes(word)]));
        List<string> messages = [];
        while (true)
        {
            var node = RespNode.Parse(subscriber.ReadReply() ?? throw new IOException("The subscriber was disconnected."));
            if (node.Children is not [_, _, { } channel, { } payload])
                break;
            messages.Add($"{channel.Text} {payload.Text}\n");
        }

        // SORT looks for the keys of its patterns in an order that is up to the server where the elements have none.
        if (command.Name is "SORT" or "SORT_RO" or "EXEC")
            OrderMisses(messages);
        return Encoding.Latin1.GetBytes(string.Concat(messages));
    }

    private static void OrderMisses(List<string> messages)
    {
        for (int start = 0; start < messages.Count; start++)
        {
            int end = start;
            while (end < messages.Count && messages[end].Contains("keymiss", StringComparison.Ordinal))
                end++;
            if (end == start)
                continue;
            messages.Sort(start, end - start, StringComparer.Ordinal);
            start = end;
        }
    }
}
