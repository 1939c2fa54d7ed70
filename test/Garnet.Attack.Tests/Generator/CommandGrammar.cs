// The arguments that every command takes, as COMMAND DOCS tells them. Immutable; any thread.
using Garnet.Client;

namespace Garnet.Attack.Tests.Generator;

/// <summary>One command or subcommand.</summary>
internal sealed record CommandGrammar(string[] Words, string Group, bool IsWrite, IReadOnlyList<ArgumentGrammar> Arguments)
{
    // They end the server or the connection, change what the connection is, wait on purpose, or throw the prepared data away.
    private static readonly string[] LeftOut =
    [
        "acl",
        "asking",
        "auth",
        "bgrewriteaof",
        "bgsave",
        "client",
        "cluster",
        "config",
        "debug",
        "discard",
        "exec",
        "failover",
        "flushall",
        "flushdb",
        "hello",
        "latency",
        "migrate",
        "module",
        "monitor",
        "multi",
        "psubscribe",
        "psync",
        "punsubscribe",
        "quit",
        "replconf",
        "replicaof",
        "reset",
        "restore-asking",
        "save",
        "select",
        "shutdown",
        "slaveof",
        "ssubscribe",
        "subscribe",
        "sunsubscribe",
        "swapdb",
        "sync",
        "unsubscribe",
        "wait",
        "waitaof",
        "watch",
    ];

    /// <summary>Everything the server documents, but for what is left out by name.</summary>
    public static async Task<IReadOnlyList<CommandGrammar>> ReadAsync(RespClient client)
    {
        RespValue docs = await client.CallAsync("COMMAND", "DOCS");
        RespValue info = await client.CallAsync("COMMAND");
        var commands = info.Children.ToDictionary(static row => row[0].Text);
        List<CommandGrammar> all = [];
        foreach ((string name, RespValue doc) in Pairs(docs))
        {
            if (LeftOut.Contains(name))
                continue;
            RespValue row = commands[name];
            if (Find(doc, "subcommands") is not { } subcommands)
            {
                all.Add(Make([name], doc, row));
                continue;
            }

            foreach ((string subcommand, RespValue subdoc) in Pairs(subcommands))
                all.Add(Make(subcommand.Split('|'), subdoc, row[9].Children.First(each => each[0].Text == subcommand)));
        }

        return all;
    }

    /// <inheritdoc/>
    public override string ToString() => string.Join(' ', Words);

    private static CommandGrammar Make(string[] words, RespValue doc, RespValue row) =>
        new(
            words,
            Find(doc, "group")!.Text,
            row[2].Children.Any(static flag => flag.Text == "write"),
            ArgumentGrammar.ReadAll(Find(doc, "arguments"))
        );

    internal static RespValue? Find(RespValue map, string key) => Pairs(map).FirstOrDefault(pair => pair.Key == key).Value;

    private static IEnumerable<KeyValuePair<string, RespValue>> Pairs(RespValue map)
    {
        for (int i = 0; i + 1 < map.Children.Count; i += 2)
            yield return new(map[i].Text, map[i + 1]);
    }
}
