// Lets the parts of a module's call refer to the command's context. Stateless.
using System.Runtime.CompilerServices;
using Garnet.Engine.Execution;

namespace Garnet.Modules.Running;

/// <summary>
/// The language has no reference fields to ref structs, so they are references to the first byte. The scope of the reference is that of the
/// module's context, which does not outlive the command's context on the stack below it.
/// </summary>
internal static class ContextReference
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte ToBytes(ref CommandContext context) => ref Unsafe.As<CommandContext, byte>(ref context);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref CommandContext Of(ref byte context) => ref Unsafe.As<byte, CommandContext>(ref context);
}
