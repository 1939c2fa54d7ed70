// The table of bitmap commands.
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Bitmaps;

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
