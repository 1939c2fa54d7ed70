// A sorted set: reads and all changes. Owned by the session's thread, used while its key is latched.
using System.Diagnostics.CodeAnalysis;
using Garnet.Store.Collections.Trees;
using Garnet.Store.DataTypes;

namespace Garnet.Store.Collections.SortedSets;

/// <summary>
/// A sorted set in a latched record, or detached (without a key); ordered by score, then by the bytes of the member. Takes ownership of the
/// handle: use <see cref="Record"/> afterwards. The key is created with the first member and removed with the last. Returned spans are
/// invalid after the next change; spans passed in must not point into the store.
/// </summary>
internal ref struct SortedSetValue
{
    private ValueStorage _storage;

    /// <summary>The sorted set of a latched key, which may be absent but must not have another type.</summary>
    public SortedSetValue(RecordHandle record) => _storage = new ValueStorage(record, RecordType.SortedSet);

    private SortedSetValue(StoreSession session) => _storage = new ValueStorage(session, RecordType.SortedSet);

    /// <summary>The record; not available for detached values.</summary>
    [UnscopedRef]
    public ref RecordHandle Record => ref _storage.Record;

    /// <summary>Whether the set has any member.</summary>
    public readonly bool Exists => _storage.Exists;

    /// <summary>Number of members.</summary>
    public readonly long Length => View.Length;

    /// <summary>
    /// Whether the set was saved in packed form by another server and keeps that form: the length limit of members is ignored, and negative
    /// zeros are preserved.
    /// </summary>
    public bool IsAsSaved { get; set; }

    /// <summary>
    /// Whether negative zeros are preserved until the set is stored, and then lost only in a listpack; for commands where Valkey builds a
    /// skiplist first and converts it afterwards.
    /// </summary>
    public bool HasZeroSigns { get; set; }

    /// <summary>The encoding as reported by OBJECT ENCODING.</summary>
    public readonly ReadOnlySpan<byte> Encoding => DataTypeTable.Of(RecordType.SortedSet).EncodingOf(_storage.Bytes);

    /// <summary>A view for many look-ups, invalid after the next change.</summary>
    public readonly SortedSetView View => new(_storage.Bytes, _storage.Trees);

    private readonly bool IsLarge => (PackedForm.FormOf(_storage.Bytes) & PackedForm.IsLarge) != 0;

    /// <summary>A detached empty sorted set; must end with <see cref="StoreTo"/> or <see cref="Discard"/>.</summary>
    public static SortedSetValue Detached(StoreSession session) => new(session);

    /// <summary>
    /// Announces that <paramref name="members"/> members, the longest of <paramref name="longest"/> bytes, are about to be added; settles
    /// the encoding as Valkey does for one ZADD. Options may still exclude them all, so this alone does not notify watchers of the key.
    /// </summary>
    public void Expect(long members, int longest)
    {
        if (members > _storage.Limits.SortedSetMaxListPackEntries || longest > _storage.Limits.SortedSetMaxListPackValue)
        {
            BecomeSkipList();
            BecomeLarge();
        }
    }

    /// <summary>Makes an existing set report the encoding skiplist, without notifying watchers of the key.</summary>
    public void BecomeSkipList()
    {
        if (_storage.Exists && !IsLarge && _storage.TryMutateUnseen(out Span<byte> value))
            value[0] |= PackedForm.IsLarge;
    }

    /// <summary>The score of a member; false when it does not exist.</summary>
    public readonly bool TryGetScore(ReadOnlySpan<byte> member, out double score) => View.TryGetScore(member, out score);

    /// <summary>The rank of a member, counted from the lowest or the highest score; -1 when it does not exist.</summary>
    public readonly long Rank(ReadOnlySpan<byte> member, bool isReverse = false)
    {
        long rank = View.Rank(member);
        return rank >= 0 && isReverse ? Length - 1 - rank : rank;
    }

    /// <summary>The member at an ascending rank below <see cref="Length"/>.</summary>
    public readonly ScoredMember At(long rank)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(rank);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(rank, Length);
        return View.AtRank(rank);
    }

    /// <summary>The ranks of the members with scores in a range.</summary>
    public readonly RankRange RanksOf(in ScoreRange range) => View.RanksOf(range);

    /// <summary>The ranks of the members in a lexicographic range; all scores should be equal.</summary>
    public readonly RankRange RanksOf(in LexRange range, bool isReverse = false) => View.RanksOf(range, isReverse);

    /// <summary>
    /// For a listpack: the ranks of a walk that starts at a given member regardless of the range, and ends before the first one outside of
    /// the range in the direction of the walk.
    /// </summary>
    public readonly RankRange RanksFrom(long rank, in LexRange range, bool isReverse) => View.RanksFrom(rank, range, isReverse);

    /// <summary>All members, ascending.</summary>
    public readonly SortedSetEnumerator GetEnumerator() => View.GetEnumerator();

    /// <summary>A snapshot for a reply with that many members if it would be large, otherwise null.</summary>
    public readonly CollectionSnapshot? TakeSnapshotIfLarge(long members) => CollectionSnapshot.TakeIfLarge(_storage, members, Length);

    /// <summary>The given number of members starting at an ascending rank, upwards or downwards; stops at the last member.</summary>
    public readonly SortedSetEnumerator Range(long first, long count, bool isReverse = false) => View.Range(first, count, isReverse);

    /// <summary>Members chosen uniformly; distinct ones end when all have been drawn.</summary>
    public readonly SortedSetSample Sample(long count, bool isDistinct) => new(View, count, isDistinct);

    /// <summary>
    /// Visits some members and returns the next cursor; 0 both starts and ends the scan. Members present during the whole iteration are
    /// visited at least once.
    /// </summary>
    public readonly ulong Scan<TVisitor>(ulong cursor, int count, ref TVisitor visitor)
        where TVisitor : struct, IScoredVisitor, allows ref struct
    {
        SortedSetView view = View;
        if (view.IsTree)
            return SortedSetTree.Scan(view, cursor, count, ref visitor);

        if (IsLarge)
            return ScanPacked(cursor, count, ref visitor);

        foreach (ScoredMember member in View)
            visitor.Visit(member.Member, member.Score);

        return 0;
    }

    /// <summary>Adds a member or changes its score, which must not be NaN; true when it was added, with an old score of NaN.</summary>
    public bool Set(ReadOnlySpan<byte> member, double score, out double oldScore)
    {
        if (double.IsNaN(score))
            throw new ArgumentException("A score must be a number.", nameof(score));

        SortedSetView view = View;
        if (view.IsTree)
            return SortedSetTree.Set(ref _storage, member, score, out oldScore);

        var name = ElementCode.Of(member);
        int offset = view.Find(name);
        if (offset >= 0)
        {
            int scoreOffset = PackedEntries.Next(_storage.Bytes, offset);
            oldScore = PackedEntries.ReadScore(_storage.Bytes, scoreOffset);
            if (oldScore != score)
                Move(name, member, offset, scoreOffset, score);

            return false;
        }

        oldScore = double.NaN;
        BeforeInsert(member.Length);
        Insert(name, score, View.PlaceOf(score, member));
        return true;
    }

    /// <summary>Adds members to an empty set; a large one is built in one step.</summary>
    public void AddAll<TSource>(scoped ref TSource source)
        where TSource : IScoredSource, allows ref struct
    {
        if (TryBuild(ref source, out _))
            return;

        for (int i = 0; i < source.Count; i++)
        {
            ReadOnlySpan<byte> member = source.Member(i);
            BeforeInsert(member.Length);
            Insert(ElementCode.Of(member), source.Score(i), _storage.Bytes.Length);
        }
    }

    /// <summary>
    /// Builds a large sorted set in one step; false, with nothing changed, when it would not be large or the set is not empty.
    /// </summary>
    /// <param name="source">The members, in sorted-set order.</param>
    /// <param name="areDistinct">Receives false when a member occurred twice: nothing was built then.</param>
    internal bool TryBuild<TSource>(scoped ref TSource source, out bool areDistinct)
        where TSource : IScoredSource, allows ref struct
    {
        areDistinct = true;
        if ((_storage.Exists && Length != 0) || !WillBeTree(ref source))
            return false;

        BecomeLarge();
        areDistinct = SortedSetBuilder.TryBuild(ref _storage, ref source);
        return true;
    }

    /// <summary>Removes a member; false when it does not exist.</summary>
    public bool Remove(ReadOnlySpan<byte> member)
    {
        SortedSetView view = View;
        if (view.IsTree)
            return SortedSetTree.Remove(ref _storage, member);

        int offset = view.Find(ElementCode.Of(member));
        if (offset < 0)
            return false;

        RemoveBytes(offset, PackedEntries.Skip(_storage.Bytes, offset, 2), 1);
        return true;
    }

    /// <summary>Removes the members at consecutive ascending ranks; returns the number removed.</summary>
    public long RemoveRange(long first, long count)
    {
        count = Math.Min(count, Length - first);
        if (count <= 0)
            return 0;

        SortedSetView view = View;
        if (view.IsTree)
        {
            if (count == view.Length)
                _storage.Remove();
            else
                SortedSetTree.RemoveRange(ref _storage, first, count);

            return count;
        }

        int offset = view.OffsetOf(first);
        RemoveBytes(offset, PackedEntries.Skip(_storage.Bytes, offset, count * 2), (int)count);
        return count;
    }

    /// <summary>
    /// Moves a detached sorted set into a latched record, replacing its value; an empty one removes the record. Reports listpack if it is
    /// small enough for that, whatever its history.
    /// </summary>
    public void StoreTo(ref RecordHandle target, long expiresAtMs = -1)
    {
        if (Length == 0)
            _storage.Discard();
        else if (HasZeroSigns && !IsLarge)
            DropZeroSigns();

        _storage.StoreTo(ref target, expiresAtMs);
    }

    /// <summary>Gives a detached sorted set up.</summary>
    public void Discard() => _storage.Discard();

    private readonly ulong ScanPacked<TVisitor>(ulong from, int count, ref TVisitor visitor)
        where TVisitor : struct, IScoredVisitor, allows ref struct
    {
        TreeStore trees = _storage.Trees;
        var window = new ScanWindow(from, Length);
        foreach (ScoredMember member in View)
            window.Add(SortedSetTree.ScanPositionOf(trees, member.Member));

        ulong next = window.Close(count);
        foreach (ScoredMember member in View)
        {
            if (window.Has(SortedSetTree.ScanPositionOf(trees, member.Member)))
                visitor.Visit(member.Member, member.Score);
        }

        return next;
    }

    // Large, and above the size limit of the packed form.
    private readonly bool WillBeTree<TSource>(scoped ref TSource source)
        where TSource : IScoredSource, allows ref struct
    {
        bool isLarge = source.Count > _storage.Limits.SortedSetMaxListPackEntries;
        long bytes = PackedForm.HeaderBytes;
        for (int i = 0; i < source.Count && !(isLarge && bytes > PackedForm.MaxPackedBytes); i++)
        {
            ReadOnlySpan<byte> member = source.Member(i);
            isLarge |= member.Length > _storage.Limits.SortedSetMaxListPackValue;
            bytes += ElementCode.Of(member).Size + ElementCode.OfScore(source.Score(i)).Size;
        }

        return isLarge && bytes > PackedForm.MaxPackedBytes;
    }

    private void BecomeLarge()
    {
        if (!_storage.Exists)
            PackedForm.Write(_storage.Resize(PackedForm.HeaderBytes), PackedForm.IsLarge, 0);
        else if (!IsLarge)
            _storage.Mutate()[0] |= PackedForm.IsLarge;
    }

    // As in Valkey, a listpack stores whole scores as integers, which have no negative zero.
    private readonly ElementCode ScoreCode(double score) =>
        ElementCode.OfScore(score == 0 && !IsLarge && !IsAsSaved && !HasZeroSigns ? 0 : score);

    private void DropZeroSigns()
    {
        var zero = ElementCode.OfInteger(0);
        for (int offset = PackedForm.HeaderBytes; offset < _storage.Bytes.Length; offset = PackedEntries.Next(_storage.Bytes, offset))
        {
            offset = PackedEntries.Next(_storage.Bytes, offset);
            if (PackedEntries.ReadScore(_storage.Bytes, offset) == 0)
                zero.WriteTo(_storage.Splice(offset, PackedEntries.Next(_storage.Bytes, offset) - offset, zero.Size)[offset..]);
        }
    }

    private void BeforeInsert(int memberLength)
    {
        if (!_storage.Exists)
            PackedForm.Write(_storage.Resize(PackedForm.HeaderBytes), PackedForm.Entries, 0);

        bool isLong = memberLength > _storage.Limits.SortedSetMaxListPackValue && !IsAsSaved;
        if (!IsLarge && (isLong || Length >= _storage.Limits.SortedSetMaxListPackEntries))
            BecomeLarge();
    }

    private void Insert(in ElementCode name, double score, int offset)
    {
        ElementCode code = ScoreCode(score);
        Span<byte> value = _storage.Splice(offset, 0, checked(name.Size + code.Size));
        code.WriteTo(name.WriteTo(value[offset..]));
        PackedForm.SetCount(_storage.Mutate(), PackedForm.Count(_storage.Bytes) + 1);
        if (IsLarge && _storage.Bytes.Length > PackedForm.MaxPackedBytes)
            SortedSetTree.Convert(ref _storage);
    }

    // Changes a member's score: in place if its neighbours allow that, otherwise the entries between the old and the new position are
    // shifted.
    private void Move(in ElementCode name, ReadOnlySpan<byte> member, int offset, int scoreOffset, double score)
    {
        ElementCode code = ScoreCode(score);
        int next = PackedEntries.Next(_storage.Bytes, scoreOffset);
        int place = View.PlaceOf(score, member);
        if (place == offset || place == next)
        {
            code.WriteTo(_storage.Splice(scoreOffset, next - scoreOffset, code.Size)[scoreOffset..]);
            return;
        }

        int removed = next - offset;
        int added = checked(name.Size + code.Size);
        int target = place > offset ? place - removed : place;
        Span<byte> value;
        if (removed != added)
        {
            _storage.Splice(offset, removed, 0);
            value = _storage.Splice(target, 0, added);
        }
        else
        {
            value = _storage.Mutate();
            if (place > offset)
                value[next..place].CopyTo(value[offset..]);
            else
                value[place..offset].CopyTo(value[(place + removed)..]);
        }

        code.WriteTo(name.WriteTo(value[target..]));
    }

    private void RemoveBytes(int offset, int end, int members)
    {
        int count = PackedForm.Count(_storage.Bytes);
        if (count == members)
        {
            _storage.Remove();
            return;
        }

        PackedForm.SetCount(_storage.Splice(offset, end - offset, 0), count - members);
    }
}
