// The table of hash commands.
using Garnet.Engine.Execution;

namespace Garnet.Commands.Hashes;

/// <summary>Registers the hash commands.</summary>
internal static class HashCommands
{
    public static CommandDescriptor[] All =>
        [
            HDelCommand.Descriptor,
            HExistsCommand.Descriptor,
            HExpireCommand.Descriptor,
            HExpireAtCommand.Descriptor,
            HExpireTimeCommand.Descriptor,
            HGetCommand.Descriptor,
            HGetAllCommand.Descriptor,
            HGetDelCommand.Descriptor,
            HGetExCommand.Descriptor,
            HIncrByCommand.Descriptor,
            HIncrByFloatCommand.Descriptor,
            HKeysCommand.Descriptor,
            HLenCommand.Descriptor,
            HMGetCommand.Descriptor,
            HMSetCommand.Descriptor,
            HPExpireCommand.Descriptor,
            HPExpireAtCommand.Descriptor,
            HPExpireTimeCommand.Descriptor,
            HPTtlCommand.Descriptor,
            HPersistCommand.Descriptor,
            HRandFieldCommand.Descriptor,
            HScanCommand.Descriptor,
            HSetCommand.Descriptor,
            HSetExCommand.Descriptor,
            HSetNxCommand.Descriptor,
            HStrLenCommand.Descriptor,
            HTtlCommand.Descriptor,
            HValsCommand.Descriptor,
        ];
}
