// A set: reads and all changes. Owned by the session's thread, used while its key is latched.
using System.Diagnostics.CodeAnalysis;
using Garnet.Store.Collections.Trees;
using Garnet.Store.DataTypes;

namespace Garnet.Store.Collections.Sets;

/// <summary>
/// A set in a latched record, or detached (without a key). Takes ownership of the handle: use <see cref="Record"/> afterwards. The key is
/// created with the first member and removed with the last. Returned spans are invalid after the next change; spans passed in must not
/// point into the store.
/// </summary>
internal ref struct SetValue
{
    private const int SafeListPackBytes = 1 << 30;
    private const int MaxIntegers = 1 << 30;
    private ValueStorage _storage;
    private bool _takesAnyLength;

    /// <summary>The set of a latched key, which may be absent but must not have another type.</summary>
    public SetValue(RecordHandle record) => _storage = new ValueStorage(record, RecordType.Set);

    private SetValue(StoreSession session) => _storage = new ValueStorage(session, RecordType.Set);

    /// <summary>The record; not available for detached values.</summary>
    [UnscopedRef]
    public ref RecordHandle Record => ref _storage.Record;

    /// <summary>Whether the set has any member.</summary>
    public readonly bool Exists => _storage.Exists;

    /// <summary>Number of members.</summary>
    public readonly long Length => View.Length;

    /// <summary>The encoding as reported by OBJECT ENCODING.</summary>
    public readonly ReadOnlySpan<byte> Encoding => DataTypeTable.Of(RecordType.Set).EncodingOf(_storage.Bytes);

    /// <summary>A view for repeated look-ups, invalid after the next change.</summary>
    public readonly SetView View => new(_storage.Bytes, _storage.Trees);

    private readonly bool IsLarge => (PackedForm.FormOf(_storage.Bytes) & PackedForm.IsLarge) != 0;

    /// <summary>A detached empty set; must end with <see cref="StoreTo"/> or <see cref="Discard"/>.</summary>
    public static SetValue Detached(StoreSession session) => new(session);

    /// <summary>
    /// Announces that <paramref name="members"/> members are about to be added, starting with <paramref name="first"/>; settles the
    /// encoding as Valkey does for one SADD.
    /// </summary>
    public void Expect(long members, ReadOnlySpan<byte> first)
    {
        CollectionLimits limits = _storage.Limits;
        if (!_storage.Exists)
        {
            bool isIntegers = ElementCode.TryParseInteger(first, out _) && members <= limits.SetMaxIntSetEntries;
            bool isLarge = !isIntegers && members > limits.SetMaxListPackEntries;
            PackedForm.Write(
                _storage.Resize(PackedForm.HeaderBytes),
                isIntegers ? IntegerArray.FormOfWidth(2)
                    : isLarge ? PackedForm.IsLarge
                    : PackedForm.Entries,
                0
            );
        }
        else if (View.IsIntegers ? members > limits.SetMaxIntSetEntries : members > limits.SetMaxListPackEntries)
        {
            BecomeEntries(PackedForm.IsLarge);
        }
    }

    /// <summary>Announces that an absent set was saved with that many members: above the limit of an intset it becomes a
    /// hashtable.</summary>
    public void ExpectSaved(long members)
    {
        if (members > _storage.Limits.SetMaxIntSetEntries)
            PackedForm.Write(_storage.Resize(PackedForm.HeaderBytes), PackedForm.IsLarge, 0);
    }

    /// <summary>
    /// Makes an absent set report listpack even if all members are integers; <paramref name="isAnyLength"/> also ignores the length limit,
    /// for a set that another server saved in this form.
    /// </summary>
    public void BecomeListPack(bool isAnyLength)
    {
        PackedForm.Write(_storage.Resize(PackedForm.HeaderBytes), PackedForm.Entries, 0);
        _takesAnyLength = isAnyLength;
    }

    /// <summary>Whether a member exists.</summary>
    public readonly bool Contains(ReadOnlySpan<byte> member) => View.Contains(member);

    /// <summary>
    /// The member at an index below <see cref="Length"/>; in ascending order while the set reports intset, otherwise in arbitrary order.
    /// </summary>
    public readonly ReadOnlySpan<byte> At(long index)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, Length);
        return View.At(index).Span;
    }

    /// <summary>All members.</summary>
    public readonly SetEnumerator GetEnumerator() => View.GetEnumerator();

    /// <summary>A snapshot for a reply with all members if that reply would be large, otherwise null.</summary>
    public readonly CollectionSnapshot? TakeSnapshotIfLarge() => CollectionSnapshot.TakeIfLarge(_storage, 1, 1);

    /// <summary>Members chosen uniformly; distinct ones end when all have been drawn.</summary>
    public readonly SetSample Sample(long count, bool isDistinct) => new(View, count, isDistinct);

    /// <summary>
    /// Visits some members and returns the next cursor; 0 both starts and ends the scan. Members present during the whole iteration are
    /// visited at least once.
    /// </summary>
    public readonly ulong Scan<TVisitor>(ulong cursor, int count, ref TVisitor visitor)
        where TVisitor : struct, IElementVisitor, allows ref struct
    {
        SetView view = View;
        if (view.IsTree)
            return SetTree.Scan(view, cursor, count, ref visitor);

        if (IsLarge)
            return ScanPacked(cursor, count, ref visitor);

        foreach (ReadOnlySpan<byte> member in View)
            visitor.Visit(member);

        return 0;
    }

    /// <summary>Adds a member; false when it already exists.</summary>
    public bool Add(ReadOnlySpan<byte> member) => Add(member, isNew: false);

    /// <summary>Adds a member known not to exist.</summary>
    public void AddNew(ReadOnlySpan<byte> member) => Add(member, isNew: true);

    /// <summary>Adds a member of another set, possibly one in the store, that is known not to exist here.</summary>
    public void AddNew(scoped in PackedElement member)
    {
        // The most common case: integers computed by a command form an intset.
        if (member.IsInteger && _storage.Exists && View.IsIntegers)
            AddInteger(member.Integer);
        else
            Add(ElementScratch.Current.Copy(member.Span), isNew: true);
    }

    private bool Add(ReadOnlySpan<byte> member, bool isNew)
    {
        bool isInteger = ElementCode.TryParseInteger(member, out long integer);
        if (!_storage.Exists && isInteger && _storage.IsDetached)
        {
            // The result of a command starts as integers whatever the limit is.
            PackedForm.Write(_storage.Resize(PackedForm.HeaderBytes), IntegerArray.FormOfWidth(2), 0);
        }
        else if (!_storage.Exists)
        {
            Expect(1, member);
        }

        if (View.IsIntegers)
        {
            if (isInteger)
                return AddInteger(integer);

            BecomeEntries(MayBeListPack(member.Length) ? PackedForm.Entries : PackedForm.IsLarge);
        }

        var code = ElementCode.Of(member);
        SetView view = View;
        if (view.IsTree)
            return SetTree.Add(ref _storage, code);

        if (!isNew && view.Find(code) >= 0)
            return false;

        int form = _storage.Bytes[0];
        bool isLong = member.Length > _storage.Limits.SetMaxListPackValue && !_takesAnyLength;
        if (!IsLarge && (isLong || Length >= _storage.Limits.SetMaxListPackEntries))
            form |= PackedForm.IsLarge;

        int end = _storage.Bytes.Length;
        Span<byte> value = _storage.Resize(checked(end + code.Size));
        code.WriteTo(value[end..]);
        PackedForm.Write(value, form, PackedForm.Count(value) + 1);
        if (IsLarge && value.Length > PackedForm.MaxPackedBytes)
            SetTree.Convert(ref _storage);

        return true;
    }

    /// <summary>
    /// Adds members to an empty detached set that exceeds the limits of the small encodings and will be a hashtable; built in one step.
    /// </summary>
    public void AddAll<TSource>(scoped ref TSource source)
        where TSource : IMemberSource, allows ref struct
    {
        Expect(source.Count, default);
        long bytes = PackedForm.HeaderBytes;
        for (int i = 0; i < source.Count && bytes <= PackedForm.MaxPackedBytes; i++)
            bytes += ElementCode.Of(source.Member(i)).Size;

        if (IsLarge && bytes > PackedForm.MaxPackedBytes && SetTree.TryBuild(ref _storage, ref source))
            return;

        for (int i = 0; i < source.Count; i++)
            AddNew(source.Member(i));
    }

    /// <summary>Adds ascending integers to an empty detached set.</summary>
    public void AddIntegers(ReadOnlySpan<long> ascending)
    {
        if (ascending.IsEmpty)
            return;

        int width = Math.Max(IntegerArray.WidthFor(ascending[0]), IntegerArray.WidthFor(ascending[^1]));
        Span<byte> value = _storage.Resize(checked(PackedForm.HeaderBytes + (ascending.Length * width)));
        PackedForm.Write(value, IntegerArray.FormOfWidth(width), ascending.Length);
        for (int i = 0; i < ascending.Length; i++)
            IntegerArray.WriteAt(value, i, width, ascending[i]);

        if (ascending.Length > Math.Min(_storage.Limits.SetMaxIntSetEntries, MaxIntegers))
            BecomeEntries(PackedForm.IsLarge);
    }

    /// <summary>Removes a member; false when it does not exist.</summary>
    public bool Remove(ReadOnlySpan<byte> member)
    {
        if (View.IsIntegers)
        {
            int index = ElementCode.TryParseInteger(member, out long integer) ? IntegerArray.Find(_storage.Bytes, integer) : -1;
            if (index < 0)
                return false;

            RemoveAt(index);
            return true;
        }

        var code = ElementCode.Of(member);
        SetView view = View;
        if (view.IsTree)
            return SetTree.Remove(ref _storage, code);

        int offset = view.Find(code);
        if (offset < 0)
            return false;

        RemoveEntry(offset);
        return true;
    }

    /// <summary>
    /// Removes and returns a random member, valid until the next call that changes or copies; false when the set is empty.
    /// </summary>
    public bool TryPop(out ReadOnlySpan<byte> member)
    {
        long length = Length;
        if (length == 0)
        {
            member = default;
            return false;
        }

        long index = ElementScratch.Current.Random.NextInt64(length);
        member = ElementScratch.Current.CopyValue(View.At(index).Span);
        RemoveAt(index);
        return true;
    }

    /// <summary>Moves a detached set into a latched record, replacing its value; an empty one removes the record.</summary>
    public void StoreTo(ref RecordHandle target, long expiresAtMs = -1)
    {
        if (Length == 0)
            _storage.Discard();

        _storage.StoreTo(ref target, expiresAtMs);
    }

    /// <summary>Discards a detached set.</summary>
    public void Discard() => _storage.Discard();

    private readonly ulong ScanPacked<TVisitor>(ulong from, int count, ref TVisitor visitor)
        where TVisitor : struct, IElementVisitor, allows ref struct
    {
        TreeStore trees = _storage.Trees;
        var window = new ScanWindow(from, Length);
        foreach (ReadOnlySpan<byte> member in View)
            window.Add(TreeEntry.ScanPositionOf(trees, member));

        ulong next = window.Close(count);
        foreach (ReadOnlySpan<byte> member in View)
        {
            if (window.Has(TreeEntry.ScanPositionOf(trees, member)))
                visitor.Visit(member);
        }

        return next;
    }

    private bool AddInteger(long integer)
    {
        int index = IntegerArray.Find(_storage.Bytes, integer);
        if (index >= 0)
            return false;

        index = ~index;
        int width = IntegerArray.Width(_storage.Bytes);
        int needed = IntegerArray.WidthFor(integer);
        if (needed > width)
        {
            Widen(width, needed);
            width = needed;
        }

        int count = PackedForm.Count(_storage.Bytes);
        Span<byte> value = _storage.Splice(PackedForm.HeaderBytes + (index * width), 0, width);
        IntegerArray.WriteAt(value, index, width, integer);
        PackedForm.SetCount(value, count + 1);
        if (count + 1 > Math.Min(_storage.Limits.SetMaxIntSetEntries, MaxIntegers))
            BecomeEntries(PackedForm.IsLarge);

        return true;
    }

    private void Widen(int width, int needed)
    {
        int count = PackedForm.Count(_storage.Bytes);
        Span<byte> value = _storage.Resize(PackedForm.HeaderBytes + (count * needed));
        for (int i = count - 1; i >= 0; i--)
        {
            // Backwards, because integers are written after the ones that are still to be read.
            long integer =
                width == 2
                    ? System.Buffers.Binary.BinaryPrimitives.ReadInt16LittleEndian(value[(PackedForm.HeaderBytes + (i * 2))..])
                    : System.Buffers.Binary.BinaryPrimitives.ReadInt32LittleEndian(value[(PackedForm.HeaderBytes + (i * 4))..]);
            IntegerArray.WriteAt(value, i, needed, integer);
        }

        PackedForm.Write(value, IntegerArray.FormOfWidth(needed), count);
    }

    private void RemoveAt(long index)
    {
        if (View.IsTree)
        {
            SetTree.RemoveAt(ref _storage, index);
            return;
        }

        if (!View.IsIntegers)
        {
            RemoveEntry(View.OffsetOf(index));
            return;
        }

        int width = IntegerArray.Width(_storage.Bytes);
        RemoveBytes(PackedForm.HeaderBytes + ((int)index * width), width);
    }

    private void RemoveEntry(int offset) => RemoveBytes(offset, PackedEntries.Next(_storage.Bytes, offset) - offset);

    private void RemoveBytes(int offset, int bytes)
    {
        int count = PackedForm.Count(_storage.Bytes);
        if (count == 1)
        {
            _storage.Remove();
            return;
        }

        PackedForm.SetCount(_storage.Splice(offset, bytes, 0), count - 1);
    }

    // Whether the integers and one more member of a length form a listpack. Valkey checks the length of the longest integer, which is the
    // smallest or the largest.
    private readonly bool MayBeListPack(int length)
    {
        CollectionLimits limits = _storage.Limits;
        ReadOnlySpan<byte> value = _storage.Bytes;
        int count = PackedForm.Count(value);
        if (count >= limits.SetMaxListPackEntries || length > limits.SetMaxListPackValue || length > SafeListPackBytes)
            return false;

        return count == 0
            || (
                new PackedElement(IntegerArray.At(value, 0)).Length <= limits.SetMaxListPackValue
                && new PackedElement(IntegerArray.At(value, count - 1)).Length <= limits.SetMaxListPackValue
            );
    }

    // Integers become entries in the same order; existing entries get the given form.
    private void BecomeEntries(int form)
    {
        if (!View.IsIntegers)
        {
            if ((_storage.Bytes[0] | form) != _storage.Bytes[0])
                _storage.Mutate()[0] |= (byte)form;

            return;
        }

        ReadOnlySpan<byte> old = ElementScratch.Current.CopyValue(_storage.Bytes);
        int count = PackedForm.Count(old);
        int bytes = PackedForm.HeaderBytes;
        for (int i = 0; i < count; i++)
            bytes += ElementCode.OfInteger(IntegerArray.At(old, i)).Size;

        Span<byte> value = _storage.Resize(bytes);
        PackedForm.Write(value, form, count);
        Span<byte> rest = value[PackedForm.HeaderBytes..];
        for (int i = 0; i < count; i++)
            rest = ElementCode.OfInteger(IntegerArray.At(old, i)).WriteTo(rest);

        if (form == PackedForm.IsLarge && bytes > PackedForm.MaxPackedBytes)
            SetTree.Convert(ref _storage);
    }
}
