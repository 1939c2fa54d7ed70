// XREVRANGE key end start [COUNT count]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Streams;

/// <summary>Replies with the entries in a range of IDs, in descending order.</summary>
internal static class XRevRangeCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "XREVRANGE",
        Arity = -4,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => EntryRange.Execute(ref context, isReverse: true);
}
