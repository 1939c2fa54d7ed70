// The events of commands for HyperLogLogs. Constants.
using Garnet.Engine.Events;

namespace Garnet.Commands.HyperLogLogs;

/// <summary>The keyspace events of these commands.</summary>
internal static class HyperLogLogEvents
{
    public static readonly KeyEvent PfAdd = new(KeyEventClasses.String, "pfadd");
}
