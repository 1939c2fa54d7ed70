// Rules that all kinds of keys share. Stateless.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Garnet.Modules.Running;

/// <summary>Checks what modules ask of keys.</summary>
internal static class KeyRules
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void CheckWrite(ref byte context)
    {
        if (!ContextReference.Of(ref context).Command.IsWrite)
            RefuseWrite(ref context);
    }

    /// <summary>An expiry that the store accepts.</summary>
    public static long Expiry(long expiresAtMs)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(expiresAtMs, -1);
        return expiresAtMs;
    }

    public static bool TryAdd(long value, long by, out long sum)
    {
        sum = unchecked(value + by);
        return ((value ^ sum) & (by ^ sum)) >= 0;
    }

    /// <summary>
    /// An argument of the store's methods. These do not keep it, but the compiler takes into account that they might return a part of it.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> Unscoped(scoped ReadOnlySpan<byte> argument) =>
        MemoryMarshal.CreateReadOnlySpan(ref MemoryMarshal.GetReference(argument), argument.Length);

    private static void RefuseWrite(ref byte context)
    {
        string command = ContextReference.Of(ref context).Command.FullName;
        throw new InvalidOperationException($"The command '{command}' does not have the flag Write.");
    }
}
