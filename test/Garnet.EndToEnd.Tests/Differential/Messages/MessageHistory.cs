// Seeded random histories of subscribing and publishing clients. Stateless; any thread.
using System.Globalization;
using System.Text;

namespace Garnet.EndToEnd.Tests.Differential.Messages;

/// <summary>
/// Several clients, in RESP2 and RESP3, on few channels and patterns, so that most messages have a receiver. Transactions are not
/// interleaved with other clients' commands, as only then the order of all replies is known.
/// </summary>
internal static class MessageHistory
{
    /// <summary>The family's name, and its transcript's.</summary>
    public const string Name = "messages";

    private const int Connections = 5;
    private const int Steps = 120;

    private static readonly string[] Users = ["ann", "bob"];

    private static readonly string[] Channels = ["a", "b", "ab", "news.1", "news.2", "", "x\0y", "h\u00e9llo", "[a]", "*"];

    // Rules about channels that users get, on top of the right to every command.
    private static readonly string[] ChannelRules = ["&*", "&a", "&a*", "&news.*", "&news.[13]", "&*b", "&?", "&\\*", "&h\u00e9llo"];

    private static readonly string[] Patterns =
    [
        "*",
        "a*",
        "*b",
        "?",
        "news.*",
        "news.[13]",
        "news.[^1]",
        "[ab]",
        "\\*",
        "x*y",
        "**",
        "",
        "h?llo",
        "h[\u00e9]llo",
        "a",
        "nothing*",
        "[a",
    ];

    /// <summary>Generates one history that starts with nobody subscribed; equal seeds give equal histories.</summary>
    public static Episode Generate(int seed) => Generate(seed, withUsers: false);

    /// <summary>
    /// As above, with users whose rights to channels change: the first client changes them, and the others log in and out. A subscriber
    /// that loses the right to one of its channels is closed.
    /// </summary>
    public static Episode GenerateWithUsers(int seed) => Generate(seed, withUsers: true);

    private static Episode Generate(int seed, bool withUsers)
    {
        var random = new Random(seed);
        var commands = new List<Command>();
        int message = 0;
        if (withUsers)
            commands.AddRange(Users.Select(static name => New(0, "ACL", "SETUSER", name, "reset", "on", "nopass", "+@all", "~*")));
        while (commands.Count < Steps)
        {
            int connection = random.Next(Connections);
            if (withUsers && random.Next(6) == 0)
            {
                commands.Add(AboutUsers(random, connection));
                continue;
            }

            if (random.Next(8) > 0)
            {
                commands.Add(Single(random, connection, isQueued: false, ref message));
                continue;
            }

            commands.Add(New(connection, "MULTI"));
            for (int left = random.Next(5); left > 0; left--)
                commands.Add(Single(random, connection, isQueued: true, ref message));
            commands.Add(New(connection, random.Next(8) == 0 ? "DISCARD" : "EXEC"));
        }

        return new Episode(Name, seed, 2, Connections, Pipelined: false, commands);
    }

    // Who changes the rules keeps the right to everything, so that the reply is not lost with the connection.
    private static Command AboutUsers(Random random, int connection) =>
        connection > 0 ? New(connection, "AUTH", random.Next(3) == 0 ? "default" : One(random, Users), "any")
        : random.Next(10) == 0 ? New(0, "ACL", "DELUSER", One(random, Users))
        : New(0, ["ACL", "SETUSER", One(random, Users), "on", "nopass", "+@all", "~*", "resetchannels", .. Some(random, ChannelRules, 0)]);

    private static Command Single(Random random, int connection, bool isQueued, ref int message)
    {
        string number = (++message).ToString(CultureInfo.InvariantCulture);
        return random.Next(isQueued ? 14 : 18) switch
        {
            0 or 1 => New(connection, ["SUBSCRIBE", .. Some(random, Channels, 1)]),
            2 => New(connection, ["PSUBSCRIBE", .. Some(random, Patterns, 1)]),
            3 => New(connection, ["SSUBSCRIBE", .. Some(random, Channels, 1)]),
            4 => New(connection, ["UNSUBSCRIBE", .. Some(random, Channels, isQueued ? 1 : 0)]),
            5 => New(connection, ["PUNSUBSCRIBE", .. Some(random, Patterns, isQueued ? 1 : 0)]),
            6 => New(connection, ["SUNSUBSCRIBE", .. Some(random, Channels, isQueued ? 1 : 0)]),
            7 or 8 or 9 => New(connection, "PUBLISH", One(random, Channels), Payload(random, number)),
            10 => New(connection, "SPUBLISH", One(random, Channels), Payload(random, number)),
            11 => New(connection, "PING", number),
            12 => New(connection, ["PUBSUB", .. isQueued ? Count(random) : Question(random)]),
            13 => New(connection, "SET", "key", number),
            14 => New(connection, "RESET"),
            15 => New(connection, "HELLO", random.Next(2) == 0 ? "2" : "3"),
            16 => New(connection, "QUIT"),
            _ => New(connection, "GET", "key"),
        };
    }

    private static string[] Question(Random random) =>
        random.Next(6) switch
        {
            0 => ["CHANNELS"],
            1 => ["CHANNELS", One(random, Patterns)],
            2 => ["SHARDCHANNELS", .. random.Next(2) == 0 ? (string[])[] : [One(random, Patterns)]],
            _ => Count(random),
        };

    // Lists of channels have no order, which could not be seen in the reply of EXEC.
    private static string[] Count(Random random) =>
        random.Next(3) switch
        {
            0 => ["NUMSUB", .. Some(random, Channels, 0)],
            1 => ["NUMPAT"],
            _ => ["SHARDNUMSUB", .. Some(random, Channels, 0)],
        };

    private static string Payload(Random random, string number) =>
        random.Next(12) switch
        {
            0 => "",
            1 => number + new string('x', 20_000),
            2 => number + "\r\n",
            _ => number,
        };

    private static string One(Random random, string[] from) => from[random.Next(from.Length)];

    private static string[] Some(Random random, string[] from, int least) =>
        [.. Enumerable.Range(0, random.Next(least, 4)).Select(_ => One(random, from))];

    private static Command New(int connection, params string[] words) => new(connection, [.. words.Select(Encoding.Latin1.GetBytes)]);
}
