// The command families and the generators of their histories. Stateless; any thread.
using Garnet.EndToEnd.Tests.Differential.Generators;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>A group of commands whose histories are generated together.</summary>
/// <param name="Name">Also the name of its transcript.</param>
/// <param name="Create">Creates its generator.</param>
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
        new("acl", (source, dialect) => new AclCommands(source, dialect)),
        new("scripts", (source, dialect) => new ScriptCommands(source, dialect)),
        new("conditions", (source, dialect) => new ConditionCommands(source, dialect)),
        new("mixed", (source, dialect) => new MixedCommands(source, dialect)),
    ];

    /// <summary>The families to which Redis 7.0 replies like Valkey; the others have new error texts or new rules throughout.</summary>
    public static IEnumerable<Family> KnownToRedis =>
        All.Where(family => family.Name is not ("transactions" or "connection" or "server" or "streams" or "acl" or "conditions"));

    /// <summary>The family with this name.</summary>
    public static Family Named(string name) => All.Single(family => family.Name == name);

    /// <summary>Generates one history that starts from an empty server; equal seeds give equal histories.</summary>
    public Episode Generate(int seed, Dialect dialect)
    {
        // Only Valkey treats subcommands as C strings.
        bool hasOptions = Name is "strings" or "bitmaps" or "hashes" or "sets" or "geo" or "sort" or "streams" or "lists" or "sorted-sets";
        var source = new ArgumentSource(new Random(seed), wordsMayEndInZero: hasOptions);
        int protocol = source.Pick(2, 3);
        CommandGenerator generator = Create(source, dialect);
        // Single and pipelined commands take different code paths in a server.
        bool pipelined = generator.Connections == 1 && source.OneIn(2);
        return new Episode(Name, seed, protocol, generator.Connections, pipelined, generator.Generate(CommandsPerEpisode));
    }
}
