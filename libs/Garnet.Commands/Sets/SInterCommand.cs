// SINTER key [key ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Sets;

/// <summary>Replies with the intersection of sets.</summary>
internal static class SInterCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SINTER",
        Arity = -2,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Set,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, -1, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Tips = ["nondeterministic_output_order"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (SetSources.TryOpen(ref context, 1, context.Count - 1, hasTarget: false, out SetSources sources))
            SetIntersection.Reply(ref context, in sources);
    }
}
