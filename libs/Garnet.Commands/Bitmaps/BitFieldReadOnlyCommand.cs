// BITFIELD_RO key [GET type offset ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Bitmaps;

/// <summary>BITFIELD with GET operations only.</summary>
internal static class BitFieldReadOnlyCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "BITFIELD_RO",
        Arity = -2,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Bitmap,
        Since = "6.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => BitFieldCommand.Execute(ref context, mayWrite: false);
}
