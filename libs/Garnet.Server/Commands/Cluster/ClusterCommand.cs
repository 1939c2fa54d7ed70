// CLUSTER <subcommand>
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Cluster;

/// <summary>
/// The container of the CLUSTER subcommands. A server that is not part of a cluster knows their names, by which users get the right to
/// them, and answers with Valkey's error, by which clients and tools find out what it is.
/// </summary>
internal static class ClusterCommand
{
    private const CommandFlags Reads = CommandFlags.Loading | CommandFlags.Stale;
    private const CommandFlags Changes = CommandFlags.Admin | CommandFlags.Stale | CommandFlags.NoAsyncLoading;
    private const CommandFlags Administers = CommandFlags.Admin | CommandFlags.Stale;
    private const string Varies = "nondeterministic_output";

    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "CLUSTER",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Cluster,
        Since = "3.0.0",
        Subcommands =
        [
            New("ADDSLOTS", -3, Changes, "3.0.0"),
            New("ADDSLOTSRANGE", -4, Changes, "7.0.0"),
            New("BUMPEPOCH", 2, Changes, "3.0.0", Varies),
            New("CANCELSLOTMIGRATIONS", 2, Changes, "9.0.0"),
            New("COUNT-FAILURE-REPORTS", 3, Administers, "3.0.0", Varies),
            New("COUNTKEYSINSLOT", 3, CommandFlags.Stale, "3.0.0"),
            New("DELSLOTS", -3, Changes, "3.0.0"),
            New("DELSLOTSRANGE", -4, Changes, "7.0.0"),
            New("FAILOVER", -2, Changes, "3.0.0"),
            new()
            {
                Name = "FLUSHSLOT",
                Arity = -3,
                Flags = CommandFlags.Write | CommandFlags.Admin | CommandFlags.NoAsyncLoading,
                Categories = AclCategories.Keyspace,
                Group = CommandGroup.Cluster,
                Since = "9.0.0",
                Handler = Refuse,
            },
            New("FLUSHSLOTS", 2, Changes, "3.0.0"),
            New("FORGET", 3, Changes, "3.0.0"),
            New("GETKEYSINSLOT", 4, CommandFlags.Stale, "3.0.0", Varies),
            New("GETSLOTMIGRATIONS", 2, Changes, "9.0.0"),
            New("HELP", 2, Reads, "5.0.0"),
            New("INFO", 2, Reads, "3.0.0", Varies),
            ClusterKeySlotCommand.Descriptor,
            New("LINKS", 2, CommandFlags.Stale, "7.0.0", Varies),
            New("MEET", -4, Changes, "3.0.0"),
            New("MIGRATESLOTS", -4, Changes, "9.0.0"),
            New("MYID", 2, Reads, "3.0.0"),
            New("MYSHARDID", 2, Reads, "7.2.0", Varies),
            New("NODES", 2, Reads, "3.0.0", Varies),
            New("REPLICAS", 3, Administers, "5.0.0", Varies),
            New("REPLICATE", -3, Changes, "3.0.0"),
            New("RESET", -2, Administers | CommandFlags.NoScript, "3.0.0"),
            New("SAVECONFIG", 2, Changes, "3.0.0"),
            New("SET-CONFIG-EPOCH", 3, Changes, "3.0.0"),
            New("SETSLOT", -4, Changes, "3.0.0"),
            New("SHARDS", 2, Reads, "7.0.0", Varies),
            New("SLAVES", 3, Administers, "3.0.0", Varies),
            New("SLOT-STATS", -4, Reads, "8.0.0", Varies, "request_policy:all_shards"),
            New("SLOTS", 2, Reads, "3.0.0", Varies),
            New("SYNCSLOTS", -3, Changes, "9.0.0"),
        ],
    };

    private static CommandDescriptor New(string name, int arity, CommandFlags flags, string since, params string[] tips) =>
        new()
        {
            Name = name,
            Arity = arity,
            Flags = flags,
            Group = CommandGroup.Cluster,
            Since = since,
            Tips = tips,
            Handler = Refuse,
        };

    private static void Refuse(ref CommandContext context) => context.Reply.WriteError("ERR This instance has cluster support disabled"u8);
}
