// A latched set. Lives on the stack of one call.
using Garnet.Modules.Running;
using Garnet.Store.Collections.Sets;

namespace Garnet.Modules;

/// <summary>
/// A key that holds a set or does not exist, latched until the command ends. The key is created with its first
/// member and removed with its last. Writing needs a command with <see cref="CommandFlags.Write"/>. Spans of members are invalid
/// after the next change of this key.
/// </summary>
public ref struct SetKey
{
    private readonly ref byte _context;
    private SetValue _value;
    private bool _mayAlias; // the module may hold spans of the value, which are not to be passed to the store

    internal SetKey(ref byte context, SetValue value)
    {
        _context = ref context;
        _value = value;
        _mayAlias = false;
    }

    /// <summary>Whether the key exists.</summary>
    public readonly bool Exists => _value.Exists;

    /// <summary>The number of members.</summary>
    public readonly long Length => _value.Length;

    /// <summary>Unix time in milliseconds at which the key expires; -1 when it does not.</summary>
    public long ExpiresAtMs => _value.Record.ExpiresAtMs;

    /// <summary>Whether a member exists.</summary>
    public readonly bool Contains(scoped ReadOnlySpan<byte> member) => _value.Contains(KeyRules.Unscoped(member));

    /// <summary>Adds a member; false when it exists.</summary>
    /// <exception cref="InvalidOperationException">The command does not have the flag Write; as for every change.</exception>
    public bool Add(scoped ReadOnlySpan<byte> member)
    {
        KeyRules.CheckWrite(ref _context);
        return _value.Add(KeyRules.Argument(member, _mayAlias));
    }

    /// <summary>Removes a member; false when there is none.</summary>
    public bool Remove(scoped ReadOnlySpan<byte> member)
    {
        KeyRules.CheckWrite(ref _context);
        return _value.Remove(KeyRules.Argument(member, _mayAlias));
    }

    /// <summary>The members in no particular order. The set must not be changed meanwhile.</summary>
    public SetMembers GetEnumerator()
    {
        _mayAlias = true;
        return new SetMembers(_value.GetEnumerator());
    }

    /// <summary>Sets the expiry of the key, if it exists.</summary>
    /// <param name="expiresAtMs">Unix time in milliseconds; -1 for never.</param>
    public void SetExpiry(long expiresAtMs) => KeyRules.SetExpiry(ref _context, ref _value.Record, expiresAtMs);

    /// <summary>Deletes the key; false when it does not exist.</summary>
    public bool Delete() => KeyRules.Delete(ref _context, ref _value.Record);
}
