// Seeded random histories whose events are compared. Stateless; any thread.
using System.Text;

namespace Garnet.EndToEnd.Tests.Differential.Notifications;

/// <summary>
/// The histories of every family that changes keys, and one of clients that wait for keys. Each command is sent by itself, as the events
/// of a pipeline could not be told apart.
/// </summary>
internal static class EventHistory
{
    /// <summary>The name of the transcript.</summary>
    public const string Transcript = "notifications";

    private const string Expiring = "expiring";
    private const string Waiting = "waiting";
    private const int WaitsPerEpisode = 25;

    /// <summary>The families; the others change what all clients share, or no keys.</summary>
    public static string[] Families { get; } =
    [
        .. Family
            .All.Select(static family => family.Name)
            .Where(static name => name is not ("connection" or "server" or "acl" or "conditions")),
        Expiring,
        Waiting,
    ];

    private static readonly string[] ExpiringFamilies =
    [
        "strings",
        "bitmaps",
        "hyperloglog",
        "hashes",
        "hashes",
        "sets",
        "geo",
        "streams",
        "keys",
        "lists",
        "sorted-sets",
    ];

    /// <summary>Generates one history that starts from an empty server; equal seeds give equal histories.</summary>
    public static Episode Generate(string family, int seed) =>
        family switch
        {
            Waiting => Wait(seed),
            Expiring => Expire(seed),
            _ => Settled(Family.Named(family).Generate(seed, Dialect.Valkey91)),
        };

    // Without keys that are restored to expire while the history runs.
    private static Episode Settled(Episode episode) =>
        episode with
        {
            Pipelined = false,
            Commands = [.. episode.Commands.Where(static command => !(command.Name == "RESTORE" && command.Argument(2) == "1"))],
        };

    // A history of one family, some of whose keys and fields expire.
    private static Episode Expire(int seed)
    {
        var random = new Random(seed);
        Episode basis = Generate(ExpiringFamilies[random.Next(ExpiringFamilies.Length)], seed);
        List<Command> commands = [];
        foreach (Command command in basis.Commands)
        {
            // Which expired keys an iteration removes is up to the server.
            if (command.Name is not ("SCAN" or Command.ScanAll or "KEYS" or "RANDOMKEY"))
                commands.Add(command);
            if (random.Next(4) > 0)
                continue;
            string key = $"k{random.Next(6)}";
            commands.Add(New(0, "HPEXPIRE", $"k{random.Next(6)}", "1", "FIELDS", "2", $"f{random.Next(8)}", $"f{random.Next(8)}"));
            commands.Add(New(0, "PEXPIRE", key, "1"));
            commands.Add(New(0, EventRunner.Wait));
        }

        return basis with
        {
            Family = Expiring,
            Commands = commands,
        };
    }

    private static Episode Wait(int seed)
    {
        var random = new Random(seed);
        List<Command> commands = [];
        for (int i = 0; i < WaitsPerEpisode; i++)
        {
            commands.Add(New(0, "DEL", "a", "b", "c"));
            if (random.Next(3) == 0)
                commands.Add(New(0, "RPUSH", "c", "there"));
            if (random.Next(3) == 0)
                AddRead(commands, random.Next(2) == 0);
            else
                AddPop(commands, random);
        }

        return new Episode(Waiting, seed, random.Next(2, 4), 2, Pipelined: false, commands);
    }

    private static void AddPop(List<Command> commands, Random random)
    {
        (string[] waiting, bool isScored) = random.Next(8) switch
        {
            0 => ((string[])["BLPOP", "a", "b", "0"], false),
            1 => (["BRPOP", "b", "a", "0"], false),
            2 => (["BLMOVE", "a", "c", "LEFT", "RIGHT", "0"], false),
            3 => (["BRPOPLPUSH", "a", "a", "0"], false),
            4 => (["BLMPOP", "0", "2", "a", "b", "RIGHT", "COUNT", "2"], false),
            5 => (["BZPOPMIN", "a", "b", "0"], true),
            6 => (["BZPOPMAX", "b", "a", "0"], true),
            _ => (["BZMPOP", "0", "2", "a", "b", "MAX", "COUNT", "2"], true),
        };
        commands.Add(New(1, [EventRunner.Block, .. waiting]));
        string[] write = isScored
            ? ["ZADD", "a", "1", "x", .. random.Next(2) == 0 ? (string[])[] : ["2", "y", "3", "z"]]
            : [random.Next(2) == 0 ? "RPUSH" : "LPUSH", "a", "x", .. random.Next(2) == 0 ? (string[])[] : ["y", "z"]];
        bool isTransaction = random.Next(3) == 0;
        if (isTransaction)
        {
            commands.Add(New(0, "MULTI"));
            commands.Add(New(0, "SET", "other", "1"));
        }

        commands.Add(New(0, write));
        if (isTransaction)
        {
            commands.Add(New(0, "PUBLISH", "__keyspace@0__:other", "between"));
            commands.Add(New(0, "SET", "other", "2", "EX", "1000"));
            commands.Add(New(0, "EXEC"));
        }

        commands.Add(New(1, EventRunner.Served));
    }

    private static void AddRead(List<Command> commands, bool isGroup)
    {
        commands.Add(New(0, "XGROUP", "CREATE", "a", "group", "$", "MKSTREAM"));
        commands.Add(
            New(
                1,
                isGroup
                    ? [EventRunner.Block, "XREADGROUP", "GROUP", "group", "me", "BLOCK", "0", "STREAMS", "a", ">"]
                    : [EventRunner.Block, "XREAD", "BLOCK", "0", "STREAMS", "b", "a", "$", "$"]
            )
        );
        commands.Add(New(0, "XADD", "a", "MAXLEN", "1", "1-1", "field", "value"));
        commands.Add(New(1, EventRunner.Served));
    }

    private static Command New(int connection, params string[] words) => new(connection, [.. words.Select(Encoding.Latin1.GetBytes)]);
}
