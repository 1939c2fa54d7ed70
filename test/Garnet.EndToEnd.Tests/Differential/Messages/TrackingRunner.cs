// Runs a history of clients that track keys. One thread; own connections for each run.
using System.Globalization;
using System.Net;
using System.Text;
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Differential.Messages;

/// <summary>A client's id differs between servers, so that commands and what is received name clients by "@" and their number.</summary>
internal sealed class TrackingRunner(EndPoint server) : MessageRunner(server)
{
    private readonly Dictionary<string, string> _ids = [];
    private readonly Dictionary<string, string> _names = [];
    private bool _isInTransaction;
    private bool _isCaching;

    /// <inheritdoc/>
    protected override bool HasOneReplyEach => true;

    /// <inheritdoc/>
    protected override RespExchange Connect(int index)
    {
        RespExchange connection = base.Connect(index);
        string id = connection.ExecuteText("CLIENT", "ID")[1..^2];
        string name = string.Create(CultureInfo.InvariantCulture, $"@{index}");
        _ids[name] = id;
        _names[id] = name;
        return connection;
    }

    /// <inheritdoc/>
    protected override byte[][] ArgumentsOf(Command command) =>
        [
            .. command.Arguments.Select(each =>
                _ids.TryGetValue(Encoding.Latin1.GetString(each), out string? id) ? Encoding.ASCII.GetBytes(id) : each
            ),
        ];

    /// <inheritdoc/>
    /// <remarks>CLIENT CACHING is about the next command.</remarks>
    protected override bool IsOpenAfter(Command command, bool isOpen)
    {
        _isInTransaction = base.IsOpenAfter(command, _isInTransaction);
        string subcommand = command.Name == "CLIENT" ? command.Argument(1) : "";
        _isCaching = (subcommand == "CACHING" && command.Arguments.Length == 3) || (_isCaching && subcommand == "TRACKINGINFO");
        return _isInTransaction || _isCaching;
    }

    /// <inheritdoc/>
    protected override IEnumerable<string> Normalize(Command command, List<RespNode> replies) =>
        command.Name == "HELLO"
            ? replies.Select(static reply => reply.Children is { Length: > 3 } ? "hello" : reply.Canonical())
            : SortKeys(replies).Select(reply => HasId(command, reply) ? NameClients(reply) : reply.Canonical());

    // The keys that one command changes are told one by one, in any order.
    private static IEnumerable<RespNode> SortKeys(List<RespNode> replies)
    {
        for (int i = 0; i < replies.Count; )
        {
            int end = i;
            while (end < replies.Count && IsOfKeys(replies[end]))
                end++;
            foreach (RespNode reply in replies[i..end].OrderBy(static each => each.Canonical(), StringComparer.Ordinal))
                yield return reply;
            for (i = end; i < replies.Count && !IsOfKeys(replies[i]); i++)
                yield return replies[i];
        }
    }

    private static bool IsOfKeys(RespNode reply) =>
        reply.Children is [{ Text: "invalidate" }, { Children: not null }] or [_, { Text: "__redis__:invalidate" }, { Children: not null }];

    private static bool HasId(Command command, RespNode reply) =>
        reply.Children is [{ Text: "flags" or "tracking-redir-broken" }, ..] || command.Argument(1) == "GETREDIR";

    private string NameClients(RespNode reply)
    {
        string text = reply.Canonical();
        foreach ((string id, string name) in _names.OrderByDescending(static pair => pair.Key.Length))
            text = text.Replace($":{id}", $":{name}", StringComparison.Ordinal);
        return text;
    }
}
