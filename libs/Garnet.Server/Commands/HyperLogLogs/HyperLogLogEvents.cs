// The events of commands for HyperLogLogs. Constants.
using Garnet.Server.Notifications;

namespace Garnet.Server.Commands.HyperLogLogs;

/// <summary>What is told in notifications.</summary>
internal static class HyperLogLogEvents
{
    public static readonly KeyEvent PfAdd = new(KeyEventClasses.String, "pfadd");
}
