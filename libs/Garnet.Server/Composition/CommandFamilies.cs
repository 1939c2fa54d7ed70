// The families of commands of a server. Adding a family is one line here; adding a command is one line in its family.
using Garnet.Commands.Bitmaps;
using Garnet.Commands.Geo;
using Garnet.Commands.Hashes;
using Garnet.Commands.HyperLogLogs;
using Garnet.Commands.Keys;
using Garnet.Commands.Lists;
using Garnet.Commands.Sets;
using Garnet.Commands.SortedSets;
using Garnet.Commands.Streams;
using Garnet.Commands.Strings;
using Garnet.Commands.Transactions;
using Garnet.Engine.Execution;
using Garnet.Server.Commands.Cluster;
using Garnet.Server.Commands.Connection;
using Garnet.Server.Commands.Keys;
using Garnet.Server.Commands.PubSub;
using Garnet.Server.Commands.Replication;
using Garnet.Server.Commands.Scripting;
using Garnet.Server.Commands.Server;

namespace Garnet.Server.Composition;

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
