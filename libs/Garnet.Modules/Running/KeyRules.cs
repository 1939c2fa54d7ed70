// Rules that all kinds of keys share. Stateless.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Garnet.Store;

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

    /// <summary>Sets the expiry of a key, if it exists.</summary>
    public static void SetExpiry(ref byte context, ref RecordHandle record, long expiresAtMs)
    {
        CheckWrite(ref context);
        if (record.Exists)
            record.SetExpiry(Expiry(expiresAtMs));
    }

    /// <summary>Deletes a key; false when it does not exist.</summary>
    public static bool Delete(ref byte context, ref RecordHandle record)
    {
        CheckWrite(ref context);
        return record.Delete();
    }

    /// <summary>
    /// An argument for a change of a value. If the module may hold spans of the value, the argument may be one, which would change while
    /// the value is changed.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> Argument(scoped ReadOnlySpan<byte> argument, bool mayAlias) =>
        mayAlias ? argument.ToArray() : Unscoped(argument);

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
