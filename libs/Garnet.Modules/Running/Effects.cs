// Effects that a module's command adds. Stateless; on the thread that executes the command.
using System.Runtime.CompilerServices;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Modules;

namespace Garnet.Modules.Running;

/// <summary>
/// Writes effects where they belong: those of a command that calls others come after the effects of its calls, those of any other command
/// go straight to the buffer that is passed on.
/// </summary>
internal static class Effects
{
    /// <summary>Begins an effect; null when no one takes effects.</summary>
    /// <exception cref="InvalidOperationException">There are too many.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static EffectBuffer? Begin(ref CommandContext context, ModuleScope? scope, int arguments, long bytes)
    {
        if (!context.HasSink)
            return null;
        if (scope is not null)
            return BeginAdded(ref context, scope, arguments, bytes);
        CheckSpace(ref context, 0, arguments, bytes);
        return context.BeginEffect(arguments);
    }

    private static EffectBuffer BeginAdded(ref CommandContext context, ModuleScope scope, int arguments, long bytes)
    {
        CheckSpace(ref context, scope.Added.Bytes, arguments, bytes);
        return scope.Added.Begin(arguments);
    }

    private static void CheckSpace(ref CommandContext context, long before, int arguments, long bytes)
    {
        if (before + bytes + ((long)arguments * EffectBuffer.ArgumentOverheadBytes) > context.FreeEffectBytes)
            throw new InvalidOperationException("The effects of the command are too long.");
    }
}
