// Lists a server's data by commands. Stateless; any thread.
using System.Globalization;
using System.Text;
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>One line per key: database, name, type, expiry and content, in an order that does not depend on the server.</summary>
internal static class DataListing
{
    private const int Databases = 16;

    // Separates the fields of a hash from their expiries; a hash without fields begins with it.
    private const string ExpiriesLabel = " expiries ";

    /// <summary>Lists everything.</summary>
    public static List<string> Of(RespExchange client)
    {
        List<string> lines = [];
        for (int database = 0; database < Databases; database++)
        {
            client.Execute("SELECT", database.ToString(CultureInfo.InvariantCulture));
            foreach (RespNode key in RespNode.Parse(client.Execute("KEYS", "*")!).Children!)
            {
                string description = Describe(client, key.Payload!);
                if (!IsGone(description))
                    lines.Add($"{database} {RespText.Quote(key.Payload!)} {description}");
            }
        }

        client.Execute("SELECT", "0");
        lines.Sort(StringComparer.Ordinal);
        return lines;
    }

    /// <summary>Expiry, type and content of a key in the selected database; empty if it is absent.</summary>
    public static string Describe(RespExchange client, byte[] key)
    {
        string expiry = Text(client.Execute([Bytes("PEXPIRETIME"), key]));
        string type = Text(client.Execute([Bytes("TYPE"), key]));
        string content = type switch
        {
            "+none\r\n" => "",
            "+string\r\n" => Raw(client, "GET", key),
            "+list\r\n" => Raw(client, "LRANGE", key, "0", "-1"),
            "+zset\r\n" => Raw(client, "ZRANGE", key, "0", "-1", "WITHSCORES"),
            "+set\r\n" => Sorted(client, 1, "SMEMBERS", key),
            "+hash\r\n" => Sorted(client, 2, "HGETALL", key) + FieldExpiries(client, key),
            "+stream\r\n" => Raw(client, "XRANGE", key, "-", "+") + StreamFacts(client, key),
            _ => throw new InvalidOperationException($"Add the type {type} here."),
        };
        return $"{type.Trim()} {expiry.Trim()} {content}";
    }

    // A hash whose fields have all expired is listed until expiry reaches it, which may be at any moment, whether the key has an
    // expiry of its own or not.
    private static bool IsGone(string description)
    {
        string[] parts = description.Split(' ', 3);
        return parts[0] == "+none" || (parts[0] == "+hash" && parts[2].StartsWith(ExpiriesLabel, StringComparison.Ordinal));
    }

    private static string Raw(RespExchange client, string name, byte[] key, params string[] more) =>
        RespText.Quote(client.Execute([Bytes(name), key, .. more.Select(Bytes)])!);

    private static string Sorted(RespExchange client, int group, string name, byte[] key) =>
        string.Join(
            ", ",
            RespNode
                .Parse(client.Execute([Bytes(name), key])!)
                .Children!.Chunk(group)
                .Select(each => string.Join("=", each.Select(node => RespText.Quote(node.Payload!))))
                .Order(StringComparer.Ordinal)
        );

    private static string FieldExpiries(RespExchange client, byte[] key)
    {
        byte[][] fields =
        [
            .. RespNode
                .Parse(client.Execute([Bytes("HKEYS"), key])!)
                .Children!.Select(node => node.Payload!)
                .OrderBy(RespText.Quote, StringComparer.Ordinal),
        ];
        return ExpiriesLabel
            + RespText.Quote(client.Execute([Bytes("HPEXPIRETIME"), key, Bytes("FIELDS"), Bytes($"{fields.Length}"), .. fields])!);
    }

    // Without consumers, since one that reads and gets nothing has no effect.
    private static string StreamFacts(RespExchange client, byte[] key)
    {
        StringBuilder facts = new();
        RespNode[] stream = RespNode.Parse(client.Execute([Bytes("XINFO"), Bytes("STREAM"), key])!).Children!;
        foreach (int field in new[] { 7, 9, 11 })
            facts.Append(' ').Append(stream[field].Canonical());
        foreach (RespNode group in RespNode.Parse(client.Execute([Bytes("XINFO"), Bytes("GROUPS"), key])!).Children!)
        {
            foreach (int field in new[] { 1, 5, 7, 9, 11 })
                facts.Append(' ').Append(group.Children![field].Canonical());
            facts.Append(' ').Append(Raw(client, "XPENDING", key, group.Children![1].Text));
        }

        return facts.ToString();
    }

    private static string Text(byte[]? reply) => Encoding.Latin1.GetString(reply!);

    private static byte[] Bytes(string text) => Encoding.Latin1.GetBytes(text);
}
