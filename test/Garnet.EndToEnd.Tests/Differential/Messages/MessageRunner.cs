// Runs a history of subscribing and publishing clients, and collects what each of them receives. One thread; own connections for each run.
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text;
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Differential.Messages;

/// <summary>
/// After every command each client sends PING with a word of its own: whatever it received before the answer belongs to that command.
/// Inside of MULTI that must wait until the transaction is over.
/// </summary>
internal class MessageRunner(EndPoint server)
{
    private int _words;
    private int _sent; // commands since the last collection

    /// <summary>One text for each command: what every client received.</summary>
    public byte[][] Run(Episode episode)
    {
        var connections = new RespExchange[episode.Connections];
        byte[][] received = new byte[episode.Commands.Count][];
        try
        {
            for (int i = 0; i < connections.Length; i++)
                connections[i] = Connect(i);
            WaitUntilOthersHaveLeft(connections);
            string flushed = connections[0].ExecuteText("FLUSHALL");
            if (flushed != "+OK\r\n")
                throw new InvalidOperationException($"FLUSHALL was answered with {flushed}");
            bool isOpen = false;
            for (int i = 0; i < received.Length; i++)
            {
                Command command = episode.Commands[i];
                using var request = new MemoryStream();
                RespExchange.Encode(request, ArgumentsOf(command));
                connections[command.Connection].Send(request.ToArray());
                _sent++;
                isOpen = IsOpenAfter(command, isOpen);
                received[i] = Encoding.Latin1.GetBytes(isOpen ? "" : Collect(connections, command));
            }
        }
        finally
        {
            foreach (RespExchange connection in connections)
                connection?.Dispose();
        }

        return received;
    }

    /// <summary>
    /// Whether every command has one reply, so that the sender's PING can wait for it: when both arrive together, what is sent after a
    /// batch of commands comes later.
    /// </summary>
    protected virtual bool HasOneReplyEach => false;

    /// <summary>The arguments to send.</summary>
    protected virtual byte[][] ArgumentsOf(Command command) => command.Arguments;

    /// <summary>
    /// Whether the clients must not send anything of their own before the next command, because that would change its meaning.
    /// </summary>
    protected virtual bool IsOpenAfter(Command command, bool isOpen) =>
        command.Name == "MULTI" || (isOpen && command.Name is not ("EXEC" or "DISCARD"));

    // A server notices later that the clients of the history before have closed their connections: until then it counts them as
    // subscribers.
    private static void WaitUntilOthersHaveLeft(RespExchange[] connections)
    {
        long started = Stopwatch.GetTimestamp();
        string clients;
        do
        {
            clients = connections[0].ExecuteText("CLIENT", "LIST");
            int count = clients.Split('\n').Count(static line => line.StartsWith("id=", StringComparison.Ordinal));
            if (count == connections.Length && !HasSubscribers(connections[0]))
                return;
        } while (Stopwatch.GetElapsedTime(started) < TimeSpan.FromSeconds(30));
        throw new TimeoutException($"Clients of an earlier history are still connected:\n{clients}");
    }

    private static bool HasSubscribers(RespExchange connection) =>
        connection.ExecuteText("PUBSUB", "CHANNELS") != "*0\r\n"
        || connection.ExecuteText("PUBSUB", "SHARDCHANNELS") != "*0\r\n"
        || connection.ExecuteText("PUBSUB", "NUMPAT") != ":0\r\n";

    /// <summary>Connects one of the clients.</summary>
    protected virtual RespExchange Connect(int index)
    {
        var connection = RespExchange.Connect(server);
        if (index % 2 == 1)
            connection.Execute("HELLO", "3");
        return connection;
    }

