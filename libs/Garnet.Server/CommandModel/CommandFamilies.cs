// The families of commands of a server. Adding a family is one line here; adding a command is one line in its family.
using Garnet.Server.Commands.Bitmaps;
using Garnet.Server.Commands.Cluster;
using Garnet.Server.Commands.Connection;
using Garnet.Server.Commands.Geo;
using Garnet.Server.Commands.Hashes;
using Garnet.Server.Commands.HyperLogLogs;
using Garnet.Server.Commands.Keys;
using Garnet.Server.Commands.Lists;
using Garnet.Server.Commands.PubSub;
using Garnet.Server.Commands.Replication;
using Garnet.Server.Commands.Scripting;
using Garnet.Server.Commands.Server;
using Garnet.Server.Commands.Sets;
using Garnet.Server.Commands.SortedSets;
using Garnet.Server.Commands.Streams;
using Garnet.Server.Commands.Strings;
using Garnet.Server.Commands.Transactions;

namespace Garnet.Server.CommandModel;

/// <summary>All families.</summary>
internal static class CommandFamilies
{
    /// <summary>Descriptors of every command.</summary>
    public static IEnumerable<CommandDescriptor> All =>
        [
            .. StringCommands.All,
            .. BitmapCommands.All,
            .. HyperLogLogCommands.All,
            .. ListCommands.All,
            .. HashCommands.All,
            .. SetCommands.All,
            .. SortedSetCommands.All,
            .. GeoCommands.All,
            .. StreamCommands.All,
            .. ConnectionCommands.All,
            .. ClusterCommands.All,
            .. KeyCommands.All,
            .. ServerKeyCommands.All,
            .. ServerCommands.All,
            .. TransactionCommands.All,
            .. PubSubCommands.All,
            .. ReplicationCommands.All,
            .. ScriptingCommands.All,
        ];
}
