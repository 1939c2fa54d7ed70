// The table of transaction commands.
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Transactions;

/// <summary>Registers the transaction commands.</summary>
internal static class TransactionCommands
{
    public static CommandDescriptor[] All =>
        [MultiCommand.Descriptor, ExecCommand.Descriptor, DiscardCommand.Descriptor, WatchCommand.Descriptor, UnwatchCommand.Descriptor];
}
