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

    /// <summary>Reads the reply to it.</summary>
    public const string Served = "@SERVED";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

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
            for (int i = 0; i < connections.Length; i++)
                connections[i] = RespExchange.Connect(server);
            control.ExecuteText("FLUSHALL");
            subscriber.Execute("PSUBSCRIBE", "__key*__:*");
            for (int i = 0; i < events.Length; i++)
            {
                Execute(connections[episode.Commands[i].Connection], control, episode.Commands[i]);
                events[i] = Collect(subscriber);
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
            case Served:
                connection.ReadReply();
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

    private byte[] Collect(RespExchange subscriber)
    {
        string word = string.Create(CultureInfo.InvariantCulture, $"word-{++_words}");
        subscriber.Send(RespExchange.Encode([Encoding.ASCII.GetBytes("PING"), Encoding.ASCII.GetBytes(word)]));
        var text = new StringBuilder();
        while (true)
        {
            var node = RespNode.Parse(subscriber.ReadReply() ?? throw new IOException("The subscriber was disconnected."));
            if (node.Children is not [_, _, { } channel, { } payload])
                return Encoding.Latin1.GetBytes(text.ToString());
            text.Append(CultureInfo.InvariantCulture, $"{channel.Text} {payload.Text}\n");
        }
    }
}
