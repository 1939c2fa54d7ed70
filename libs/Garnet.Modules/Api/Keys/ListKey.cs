// A latched list. Lives on the stack of one call.
using Garnet.Modules.Running;
using Garnet.Store.Collections.Lists;

namespace Garnet.Modules;

/// <summary>
/// A key that holds a list or does not exist, latched until the command ends. The key is created with its first
/// element and removed with its last. Writing needs a command with <see cref="CommandFlags.Write"/>. Spans of elements are invalid
/// after the next change of this key.
/// </summary>
public ref struct ListKey
{
    private readonly ref byte _context;
    private ListValue _value;
    private bool _mayAlias; // the module may hold spans of the value, which are not to be passed to the store

    internal ListKey(ref byte context, ListValue value)
    {
        _context = ref context;
        _value = value;
        _mayAlias = false;
    }

    /// <summary>Whether the key exists.</summary>
    public readonly bool Exists => _value.Exists;

    /// <summary>The number of elements.</summary>
    public readonly long Length => _value.Length;

    /// <summary>Unix time in milliseconds at which the key expires; -1 when it does not.</summary>
    public long ExpiresAtMs => _value.Record.ExpiresAtMs;

    /// <summary>An element; 0 is the first.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    public ReadOnlySpan<byte> this[long index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfNegative(index);
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, Length);
            _mayAlias = true;
            return _value.At(index);
        }
    }

    /// <summary>Adds an element before the first.</summary>
    /// <exception cref="InvalidOperationException">The command does not have the flag Write; as for every change.</exception>
    public void PushFirst(scoped ReadOnlySpan<byte> element)
    {
        KeyRules.CheckWrite(ref _context);
        _value.PushFirst(KeyRules.Argument(element, _mayAlias));
    }

    /// <summary>Adds an element after the last.</summary>
    public void PushLast(scoped ReadOnlySpan<byte> element)
    {
        KeyRules.CheckWrite(ref _context);
        _value.PushLast(KeyRules.Argument(element, _mayAlias));
    }

    /// <summary>Replaces an element.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    public void SetAt(long index, scoped ReadOnlySpan<byte> element)
    {
        KeyRules.CheckWrite(ref _context);
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, Length);
        _value.SetAt(index, KeyRules.Argument(element, _mayAlias));
    }

    /// <summary>Removes elements.</summary>
    /// <param name="index">The first of them.</param>
    /// <param name="count">Their number.</param>
    /// <exception cref="ArgumentOutOfRangeException">There are not so many.</exception>
    public void RemoveRange(long index, long count)
    {
        KeyRules.CheckWrite(ref _context);
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(index, Length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, Length - index);
        if (count > 0)
            _value.RemoveRange(index, count);
    }

    /// <summary>The elements in their order. The list must not be changed meanwhile.</summary>
    public ListElements GetEnumerator()
    {
        _mayAlias = true;
        return new ListElements(_value.GetEnumerator());
    }

    /// <summary>Sets the expiry of the key, if it exists.</summary>
    /// <param name="expiresAtMs">Unix time in milliseconds; -1 for never.</param>
    public void SetExpiry(long expiresAtMs) => KeyRules.SetExpiry(ref _context, ref _value.Record, expiresAtMs);

    /// <summary>Deletes the key; false when it does not exist.</summary>
    public bool Delete() => KeyRules.Delete(ref _context, ref _value.Record);
}
