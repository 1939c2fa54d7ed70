// Runs an episode on a server and returns its raw replies. One thread; each run has its own connections.
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>Runs episodes against one server. An empty reply means that the server had closed the connection.</summary>
/// <param name="server">The server.</param>
/// <param name="pressure">What happens to values before each command, or before each few of a pipeline; null for nothing.</param>
internal sealed class EpisodeRunner(EndPoint server, HistoryPressure? pressure = null)
{
    // So many commands of a pipeline are sent together where something happens in between.
    private const int ShortPipeline = 8;

    private const int MaxScanSteps = 10_000;

    /// <summary>Empties the server, negotiates the protocol and runs the commands.</summary>
    /// <returns>One raw reply for each command.</returns>
    public byte[][] Run(Episode episode)
    {
        var connections = new RespExchange[episode.Connections];
        try
        {
            for (int i = 0; i < connections.Length; i++)
                connections[i] = RespExchange.Connect(server);
            string flushed = connections[0].ExecuteText("FLUSHALL");
            if (flushed != "+OK\r\n")
            {
                ResetConditions(connections[0]);
                flushed = connections[0].ExecuteText("FLUSHALL");
            }

            if (flushed != "+OK\r\n")
                throw new InvalidOperationException($"FLUSHALL was answered with {flushed}");
            pressure?.Begin();
            if (episode.Protocol == 3)
            {
                foreach (RespExchange connection in connections)
                    connection.Execute("HELLO", "3");
            }

            return episode.Pipelined ? RunTogether(connections[0], episode.Commands) : RunOneByOne(connections, episode.Commands);
        }
        finally
        {
            foreach (RespExchange connection in connections)
                connection?.Dispose();
        }
    }

    // A history that was shortened may lack its end, which undoes the conditions that it sets.
    private static void ResetConditions(RespExchange connection)
    {
        connection.ExecuteText("REPLICAOF", "NO", "ONE");
        connection.ExecuteText("CONFIG", "SET", "maxmemory", "0", "min-replicas-to-write", "0", "replica-read-only", "yes");
        connection.ExecuteText("CONFIG", "SET", "replica-serve-stale-data", "yes");
    }

    private byte[][] RunOneByOne(RespExchange[] connections, IReadOnlyList<Command> commands)
    {
        byte[][] replies = new byte[commands.Count][];
        for (int i = 0; i < replies.Length; i++)
        {
            RespExchange connection = connections[commands[i].Connection];
            pressure?.Before(commands[i]);
            replies[i] = Ask(
                commands[i],
                () => commands[i].Name == Command.ScanAll ? ScanAll(connection, commands[i]) : connection.Execute(commands[i].Arguments)
            );
            pressure?.After(commands[i], replies[i]);
        }

        return replies;
    }

    private byte[][] RunTogether(RespExchange connection, IReadOnlyList<Command> commands)
    {
        byte[][] replies = new byte[commands.Count][];
        int next = 0;
        while (next < replies.Length)
        {
            if (commands[next].Name == Command.ScanAll)
            {
                replies[next] = ScanAll(connection, commands[next]) ?? [];
                next++;
                continue;
            }

            using var request = new MemoryStream();
            int end = next;
            int most = pressure is null ? replies.Length : Math.Min(replies.Length, next + ShortPipeline);
            while (end < most && commands[end].Name != Command.ScanAll)
                RespExchange.Encode(request, commands[end++].Arguments);
            pressure?.Before(commands[next]);
            bool open = connection.TrySend(request.ToArray());
            for (; next < end; next++)
                replies[next] = open ? Ask(commands[next], connection.ReadReply) : [];
        }

        return replies;
    }

    private static byte[] Ask(Command command, Func<byte[]?> exchange)
    {
        try
        {
            return exchange() ?? [];
        }
        catch (SocketException silence) when (silence.SocketErrorCode == SocketError.TimedOut)
        {
            throw new TimeoutException($"No reply to {command}", silence);
        }
    }

    // Iterates to the end; the reply is the sorted set of keys, since the order and repetitions are up to the server.
    private static byte[]? ScanAll(RespExchange connection, Command command)
    {
        var keys = new SortedSet<string>(StringComparer.Ordinal);
        string cursor = "0";
        for (int step = 0; step < MaxScanSteps; step++)
        {
            byte[]? reply = connection.Execute([
                Encoding.ASCII.GetBytes("SCAN"),
                Encoding.ASCII.GetBytes(cursor),
                .. command.Arguments[1..],
            ]);
            if (reply is null)
                return null;
            var node = RespNode.Parse(reply);
            if (node.Children is not [{ Payload: not null } position, { Children: { } page }])
                return reply;
            foreach (RespNode key in page)
                keys.Add(key.Text);
            cursor = position.Text;
            if (cursor == "0")
            {
                return Encoding.Latin1.GetBytes(
                    string.Create(CultureInfo.InvariantCulture, $"*{keys.Count}\r\n")
                        + string.Concat(keys.Select(key => $"${key.Length}\r\n{key}\r\n"))
                );
            }
        }

        throw new InvalidOperationException($"SCAN did not come to its end in {MaxScanSteps} steps.");
    }
}