    private string Collect(RespExchange[] connections, Command command)
    {
        var text = new StringBuilder();
        // The sender first: its answer says that the command has been executed.
        IEnumerable<int> order = Enumerable.Range(0, connections.Length).OrderBy(each => each == command.Connection ? 0 : 1);
        foreach (int i in order.ToArray())
        {
            List<RespNode> replies = [];
            // A word sent to a connection that ends could make its last reply be lost.
            bool ends = command.Name == "QUIT" && i == command.Connection;
            if (ends)
                ReadToEnd(connections[i], replies);
            if (HasOneReplyEach && !ends && i == command.Connection)
                ReadReplies(connections[i], replies);
            if (ends || !ReadUntilWord(connections[i], replies))
            {
                connections[i].Dispose();
                connections[i] = Connect(i);
                text.Append(CultureInfo.InvariantCulture, $"[{i}] closed\n");
            }

            foreach (string reply in Normalize(command, replies))
                text.Append(CultureInfo.InvariantCulture, $"[{i}] {reply}\n");
        }

        _sent = 0;
        return text.ToString();
    }

    private void ReadReplies(RespExchange connection, List<RespNode> replies)
    {
        for (; _sent > 0 && connection.ReadReply() is { } reply; _sent--)
            replies.Add(RespNode.Parse(reply));
    }

    private static void ReadToEnd(RespExchange connection, List<RespNode> replies)
    {
        while (connection.ReadReply() is { } reply)
            replies.Add(RespNode.Parse(reply));
    }

    private bool ReadUntilWord(RespExchange connection, List<RespNode> replies)
    {
        string word = string.Create(CultureInfo.InvariantCulture, $"word-{++_words}");
        using var request = new MemoryStream();
        RespExchange.Encode(request, [Encoding.ASCII.GetBytes("PING"), Encoding.ASCII.GetBytes(word)]);
        if (!connection.TrySend(request.ToArray()))
            return false;
        while (connection.ReadReply() is { } reply)
        {
            var node = RespNode.Parse(reply);
            if (node.Text == word || (node.Children is [_, { } last] && last.Text == word))
                return true;
            replies.Add(node);
        }

        return false;
    }

    /// <summary>What a client has received because of a command, as text.</summary>
    /// <remarks>The orders in which a server keeps channels and patterns are its own.</remarks>
    protected virtual IEnumerable<string> Normalize(Command command, List<RespNode> replies)
    {
        if (command.Name == "HELLO")
            return replies.Select(static reply => reply.Children is { Length: > 3 } ? "hello" : reply.Canonical());
        if (command.Name == "PUBSUB" && command.Argument(1).EndsWith("CHANNELS", StringComparison.Ordinal))
            return replies.Select(static reply => reply.Children is { } names ? Sorted(names) : reply.Canonical());
        if (command.Arguments.Length == 1 && command.Name.EndsWith("UNSUBSCRIBE", StringComparison.Ordinal))
            return WithoutOrderOfNames(replies);

        return SortPatterns(replies);
    }

    private static IEnumerable<string> WithoutOrderOfNames(List<RespNode> replies)
    {
        RespNode[][] parts = [.. replies.Select(static reply => reply.Children is { Length: 3 } three ? three : [reply, reply, reply])];
        IEnumerable<string> names = parts.Select(static three => three[1].Canonical()).Order(StringComparer.Ordinal);
        return parts.Select(static three => three[0].Canonical() + three[2].Canonical()).Concat(names);
    }

    private static string Sorted(RespNode[] names) =>
        string.Join(' ', names.Select(static name => name.Canonical()).Order(StringComparer.Ordinal));

    // One message to several patterns of a client arrives once for each, in any order.
    private static List<string> SortPatterns(List<RespNode> replies)
    {
        List<string> texts = [];
        for (int i = 0; i < replies.Count; )
        {
            int end = i + 1;
            if (replies[i].Children is [{ Text: "pmessage" }, _, _, { } payload])
            {
                while (end < replies.Count && replies[end].Children is [{ Text: "pmessage" }, _, _, { } next] && next.Text == payload.Text)
                    end++;
            }

            texts.AddRange(replies[i..end].Select(static reply => reply.Canonical()).Order(StringComparer.Ordinal));
            i = end;
        }

        return texts;
    }
}
