// The table of transaction commands.
using Garnet.Engine.Execution;

namespace Garnet.Commands.Transactions;

/// <summary>Registers the transaction commands.</summary>
internal static class TransactionCommands
{
    public static CommandDescriptor[] All =>
        [MultiCommand.Descriptor, ExecCommand.Descriptor, DiscardCommand.Descriptor, WatchCommand.Descriptor, UnwatchCommand.Descriptor];
}
