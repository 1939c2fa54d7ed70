// The table of commands for keys of any type and for whole databases.
using Garnet.Engine.Execution;

namespace Garnet.Commands.Keys;

/// <summary>Registers the key commands.</summary>
internal static class KeyCommands
{
    public static CommandDescriptor[] All =>
        [
            CopyCommand.Descriptor,
            DbSizeCommand.Descriptor,
            DelCommand.Descriptor,
            ExistsCommand.Descriptor,
            ExpireCommand.Descriptor,
            ExpireAtCommand.Descriptor,
            ExpireTimeCommand.Descriptor,
            FlushDbCommand.Descriptor,
            KeysCommand.Descriptor,
            MoveCommand.Descriptor,
            ObjectCommand.Descriptor,
            PersistCommand.Descriptor,
            PexpireCommand.Descriptor,
            PexpireAtCommand.Descriptor,
            PexpireTimeCommand.Descriptor,
            PttlCommand.Descriptor,
            RandomKeyCommand.Descriptor,
            RenameCommand.Descriptor,
            RenameNxCommand.Descriptor,
            ScanCommand.Descriptor,
            SelectCommand.Descriptor,
            SortCommand.Descriptor,
            SortRoCommand.Descriptor,
            SwapDbCommand.Descriptor,
            TouchCommand.Descriptor,
            TtlCommand.Descriptor,
            TypeCommand.Descriptor,
            UnlinkCommand.Descriptor,
        ];
}
