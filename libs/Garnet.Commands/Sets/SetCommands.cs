// The table of set commands.
using Garnet.Engine.Execution;

namespace Garnet.Commands.Sets;

/// <summary>Registers the set commands.</summary>
internal static class SetCommands
{
    public static CommandDescriptor[] All =>
        [
            SAddCommand.Descriptor,
            SCardCommand.Descriptor,
            SDiffCommand.Descriptor,
            SDiffStoreCommand.Descriptor,
            SInterCommand.Descriptor,
            SInterCardCommand.Descriptor,
            SInterStoreCommand.Descriptor,
            SIsMemberCommand.Descriptor,
            SMIsMemberCommand.Descriptor,
            SMembersCommand.Descriptor,
            SMoveCommand.Descriptor,
            SPopCommand.Descriptor,
            SRandMemberCommand.Descriptor,
            SRemCommand.Descriptor,
            SScanCommand.Descriptor,
            SUnionCommand.Descriptor,
            SUnionStoreCommand.Descriptor,
        ];
}
