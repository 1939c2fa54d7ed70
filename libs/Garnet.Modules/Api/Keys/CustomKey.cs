// A latched key with a module's own type. Lives on the stack of one call.
using Garnet.Modules.Running;
using Garnet.Store.DataTypes;

namespace Garnet.Modules;

/// <summary>
/// A key that holds a value of a module's type or does not exist, latched until the command ends. Writing needs a command with
/// <see cref="CommandFlags.Write"/>.
/// </summary>
/// <typeparam name="T">The type.</typeparam>
public ref struct CustomKey<T>
    where T : ModuleType, IModuleType<T>
{
    private readonly ref byte _context;
    private CustomValue _value;

    internal CustomKey(ref byte context, CustomValue value)
    {
        _context = ref context;
        _value = value;
    }

    /// <summary>Whether the key exists.</summary>
    public readonly bool Exists => _value.Exists;

    /// <summary>The value's bytes; empty when the key does not exist. Invalid after the next change of this key.</summary>
    public readonly ReadOnlySpan<byte> Payload => _value.Exists ? _value.Payload : default;

    /// <summary>Unix time in milliseconds at which the key expires; -1 when it does not.</summary>
    public readonly long ExpiresAtMs => _value.ExpiresAtMs;

    /// <summary>Creates or replaces the value; keeps the expiry of a key that exists.</summary>
    /// <exception cref="InvalidOperationException">The command does not have the flag Write; as for every change.</exception>
    public void Set(scoped ReadOnlySpan<byte> payload)
    {
        KeyRules.CheckWrite(ref _context);
        _value.Set(T.Instance.Inner, payload);
    }

    /// <summary>The bytes of a value that exists, to be changed in place until the next change of this key. Counts as a change.</summary>
    /// <exception cref="InvalidOperationException">The key does not exist.</exception>
    public Span<byte> Edit()
    {
        KeyRules.CheckWrite(ref _context);
        return _value.Edit();
    }

    /// <summary>Sets the expiry of the key, if it exists.</summary>
    /// <param name="expiresAtMs">Unix time in milliseconds; -1 for never.</param>
    public void SetExpiry(long expiresAtMs) => KeyRules.SetExpiry(ref _context, ref _value.Record, expiresAtMs);

    /// <summary>Deletes the key; false when it does not exist.</summary>
    public bool Delete() => KeyRules.Delete(ref _context, ref _value.Record);
}
