// OBJECT IDLETIME key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>Replies with the seconds since the last access to a key, to within about an eighth beyond one minute.</summary>
internal static class ObjectIdleTimeCommand
{
    /// <summary>Valkey's LRU clock has 24 bits and wraps around after that many seconds (194 days).</summary>
    internal const long ClockMask = (1 << 24) - 1;

    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "IDLETIME",
        Arity = 3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Generic,
        Traits = CommandTraits.IgnoresValue,
        Categories = AclCategories.Keyspace,
        Since = "2.2.3",
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
            context.Reply.WriteError(
                "ERR An LFU maxmemory policy is selected, idle time not tracked. Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust."u8
            );
        }
        else
        {
            context.Reply.WriteInteger(context.Store.Store.Accesses.IdleSeconds(reader.Info.Access, context.Store.NowMs) & ClockMask);
        }
    }
}
