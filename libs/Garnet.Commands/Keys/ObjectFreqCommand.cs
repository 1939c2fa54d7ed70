// OBJECT FREQ key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>Replies with a key's logarithmic access counter, which only the LFU policies maintain.</summary>
internal static class ObjectFreqCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "FREQ",
        Arity = 3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Generic,
        Traits = CommandTraits.IgnoresValue,
        Categories = AclCategories.Keyspace,
        Since = "4.0.0",
        Keys = [KeySpec.Range(2, 0, 1, KeySpecFlags.RO)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        RecordInfoReader reader = default;
        if (!ObjectLookup.TryRead(ref context, ref reader))
            return;
        if (context.Store.Store.Eviction.CountsFrequency)
        {
            context.Reply.WriteInteger(reader.Info.Access);
        }
        else
        {
            context.Reply.WriteError(
                "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust."u8
            );
        }
    }
}
