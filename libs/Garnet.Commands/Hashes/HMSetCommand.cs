// HMSET key field value [field value ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Hashes;

/// <summary>Sets fields of a hash.</summary>
internal static class HMSetCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HMSET",
        Arity = -4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.Hash,
        Since = "2.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Update)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (HashSetting.TrySetPairs(ref context, out _))
            context.Reply.WriteOk();
    }
}
