// SDIFFSTORE destination key [key ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Sets;

namespace Garnet.Commands.Sets;

/// <summary>Stores the difference of the first set and all others, and replies with the number of members.</summary>
internal static class SDiffStoreCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SDIFFSTORE",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.Set,
        Since = "1.0.0",
        Keys =
        [
            KeySpec.Range(1, 0, 1, KeySpecFlags.OW | KeySpecFlags.Update),
            KeySpec.Range(2, -1, 1, KeySpecFlags.RO | KeySpecFlags.Access),
        ],
        Event = SetEvents.DifferenceStore,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (
            !SetResult.TryReserve(ref context)
            || !SetSources.TryOpen(ref context, 2, context.Count - 2, hasTarget: true, out SetSources sources)
        )
        {
            return;
        }

        var result = SetValue.Detached(context.Store);
        SetDifference.AddTo(ref context, in sources, ref result);
        SetResult.Store(ref context, ref result);
    }
}
