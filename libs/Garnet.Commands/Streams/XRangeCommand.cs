// XRANGE key start end [COUNT count]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Streams;

/// <summary>Replies with the entries in a range of IDs, in ascending order.</summary>
internal static class XRangeCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "XRANGE",
        Arity = -4,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => EntryRange.Execute(ref context, isReverse: false);
}
