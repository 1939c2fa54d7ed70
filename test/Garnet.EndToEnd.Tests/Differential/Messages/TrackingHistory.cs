// Seeded random histories of clients that track keys, read and write. Stateless; any thread.
using System.Globalization;
using System.Text;

namespace Garnet.EndToEnd.Tests.Differential.Messages;

/// <summary>
/// Several clients, in RESP2 and RESP3, with all modes of tracking on few keys of all types, so that most changes invalidate a key. A
/// word "@2" stands for the id of the third client.
/// </summary>
internal static class TrackingHistory
{
    /// <summary>The family's name, and its transcript's.</summary>
    public const string Name = "tracking";

    private const int Connections = 6;
    private const int Steps = 200;

    private static readonly string[] Keys = ["a", "ab", "abc", "b:1", "b:2", "c", "x\0y", "h\u00e9", "k\r\nl", "d"];
    private static readonly string[] Prefixes = ["a", "ab", "b:", "c", "", "x\0", "x\0y", "zz"];

    /// <summary>Generates one history that starts with no client tracking; equal seeds give equal histories.</summary>
    public static Episode Generate(int seed)
    {
        var random = new Random(seed);
        var commands = new List<Command>();
        int value = 0;
        for (int i = 0; i < 4; i++)
            commands.Add(New(i, TurnOn(random)));
        while (commands.Count < Steps)
        {
            int connection = random.Next(Connections);
            switch (random.Next(20))
            {
                case 0 or 1:
                    commands.Add(New(connection, "MULTI"));
                    for (int left = random.Next(5); left > 0; left--)
                        commands.Add(New(connection, random.Next(6) == 0 ? TurnOn(random) : Ordinary(random, ref value)));
                    commands.Add(New(connection, random.Next(8) == 0 ? "DISCARD" : "EXEC"));
                    break;
                case 2:
                    commands.Add(New(connection, "CLIENT", "CACHING", One(random, ["YES", "NO", "yes", "maybe"])));
                    if (random.Next(2) == 0)
                        commands.Add(New(connection, "CLIENT", "TRACKINGINFO"));
                    commands.Add(New(connection, Read(random)));
                    break;
                case 3 or 4:
                    commands.Add(New(connection, Control(random)));
                    break;
                default:
                    commands.Add(New(connection, Ordinary(random, ref value)));
                    break;
            }
        }

        return new Episode(Name, seed, 2, Connections, Pipelined: false, commands);
    }

    private static string[] Control(Random random) =>
        random.Next(16) switch
        {
            0 => ["CLIENT", "TRACKING", "OFF"],
            1 => ["CLIENT", "GETREDIR"],
            2 => ["CLIENT", "TRACKINGINFO"],
            3 => ["SUBSCRIBE", "__redis__:invalidate"],
            4 => ["UNSUBSCRIBE", "__redis__:invalidate"],
            5 => ["RESET"],
            6 => ["HELLO", "2"],
            7 => ["HELLO", "3"],
            8 => ["QUIT"],
            9 => ["SELECT", One(random, ["0", "0", "1"])],
            10 => ["CLIENT", "CACHING"],
            _ => TurnOn(random),
        };

    private static string[] TurnOn(Random random)
    {
        List<string> words = ["CLIENT", "TRACKING", One(random, ["ON", "on", "ON", "ON", "maybe"])];
        switch (random.Next(6))
        {
            case 0:
                words.Add("OPTIN");
                break;
            case 1:
                words.Add("OPTOUT");
                break;
            case 2 or 3:
                words.Add("BCAST");
                for (int left = random.Next(3); left > 0; left--)
                    words.AddRange(["PREFIX", One(random, Prefixes)]);
                break;
        }

        if (random.Next(3) == 0)
            words.Add("NOLOOP");
        if (random.Next(4) == 0)
            words.AddRange(["REDIRECT", One(random, ["@0", "@1", "@2", "@3", "@4", "@5", "0", "x", "999999"])]);
        if (random.Next(12) == 0)
            words.Add(One(random, ["OPTIN", "OPTOUT", "BCAST", "PREFIX", "REDIRECT", "what"]));
        return [.. words];
    }

