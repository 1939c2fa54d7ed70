// A set: reads and every change of it. Belongs to the session's thread, while its key is latched.
using System.Diagnostics.CodeAnalysis;
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Sets;

/// <summary>
/// A set in a latched record, or under no key. Takes the handle over: use <see cref="Record"/> afterwards. The key comes with the first
/// member and goes with the last. What it returns is void after the next change; what it is given must not lie in the store.
/// </summary>
public ref struct SetValue
{
    private const int SafeListPackBytes = 1 << 30;
    private const int MaxIntegers = 1 << 30;
    private ValueStorage _storage;
    private bool _takesAnyLength;

    /// <summary>The set of a latched key, which may be absent and must not be of another type.</summary>
    public SetValue(RecordHandle record) => _storage = new ValueStorage(record, RecordType.Set);

    private SetValue(StoreSession session) => _storage = new ValueStorage(session, RecordType.Set);

    /// <summary>The record; not for detached values.</summary>
    [UnscopedRef]
    public ref RecordHandle Record => ref _storage.Record;

    /// <summary>Whether there is a member.</summary>
    public readonly bool Exists => _storage.Exists;

    /// <summary>Members.</summary>
    public readonly long Length => View.Length;

    /// <summary>The name that OBJECT ENCODING gives.</summary>
    public readonly ReadOnlySpan<byte> Encoding => CollectionEncoding.NameOf(RecordType.Set, _storage.Bytes);

    /// <summary>The set for many questions, void after the next change.</summary>
    public readonly SetView View => new(_storage.Bytes, _storage.Trees);

    private readonly bool IsLarge => (PackedForm.FormOf(_storage.Bytes) & PackedForm.IsLarge) != 0;

    /// <summary>An empty set under no key; ended by <see cref="StoreTo"/> or <see cref="Discard"/>.</summary>
    public static SetValue Detached(StoreSession session) => new(session);

    /// <summary>
    /// Says that so many members are about to be added, the first of them given: settles the encoding as Valkey does for one SADD.
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

    /// <summary>Says that an absent set was saved with so many members: more than an intset may have make it a hashtable.</summary>
    public void ExpectSaved(long members)
    {
        if (members > _storage.Limits.SetMaxIntSetEntries)
            PackedForm.Write(_storage.Resize(PackedForm.HeaderBytes), PackedForm.IsLarge, 0);
    }

    /// <summary>
    /// Makes an absent set one that reports listpack even of integers; <paramref name="isAnyLength"/>: however long members are, as another
    /// server had it.
    /// </summary>
    public void BecomeListPack(bool isAnyLength)
    {
        PackedForm.Write(_storage.Resize(PackedForm.HeaderBytes), PackedForm.Entries, 0);
        _takesAnyLength = isAnyLength;
    }

    /// <summary>Whether a member is there.</summary>
    public readonly bool Contains(ReadOnlySpan<byte> member) => View.Contains(member);

    /// <summary>
    /// The member with an index below <see cref="Length"/>; ascending integers while the set reports intset, else of no meaning.
    /// </summary>
    public readonly ReadOnlySpan<byte> At(long index)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, Length);
        return View.At(index).Span;
    }

    /// <summary>All members.</summary>
    public readonly SetEnumerator GetEnumerator() => View.GetEnumerator();

    /// <summary>A picture of it for a reply with all members, when that would be large; else null.</summary>
    public readonly CollectionSnapshot? TakeSnapshotIfLarge() => CollectionSnapshot.TakeIfLarge(_storage, 1, 1);

    /// <summary>Members chosen uniformly; distinct ones end with the last there is.</summary>
    public readonly SetSample Sample(long count, bool isDistinct) => new(View, count, isDistinct);

    /// <summary>
    /// Visits some members and returns the cursor to go on with; 0 begins and ends. Members there during the whole iteration are visited at
    /// least once.
    /// </summary>
    public readonly ulong Scan<TVisitor>(ulong cursor, int count, ref TVisitor visitor)
        where TVisitor : struct, IElementVisitor, allows ref struct
    {
        SetView view = View;
        if (view.IsTree)
        {
            return SetTree.Scan(view, cursor, count, ref visitor);
        }

        if (IsLarge)
        {
            return ScanPacked(cursor, count, ref visitor);
        }

        foreach (ReadOnlySpan<byte> member in View)
        {
            visitor.Visit(member);
        }

        return 0;
    }

    /// <summary>Adds a member; false when it is there.</summary>
    public bool Add(ReadOnlySpan<byte> member) => Add(member, isNew: false);

    /// <summary>Adds a member that is known not to be there.</summary>
    public void AddNew(ReadOnlySpan<byte> member) => Add(member, isNew: true);

    /// <summary>Adds a member of another set, which may lie in the store, that is known not to be there.</summary>
    public void AddNew(scoped in PackedElement member)
    {
        // The most usual: integers that a command has found become an intset.
        if (member.IsInteger && _storage.Exists && View.IsIntegers)
        {
            AddInteger(member.Integer);
        }
        else
        {
            Add(StoreSession.CopyToScratch(member.Span), isNew: true);
        }
    }

    private bool Add(ReadOnlySpan<byte> member, bool isNew)
    {
        bool isInteger = ElementCode.TryParseInteger(member, out long integer);
        if (!_storage.Exists && isInteger && _storage.IsDetached)
        {
            // What a command computes begins with integers whatever the limit is.
            PackedForm.Write(_storage.Resize(PackedForm.HeaderBytes), IntegerArray.FormOfWidth(2), 0);
        }
        else if (!_storage.Exists)
        {
            Expect(1, member);
        }

        if (View.IsIntegers)
        {
            if (isInteger)
            {
                return AddInteger(integer);
            }

            BecomeEntries(MayBeListPack(member.Length) ? PackedForm.Entries : PackedForm.IsLarge);
        }

        var code = ElementCode.Of(member);
        SetView view = View;
        if (view.IsTree)
        {
            return SetTree.Add(ref _storage, code);
        }

        if (!isNew && view.Find(code) >= 0)
        {
            return false;
        }

        int form = _storage.Bytes[0];
        bool isLong = member.Length > _storage.Limits.SetMaxListPackValue && !_takesAnyLength;
        if (!IsLarge && (isLong || Length >= _storage.Limits.SetMaxListPackEntries))
        {
            form |= PackedForm.IsLarge;
        }

        int end = _storage.Bytes.Length;
        Span<byte> value = _storage.Resize(checked(end + code.Size));
        code.WriteTo(value[end..]);
        PackedForm.Write(value, form, PackedForm.Count(value) + 1);
        if (IsLarge && value.Length > PackedForm.MaxPackedBytes)
        {
            SetTree.Convert(ref _storage);
        }

        return true;
    }

    /// <summary>
    /// Adds members to a set under no key that has none yet, and will be a hashtable as it has more than other encodings may have; made as
    /// a whole.
    /// </summary>
    public void AddAll<TSource>(scoped ref TSource source)
        where TSource : IMemberSource, allows ref struct
    {
        Expect(source.Count, default);
        long bytes = PackedForm.HeaderBytes;
        for (int i = 0; i < source.Count && bytes <= PackedForm.MaxPackedBytes; i++)
        {
            bytes += ElementCode.Of(source.Member(i)).Size;
        }

        if (IsLarge && bytes > PackedForm.MaxPackedBytes && SetTree.TryBuild(ref _storage, ref source))
        {
            return;
        }

        for (int i = 0; i < source.Count; i++)
        {
            AddNew(source.Member(i));
        }
    }

    /// <summary>Adds ascending integers to a set under no key that has no members yet.</summary>
    public void AddIntegers(ReadOnlySpan<long> ascending)
    {
        if (ascending.IsEmpty)
        {
            return;
        }

        int width = Math.Max(IntegerArray.WidthFor(ascending[0]), IntegerArray.WidthFor(ascending[^1]));
        Span<byte> value = _storage.Resize(checked(PackedForm.HeaderBytes + (ascending.Length * width)));
        PackedForm.Write(value, IntegerArray.FormOfWidth(width), ascending.Length);
        for (int i = 0; i < ascending.Length; i++)
        {
            IntegerArray.WriteAt(value, i, width, ascending[i]);
        }

        if (ascending.Length > Math.Min(_storage.Limits.SetMaxIntSetEntries, MaxIntegers))
        {
            BecomeEntries(PackedForm.IsLarge);
        }
    }

    /// <summary>Removes a member; false when it is not there.</summary>
    public bool Remove(ReadOnlySpan<byte> member)
    {
        if (View.IsIntegers)
        {
            int index = ElementCode.TryParseInteger(member, out long integer) ? IntegerArray.Find(_storage.Bytes, integer) : -1;
            if (index < 0)
            {
                return false;
            }

            RemoveAt(index);
            return true;
        }

        var code = ElementCode.Of(member);
        SetView view = View;
        if (view.IsTree)
        {
            return SetTree.Remove(ref _storage, code);
        }

        int offset = view.Find(code);
        if (offset < 0)
        {
            return false;
        }

        RemoveEntry(offset);
        return true;
    }

    /// <summary>
    /// Removes a random member and gives it, valid until the next call that changes or copies; false when the set is empty.
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

    /// <summary>Makes a detached set that of a latched record, which it replaces; an empty one removes the record.</summary>
    public void StoreTo(ref RecordHandle target, long expiresAtMs = -1)
    {
        if (Length == 0)
        {
            _storage.Discard();
        }

        _storage.StoreTo(ref target, expiresAtMs);
    }

    /// <summary>Gives a detached set up.</summary>
    public void Discard() => _storage.Discard();

    private readonly ulong ScanPacked<TVisitor>(ulong from, int count, ref TVisitor visitor)
        where TVisitor : struct, IElementVisitor, allows ref struct
    {
        TreeStore trees = _storage.Trees;
        var window = new ScanWindow(from, Length);
        foreach (ReadOnlySpan<byte> member in View)
        {
            window.Add(TreeEntry.ScanPositionOf(trees, member));
        }

        ulong next = window.Close(count);
        foreach (ReadOnlySpan<byte> member in View)
        {
            if (window.Has(TreeEntry.ScanPositionOf(trees, member)))
            {
                visitor.Visit(member);
            }
        }

        return next;
    }

    private bool AddInteger(long integer)
    {
        int index = IntegerArray.Find(_storage.Bytes, integer);
        if (index >= 0)
        {
            return false;
        }

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
        {
            BecomeEntries(PackedForm.IsLarge);
        }

        return true;
    }

    private void Widen(int width, int needed)
    {
        int count = PackedForm.Count(_storage.Bytes);
        Span<byte> value = _storage.Resize(PackedForm.HeaderBytes + (count * needed));
        for (int i = count - 1; i >= 0; i--)
        {
            // From the end, as what is written lies behind what is still to be read.
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

    // Whether integers and one more member of a length make a listpack: Valkey asks for the length of the longest integer, that is the
    // least or the greatest.
    private readonly bool MayBeListPack(int length)
    {
        CollectionLimits limits = _storage.Limits;
        ReadOnlySpan<byte> value = _storage.Bytes;
        int count = PackedForm.Count(value);
        if (count >= limits.SetMaxListPackEntries || length > limits.SetMaxListPackValue || length > SafeListPackBytes)
        {
            return false;
        }

        return count == 0
            || (
                new PackedElement(IntegerArray.At(value, 0)).Length <= limits.SetMaxListPackValue
                && new PackedElement(IntegerArray.At(value, count - 1)).Length <= limits.SetMaxListPackValue
            );
    }

    // Integers become entries in their order; entries take the form.
    private void BecomeEntries(int form)
    {
        if (!View.IsIntegers)
        {
            if ((_storage.Bytes[0] | form) != _storage.Bytes[0])
            {
                _storage.Mutate()[0] |= (byte)form;
            }

            return;
        }

        ReadOnlySpan<byte> old = ElementScratch.Current.CopyValue(_storage.Bytes);
        int count = PackedForm.Count(old);
        int bytes = PackedForm.HeaderBytes;
        for (int i = 0; i < count; i++)
        {
            bytes += ElementCode.OfInteger(IntegerArray.At(old, i)).Size;
        }

        Span<byte> value = _storage.Resize(bytes);
        PackedForm.Write(value, form, count);
        Span<byte> rest = value[PackedForm.HeaderBytes..];
        for (int i = 0; i < count; i++)
        {
            rest = ElementCode.OfInteger(IntegerArray.At(old, i)).WriteTo(rest);
        }

        if (form == PackedForm.IsLarge && bytes > PackedForm.MaxPackedBytes)
        {
            SetTree.Convert(ref _storage);
        }
    }
}
