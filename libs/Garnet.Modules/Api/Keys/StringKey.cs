// A latched string. Lives on the stack of one call.
using Garnet.Modules.Running;
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Modules;

/// <summary>
/// A key that holds a string or does not exist, latched until the command ends: what is read and written through it is one step for other
/// clients. Writing needs a command with <see cref="CommandFlags.Write"/>.
/// </summary>
public ref struct StringKey
{
    private readonly ref byte _context;
    private RecordHandle _record;

    internal StringKey(ref byte context, RecordHandle record)
    {
        _context = ref context;
        _record = record;
    }

    /// <summary>Whether the key exists.</summary>
    public readonly bool Exists => _record.Exists;

    /// <summary>The value; empty when the key does not exist. Invalid after the next change of this key.</summary>
    public readonly ReadOnlySpan<byte> Value => _record.Value;

    /// <summary>Unix time in milliseconds at which the key expires; -1 when it does not.</summary>
    public readonly long ExpiresAtMs => _record.ExpiresAtMs;

    /// <summary>Reads the value as an integer; a key that does not exist is 0.</summary>
    public readonly bool TryGetInteger(out long value)
    {
        value = 0;
        return !_record.Exists || IntegerText.TryParse(_record.Value, out value);
    }

    /// <summary>Sets the value and keeps the expiry of a key that exists.</summary>
    /// <exception cref="InvalidOperationException">The command does not have the flag Write; as for every change.</exception>
    public void Set(scoped ReadOnlySpan<byte> value)
    {
        KeyRules.CheckWrite(ref _context);
        if (value.Overlaps(_record.Value))
            value = value.ToArray();
        _record.SetKeepingExpiry(value);
    }

    /// <summary>Sets the value to the digits of an integer and keeps the expiry of a key that exists.</summary>
    public void Set(long value)
    {
        KeyRules.CheckWrite(ref _context);
        Span<byte> digits = stackalloc byte[IntegerText.MaxLength];
        _record.SetKeepingExpiry(digits[..IntegerText.Format(value, digits)]);
    }

    /// <summary>Sets the value and the expiry.</summary>
    /// <param name="value">The value.</param>
    /// <param name="expiresAtMs">Unix time in milliseconds at which the key expires; -1 for never.</param>
    public void Set(scoped ReadOnlySpan<byte> value, long expiresAtMs)
    {
        KeyRules.CheckWrite(ref _context);
        if (value.Overlaps(_record.Value))
            value = value.ToArray();
        _record.Set(value, KeyRules.Expiry(expiresAtMs));
    }

    /// <summary>
    /// Adds to the integer that the key holds, where a key that does not exist is 0; keeps the expiry. False, without a change, when the
    /// value is no integer or the sum is out of range.
    /// </summary>
    public bool TryIncrement(long by, out long sum)
    {
        KeyRules.CheckWrite(ref _context);
        sum = 0;
        if (!TryGetInteger(out long value) || !KeyRules.TryAdd(value, by, out sum))
            return false;
        Span<byte> digits = stackalloc byte[IntegerText.MaxLength];
        _record.SetKeepingExpiry(digits[..IntegerText.Format(sum, digits)]);
        return true;
    }

    /// <summary>Sets the expiry of a key that exists.</summary>
    /// <param name="expiresAtMs">Unix time in milliseconds; -1 for never.</param>
    public void SetExpiry(long expiresAtMs) => KeyRules.SetExpiry(ref _context, ref _record, expiresAtMs);

    /// <summary>Deletes the key; false when it does not exist.</summary>
    public bool Delete() => KeyRules.Delete(ref _context, ref _record);
}
