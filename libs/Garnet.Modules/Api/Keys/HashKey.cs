// A latched hash. Lives on the stack of one call.
using Garnet.Modules.Running;
using Garnet.Protocol;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Modules;

/// <summary>
/// A key that holds a hash or does not exist, latched until the command ends: what is read and written through it is one step for other
/// clients. The key is created with its first field and removed with its last. Writing needs a command with
/// <see cref="CommandFlags.Write"/>.
/// </summary>
public ref struct HashKey
{
    private const int MaxStackBytes = 256;

    private readonly ref byte _context;
    private HashValue _hash;
    private bool _mayAlias; // the module may hold spans of the value, which are not to be passed to the store

    internal HashKey(ref byte context, HashValue hash)
    {
        _context = ref context;
        _hash = hash;
        _mayAlias = false;
    }

    /// <summary>Whether the key exists.</summary>
    public readonly bool Exists => _hash.Exists;

    /// <summary>The number of fields, of which some may have expired.</summary>
    public readonly long Length => _hash.Length;

    /// <summary>Unix time in milliseconds at which the key expires; -1 when it does not.</summary>
    public long ExpiresAtMs => _hash.Record.ExpiresAtMs;

    /// <summary>The value of a field, which is invalid after the next change of this key; false when there is none.</summary>
    public bool TryGet(scoped ReadOnlySpan<byte> field, out ReadOnlySpan<byte> value)
    {
        _mayAlias = true;
        return _hash.TryGet(KeyRules.Unscoped(field), out value);
    }

    /// <summary>The value of a field as an integer; false when there is no field, or its value is no integer.</summary>
    public readonly bool TryGetInteger(scoped ReadOnlySpan<byte> field, out long value)
    {
        value = 0;
        return _hash.TryGet(KeyRules.Unscoped(field), out ReadOnlySpan<byte> text) && IntegerText.TryParse(text, out value);
    }

    /// <summary>The value of a field as a double; false when there is no field, or its value is no number.</summary>
    public readonly bool TryGetDouble(scoped ReadOnlySpan<byte> field, out double value)
    {
        value = 0;
        return _hash.TryGet(KeyRules.Unscoped(field), out ReadOnlySpan<byte> text) && DoubleText.TryParse(text, out value);
    }

    /// <summary>Whether a field exists.</summary>
    public readonly bool Contains(scoped ReadOnlySpan<byte> field) => _hash.TryGet(KeyRules.Unscoped(field), out _);

    /// <summary>Sets a field, whose expiry is removed; true when it is new.</summary>
    /// <exception cref="InvalidOperationException">The command does not have the flag Write; as for every change.</exception>
    public bool Set(scoped ReadOnlySpan<byte> field, scoped ReadOnlySpan<byte> value)
    {
        KeyRules.CheckWrite(ref _context);
        return _mayAlias ? SetCopies(field, value) : _hash.Set(KeyRules.Unscoped(field), KeyRules.Unscoped(value));
    }

    /// <summary>Sets a field to the digits of an integer; true when it is new.</summary>
    public bool Set(scoped ReadOnlySpan<byte> field, long value)
    {
        Span<byte> digits = stackalloc byte[IntegerText.MaxLength];
        return Set(field, digits[..IntegerText.Format(value, digits)]);
    }

    /// <summary>Sets a field to the shortest text of a double; true when it is new.</summary>
    public bool Set(scoped ReadOnlySpan<byte> field, double value)
    {
        Span<byte> text = stackalloc byte[DoubleText.MaxLength];
        return Set(field, text[..DoubleText.Format(value, text)]);
    }

    /// <summary>
    /// Adds to the integer in a field, where a field that does not exist is 0; keeps its expiry. False, without a change, when the value is
    /// no integer or the sum is out of range.
    /// </summary>
    public bool TryIncrement(scoped ReadOnlySpan<byte> field, long by, out long sum)
    {
        KeyRules.CheckWrite(ref _context);
        sum = 0;
        long value = 0;
        if (!_hash.TryGet(KeyRules.Unscoped(field), out ReadOnlySpan<byte> old, out long expiresAtMs))
            expiresAtMs = -1;
        else if (!IntegerText.TryParse(old, out value))
            return false;
        if (!KeyRules.TryAdd(value, by, out sum))
            return false;
        Span<byte> digits = stackalloc byte[IntegerText.MaxLength];
        digits = digits[..IntegerText.Format(sum, digits)];
        if (_mayAlias)
            SetCopies(field, digits, expiresAtMs);
        else
            _hash.Set(KeyRules.Unscoped(field), KeyRules.Unscoped(digits), expiresAtMs);
        return true;
    }

    /// <summary>Removes a field; false when there is none.</summary>
    public bool Remove(scoped ReadOnlySpan<byte> field)
    {
        KeyRules.CheckWrite(ref _context);
        return _hash.Remove(KeyRules.Unscoped(field));
    }

    /// <summary>Sets the expiry of the key, if it exists.</summary>
    /// <param name="expiresAtMs">Unix time in milliseconds; -1 for never.</param>
    public void SetExpiry(long expiresAtMs) => KeyRules.SetExpiry(ref _context, ref _hash.Record, expiresAtMs);

    /// <summary>Deletes the key; false when it does not exist.</summary>
    public bool Delete() => KeyRules.Delete(ref _context, ref _hash.Record);

    /// <summary>The fields in no particular order. The hash must not be changed meanwhile.</summary>
    public HashFields GetEnumerator()
    {
        _mayAlias = true;
        return new HashFields(_hash.GetEnumerator());
    }

    private bool SetCopies(scoped ReadOnlySpan<byte> field, scoped ReadOnlySpan<byte> value, long expiresAtMs = -1)
    {
        int bytes = field.Length + value.Length;
        Span<byte> copy = bytes <= MaxStackBytes ? stackalloc byte[MaxStackBytes] : new byte[bytes];
        field.CopyTo(copy);
        value.CopyTo(copy[field.Length..]);
        return _hash.Set(KeyRules.Unscoped(copy[..field.Length]), KeyRules.Unscoped(copy[field.Length..bytes]), expiresAtMs);
    }
}
