// What the FUNCTION subcommands that change libraries have in common. Runs on the client's thread.
using Garnet.Engine.Execution;

namespace Garnet.Server.Commands.Scripting;

/// <summary>
/// Changes libraries while no other client executes a command, and propagates the command as it was sent, unless the change describes
/// another effect.
/// </summary>
internal static class FunctionChange
{
    /// <summary>A change; writes the reply, and returns whether it changed anything.</summary>
    internal delegate bool Change(ref CommandContext context);

    public static void Run(ref CommandContext context, Change change)
    {
        if (!context.Client.Executor.TryBeginAlone(ref context))
            return;
        context.SuppressEffect();
        int effects = EffectsOf(context.Client);
        if (!change(ref context))
            return;
        context.Store.Changes.Count++;
        context.Store.Slot.Changes++;
        if (EffectsOf(context.Client) == effects)
            context.KeepEffect();
    }

    private static int EffectsOf(ClientSession client) => client.Propagation.HasEffects ? client.Propagation.Effects.Count : 0;
}
