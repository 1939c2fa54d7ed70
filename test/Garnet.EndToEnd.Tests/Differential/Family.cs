// The command families and how a history of each is made. Stateless; any thread.
using Garnet.EndToEnd.Tests.Differential.Generators;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>A group of commands whose histories are generated together.</summary>
/// <param name="Name">Also the name of its transcript.</param>
/// <param name="Create">Makes its generator.</param>
internal sealed record Family(string Name, Func<ArgumentSource, Dialect, CommandGenerator> Create)
{
    private const int CommandsPerEpisode = 100;

    public static readonly Family[] All =
    [
        new("strings", (source, dialect) => new StringCommands(source, dialect)),
        new("bitmaps", (source, dialect) => new BitmapCommands(source, dialect)),
        new("hyperloglog", (source, dialect) => new HyperLogLogCommands(source, dialect)),
        new("hashes", (source, dialect) => new HashCommands(source, dialect)),
        new("sets", (source, dialect) => new SetCommands(source, dialect)),
        new("geo", (source, dialect) => new GeoCommands(source, dialect)),
        new("sort", (source, dialect) => new SortCommands(source, dialect)),
        new("streams", (source, dialect) => new StreamCommands(source, dialect)),
        new("keys", (source, dialect) => new KeyCommands(source, dialect)),
        new("lists", (source, dialect) => new ListCommands(source, dialect)),
        new("sorted-sets", (source, dialect) => new SortedSetCommands(source, dialect)),
        new("dumps", (source, dialect) => new DumpCommands(source, dialect)),
        new("transactions", (source, dialect) => new TransactionCommands(source, dialect)),
        new("connection", (source, dialect) => new ConnectionCommands(source, dialect)),
        new("server", (source, dialect) => new ServerCommands(source, dialect)),
        new("mixed", (source, dialect) => new MixedCommands(source, dialect)),
    ];

    /// <summary>The families that Redis 7.0 answers as Valkey does; the others have new error texts or new rules throughout.</summary>
    public static IEnumerable<Family> KnownToRedis =>
        All.Where(family => family.Name is not ("transactions" or "connection" or "server" or "streams"));

    /// <summary>The family of this name.</summary>
    public static Family Named(string name) => All.Single(family => family.Name == name);

    /// <summary>One history that starts from an empty server; the same seed makes the same.</summary>
    public Episode Generate(int seed, Dialect dialect)
    {
        // Subcommands are C strings to Valkey alone.
        bool hasOptions = Name is "strings" or "bitmaps" or "hashes" or "sets" or "geo" or "sort" or "streams" or "lists" or "sorted-sets";
        var source = new ArgumentSource(new Random(seed), wordsMayEndInZero: hasOptions);
        int protocol = source.Pick(2, 3);
        CommandGenerator generator = Create(source, dialect);
        // Commands sent one at a time and commands sent together take different ways through a server.
        bool pipelined = generator.Connections == 1 && source.OneIn(2);
        return new Episode(Name, seed, protocol, generator.Connections, pipelined, generator.Generate(CommandsPerEpisode));
    }
}