    private static string[] Ordinary(Random random, ref int value) => random.Next(5) < 2 ? Read(random) : Write(random, ref value);

    private static string[] Read(Random random)
    {
        string key = One(random, Keys);
        return random.Next(26) switch
        {
            0 or 1 or 2 or 3 => ["GET", key],
            4 => ["MGET", .. Some(random)],
            5 => ["EXISTS", .. Some(random)],
            6 => ["TYPE", key],
            7 => ["STRLEN", key],
            8 => ["HGET", key, "f"],
            9 => ["LRANGE", key, "0", "-1"],
            10 => ["SCARD", key],
            11 => ["ZSCORE", key, "m"],
            12 => ["SINTERCARD", "2", key, One(random, Keys)],
            13 => ["ZUNION", "2", key, One(random, Keys)],
            14 => ["LCS", key, One(random, Keys)],
            15 => ["BITCOUNT", key],
            16 => ["SORT_RO", key, "BY", "nosort"],
            17 => ["XREAD", "COUNT", "1", "STREAMS", key, One(random, Keys), "0", "0"],
            18 => ["GETRANGE", key, "0", "1"],
            19 => ["OBJECT", "ENCODING", key],
            20 => ["TOUCH", .. Some(random)],
            21 => ["SISMEMBER", key, "m"],
            22 => ["GET"],
            23 => ["DBSIZE"],
            24 => ["PING"],
            _ => ["PTTL", key + "none"],
        };
    }

    private static string[] Write(Random random, ref int value)
    {
        string key = One(random, Keys),
            other = One(random, Keys),
            number = (++value).ToString(CultureInfo.InvariantCulture);
        return random.Next(48) switch
        {
            0 or 1 or 2 or 3 or 4 => ["SET", key, number],
            5 => ["MSET", key, number, other, number],
            6 or 7 => ["DEL", .. Some(random)],
            8 => ["UNLINK", .. Some(random)],
            9 => ["INCR", key],
            10 => ["APPEND", key, "x"],
            11 or 12 => ["LPUSH", key, number],
            13 => ["LPOP", key],
            14 => ["HSET", key, "f", number],
            15 => ["HDEL", key, "f"],
            16 => ["SADD", key, "m", number],
            17 => ["SREM", key, "m"],
            18 => ["ZADD", key, number, "m"],
            19 => ["ZREM", key, "m"],
            20 => ["RENAME", key, other],
            21 => ["COPY", key, other, "REPLACE"],
            22 => ["COPY", key, other, "DB", "1"],
            23 => ["MOVE", key, "1"],
            24 => ["EXPIRE", key, "1000"],
            25 => ["PERSIST", key],
            26 => ["GETDEL", key],
            27 => ["GETEX", key, "PERSIST"],
            28 => ["SETNX", key, number],
            29 => ["SORT", key, "BY", "nosort", "STORE", other],
            30 => ["SINTERSTORE", other, key, One(random, Keys)],
            31 => ["LMOVE", key, other, "LEFT", "RIGHT"],
            32 => ["BITOP", "NOT", other, key],
            33 => ["XADD", key, $"{number}-1", "f", "v"],
            34 => ["XTRIM", key, "MAXLEN", "0"],
            35 => ["FLUSHDB"],
            36 => ["FLUSHALL"],
            37 => ["PFADD", key, number],
            38 => ["SETRANGE", key, "1", "y"],
            39 => ["SETBIT", key, "3", "1"],
            40 => ["EXPIRE", key, "-1"],
            41 => ["RENAMENX", key, other],
            42 => ["LSET", key, "0", number],
            43 => ["SMOVE", key, other, "m"],
            44 => ["SET", key, number, "GET"],
            45 => ["ZUNIONSTORE", other, "1", key],
            46 => ["HINCRBY", key, "f", "1"],
            _ => ["SPOP", key, "100"],
        };
    }

    private static string One(Random random, string[] from) => from[random.Next(from.Length)];

    private static string[] Some(Random random) => [.. Enumerable.Range(0, random.Next(1, 4)).Select(_ => One(random, Keys))];

    private static Command New(int connection, params string[] words) => new(connection, [.. words.Select(Encoding.Latin1.GetBytes)]);
}
