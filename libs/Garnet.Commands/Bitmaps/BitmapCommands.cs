// The table of bitmap commands.
using Garnet.Engine.Execution;

namespace Garnet.Commands.Bitmaps;

/// <summary>Registers the bitmap commands.</summary>
internal static class BitmapCommands
{
    public static CommandDescriptor[] All =>
        [
            BitCountCommand.Descriptor,
            BitFieldCommand.Descriptor,
            BitFieldReadOnlyCommand.Descriptor,
            BitOpCommand.Descriptor,
            BitPosCommand.Descriptor,
            GetBitCommand.Descriptor,
            SetBitCommand.Descriptor,
        ];
}
