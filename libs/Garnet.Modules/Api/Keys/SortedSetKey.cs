// A latched sorted set. Lives on the stack of one call.
using Garnet.Modules.Running;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Modules;

/// <summary>
/// A key that holds a sorted set or does not exist, latched until the command ends. The key is created with its first
/// member and removed with its last. Writing needs a command with <see cref="CommandFlags.Write"/>. Spans of members are invalid
/// after the next change of this key.
/// </summary>
public ref struct SortedSetKey
{
    private readonly ref byte _context;
    private SortedSetValue _value;
    private bool _mayAlias; // the module may hold spans of the value, which are not to be passed to the store

    internal SortedSetKey(ref byte context, SortedSetValue value)
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

    /// <summary>The score of a member; false when there is none.</summary>
    public readonly bool TryGetScore(scoped ReadOnlySpan<byte> member, out double score) =>
        _value.TryGetScore(KeyRules.Unscoped(member), out score);

    /// <summary>The number of members before one, -1 when there is none.</summary>
    /// <param name="member">The member.</param>
    /// <param name="isReverse">Whether the member with the highest score is the first.</param>
    public readonly long RankOf(scoped ReadOnlySpan<byte> member, bool isReverse = false) =>
        _value.Rank(KeyRules.Unscoped(member), isReverse);

    /// <summary>Adds a member, or changes its score; true when it is new.</summary>
    /// <exception cref="ArgumentException">The score is not a number.</exception>
    /// <exception cref="InvalidOperationException">The command does not have the flag Write; as for every change.</exception>
    public bool Set(scoped ReadOnlySpan<byte> member, double score)
    {
        KeyRules.CheckWrite(ref _context);
        if (double.IsNaN(score))
            throw new ArgumentException("The score is not a number.", nameof(score));
        return _value.Set(KeyRules.Argument(member, _mayAlias), score, out _);
    }

    /// <summary>Removes a member; false when there is none.</summary>
    public bool Remove(scoped ReadOnlySpan<byte> member)
    {
        KeyRules.CheckWrite(ref _context);
        return _value.Remove(KeyRules.Argument(member, _mayAlias));
    }

    /// <summary>Members by rank. The sorted set must not be changed meanwhile.</summary>
    /// <param name="first">The rank of the first.</param>
    /// <param name="count">Their number at most.</param>
    /// <param name="isReverse">Whether the member with the highest score is the first.</param>
    public ScoredMembers Range(long first, long count, bool isReverse = false)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(first);
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        _mayAlias = true;
        long present = Math.Max(0, Math.Min(count, Length - first));
        long start = present == 0 ? 0 : first;
        return new ScoredMembers(_value.Range(isReverse ? Math.Max(0, Length - 1 - start) : start, present, isReverse));
    }

    /// <summary>All members by rank, for <c>foreach</c>.</summary>
    public ScoredMembers GetEnumerator() => Range(0, Length);

    /// <summary>Sets the expiry of the key, if it exists.</summary>
    /// <param name="expiresAtMs">Unix time in milliseconds; -1 for never.</param>
    public void SetExpiry(long expiresAtMs) => KeyRules.SetExpiry(ref _context, ref _value.Record, expiresAtMs);

    /// <summary>Deletes the key; false when it does not exist.</summary>
    public bool Delete() => KeyRules.Delete(ref _context, ref _value.Record);
}
