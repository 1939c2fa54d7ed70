// The table of string commands.
using Garnet.Engine.Execution;

namespace Garnet.Commands.Strings;

/// <summary>Registers the string commands.</summary>
internal static class StringCommands
{
    public static CommandDescriptor[] All =>
        [
            AppendCommand.Descriptor,
            DecrCommand.Descriptor,
            DecrByCommand.Descriptor,
            DelIfEqCommand.Descriptor,
            GetCommand.Descriptor,
            GetDelCommand.Descriptor,
            GetExCommand.Descriptor,
            GetRangeCommand.Descriptor,
            GetSetCommand.Descriptor,
            IncrCommand.Descriptor,
            IncrByCommand.Descriptor,
            IncrByFloatCommand.Descriptor,
            LcsCommand.Descriptor,
            MGetCommand.Descriptor,
            MSetCommand.Descriptor,
            MSetExCommand.Descriptor,
            MSetNxCommand.Descriptor,
            PSetExCommand.Descriptor,
            SetCommand.Descriptor,
            SetExCommand.Descriptor,
            SetNxCommand.Descriptor,
            SetRangeCommand.Descriptor,
            StrLenCommand.Descriptor,
            SubStrCommand.Descriptor,
        ];
}
