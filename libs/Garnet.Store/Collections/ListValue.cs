// A list: reads and every change of it. Belongs to the session's thread, while its key is latched.
using System.Diagnostics.CodeAnalysis;

namespace Garnet.Store;

/// <summary>
/// A list in a latched record, or under no key. Takes the handle over: use <see cref="Record"/> afterwards. The key comes with the first element and goes with the last.
/// What it returns is void after the next change; what it is given must not lie in the store.
/// </summary>
public unsafe ref struct ListValue
{
    private ValueRoom _room;
    private bool _staysQuickList;

    /// <summary>The list of a latched key, which may be absent and must not be of another type.</summary>
    public ListValue(RecordHandle record) => _room = new ValueRoom(record, RecordType.List);

    private ListValue(StoreSession session) => _room = new ValueRoom(session, RecordType.List);

    /// <summary>The record; not for detached values.</summary>
    [UnscopedRef]
    public ref RecordHandle Record => ref _room.Record;

    /// <summary>Whether there is an element.</summary>
    public readonly bool Exists => _room.Exists;

    /// <summary>Elements.</summary>
    public readonly long Length => View.Length;

    /// <summary>The name that OBJECT ENCODING gives.</summary>
    public readonly ReadOnlySpan<byte> Encoding => CollectionEncoding.NameOf(RecordType.List, _room.Bytes);

    private readonly ListView View => new(_room.Bytes, _room.Forest);

    private readonly bool IsLarge => (PackedForm.FormOf(_room.Bytes) & PackedForm.IsLarge) != 0;

    /// <summary>An empty list under no key; ended by <see cref="StoreTo"/> or <see cref="Discard"/>.</summary>
    public static ListValue Detached(StoreSession session) => new(session);

    /// <summary>
    /// Says that elements of so many bytes together are about to be pushed, inserted or set: settles the encoding as Valkey does, before the command's first change.
    /// </summary>
    public void Expect(long elements, long bytes)
    {
        if (!IsLarge && _room.Limits.IsListTooLarge(ListPackBytes + bytes, Length + elements, isShrinking: false))
        {
            SetLarge(true);
        }
    }

    /// <summary>Whether an element of so many bytes would be pushed into the one node that Valkey has all elements before it in, if it has.</summary>
    public readonly bool HasRoomInNode(int length)
    {
        // What Valkey adds for an element's frame.
        const int estimate = 8;
        return !_room.Limits.IsListTooLarge(length, 1, isShrinking: false)
            && (Length == 0 || !_room.Limits.IsListTooLarge(ListPackBytes + length + estimate, Length + 1, isShrinking: false));
    }

    /// <summary>Has a detached list report quicklist whatever its size is, as one that Valkey has in several nodes.</summary>
    public void StayQuickList() => _staysQuickList = true;

    /// <summary>The element with an index below <see cref="Length"/>.</summary>
    public readonly ReadOnlySpan<byte> At(long index)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, Length);
        View.TryGetAt(index, out PackedElement element);
        return element.Span;
    }

    /// <summary>The index of the first element that equals another; -1 for none.</summary>
    public readonly long IndexOf(ReadOnlySpan<byte> element)
    {
        Search(element, Length, isReverse: false).TryNext(out long index);
        return index;
    }

    /// <summary>Looks for elements that equal another, among so many from the head on or from the tail on.</summary>
    public readonly ListSearch Search(ReadOnlySpan<byte> element, long most, bool isReverse) => new(View, element, most, isReverse);

    /// <summary>So many elements from an index on, towards the tail or towards the head; ends where the list ends.</summary>
    public readonly ListEnumerator Range(long first, long count, bool isReverse = false) => View.Range(first, count, isReverse);

    /// <summary>All elements from the head on.</summary>
    public readonly ListEnumerator GetEnumerator() => View.Range(0, Length);

    /// <summary>A picture of it for a reply with so many elements, when that would be large; else null.</summary>
    public readonly CollectionPicture? TakePictureIfLarge(long elements) => CollectionPicture.TakeIfLarge(_room, elements, Length);

    /// <summary>Puts an element before the first.</summary>
    public void PushFirst(ReadOnlySpan<byte> element) => InsertAt(0, element);

    /// <summary>Puts an element behind the last.</summary>
    public void PushLast(ReadOnlySpan<byte> element) => InsertAt(Length, element);

    /// <summary>Puts an element before the one with an index, or at the end.</summary>
    public void InsertAt(long index, ReadOnlySpan<byte> element)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(index, Length);
        if (!_room.Exists)
        {
            Create(PackedForm.Entries);
        }

        ElementCode code = ElementCode.Of(element);
        if (IsTree)
        {
            ListTree.InsertAt(ref _room, index, code);
            return;
        }

        int offset = index == Length ? _room.Bytes.Length : View.OffsetOf(index);
        Span<byte> value = _room.Splice(offset, 0, code.Size);
        code.WriteTo(value[offset..]);
        Count(value, 1, ListPackSize.Of(element));
        if (value.Length > PackedForm.MostPackedBytes)
        {
            ListTree.Convert(ref _room);
        }
    }

    /// <summary>Exchanges the element with an index.</summary>
    public void SetAt(long index, ReadOnlySpan<byte> element)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, Length);
        ElementCode code = ElementCode.Of(element);
        if (IsTree)
        {
            ListTree.SetAt(ref _room, index, code);
            Shrink();
            return;
        }

        int offset = View.OffsetOf(index);
        long oldSize = ListPackSize.Of(PackedEntries.Read(_room.Bytes, offset));
        Span<byte> value = _room.Splice(offset, PackedEntries.Next(_room.Bytes, offset) - offset, code.Size);
        code.WriteTo(value[offset..]);
        Count(value, 0, ListPackSize.Of(element) - oldSize);
        Shrink();
    }

    /// <summary>Removes consecutive elements, all of which must be there.</summary>
    public void RemoveRange(long index, long count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, Length - index);
        if (count == 0)
        {
            return;
        }

        if (count == Length)
        {
            _room.Remove();
            return;
        }

        if (IsTree)
        {
            ListTree.RemoveRange(ref _room, index, count, isExact: !IsLarge);
            Shrink();
            return;
        }

        ReadOnlySpan<byte> old = _room.Bytes;
        int offset = View.OffsetOf(index);
        int end = offset;
        long oldSize = 0;
        for (long i = 0; i < count; i++)
        {
            oldSize += ListPackSize.Of(PackedEntries.Read(old, end));
            end = PackedEntries.Next(old, end);
        }

        Count(_room.Splice(offset, end - offset, 0), -(int)count, -oldSize);
        Shrink();
    }

    /// <summary>Removes elements equal to another, at most so many (0: all), the first or the last ones; returns how many.</summary>
    public long Remove(ReadOnlySpan<byte> element, long most, bool fromEnd)
    {
        ElementCode code = ElementCode.Of(element);
        if (IsTree)
        {
            long gone = ListTree.Remove(ref _room, code, most, fromEnd);
            if (gone > 0 && _room.Exists)
            {
                Shrink();
            }

            return gone;
        }

        long matches = 0;
        ReadOnlySpan<byte> old = _room.Bytes;
        for (int offset = View.OffsetOf(0); offset < old.Length; offset = PackedEntries.Next(old, offset))
        {
            matches += code.Matches(old[offset..]) ? 1 : 0;
        }

        long removed = most == 0 ? matches : Math.Min(most, matches);
        if (removed == 0)
        {
            return 0;
        }

        if (removed == Length)
        {
            _room.Remove();
            return removed;
        }

        long kept = fromEnd ? matches - removed : 0;
        Span<byte> value = _room.Mutate();
        int target = PackedForm.ListHeaderBytes;
        long left = removed;
        for (int offset = target; offset < value.Length;)
        {
            int next = PackedEntries.Next(value, offset);
            bool isMatch = code.Matches(value[offset..]);
            if (isMatch && kept-- <= 0 && left > 0)
            {
                left--;
            }
            else
            {
                value[offset..next].CopyTo(value[target..]);
                target += next - offset;
            }

            offset = next;
        }

        Count(_room.Resize(target), -(int)removed, -removed * ListPackSize.Of(element));
        Shrink();
        return removed;
    }

    /// <summary>Makes a detached list that of a latched record, which it replaces; an empty one removes the record. The encoding is that of a list of this size.</summary>
    public void StoreTo(ref RecordHandle target, long expiresAtMs = -1)
    {
        if (Length == 0)
        {
            _room.Discard();
        }
        else
        {
            if (IsTree)
            {
                ListTree.CountListPackBytes(_room.Tree);
            }

            bool isLarge = _staysQuickList || _room.Limits.IsListTooLarge(ListPackBytes, Length, isShrinking: false);
            if (isLarge != IsLarge)
            {
                SetLarge(isLarge);
            }
        }

        _room.StoreTo(ref target, expiresAtMs);
    }

    /// <summary>Gives a detached list up.</summary>
    public void Discard() => _room.Discard();

    private readonly bool IsTree => PackedForm.IsTree(_room.Bytes);

    private readonly long ListPackBytes => !_room.Exists ? ListPackSize.Empty : IsTree ? ListTree.ListPackBytes(_room.Tree, out _) : PackedForm.ListBytes(_room.Bytes);

    private void Create(int form)
    {
        Span<byte> value = _room.Resize(PackedForm.ListHeaderBytes);
        PackedForm.Write(value, form, 0);
        PackedForm.SetListBytes(value, ListPackSize.Empty);
    }

    private void SetLarge(bool isLarge)
    {
        if (!_room.Exists)
        {
            Create(isLarge ? PackedForm.IsLarge : PackedForm.Entries);
            return;
        }

        // A command that then finds nothing to change (LSET past the end, LINSERT at an element that is not there) leaves this behind, and nobody is told of it.
        if (!_room.TryMutateUnseen(out Span<byte> value))
        {
            value = _room.Mutate();
        }

        value[0] = (byte)(isLarge ? value[0] | PackedForm.IsLarge : value[0] & ~PackedForm.IsLarge);
    }

    private static void Count(Span<byte> value, int elements, long listPackBytes)
    {
        PackedForm.SetCount(value, PackedForm.Count(value) + elements);
        PackedForm.SetListBytes(value, PackedForm.ListBytes(value) + listPackBytes);
    }

    // As Valkey a list returns to listpack only when it is half as large as it may be, so that it does not go to and fro.
    private void Shrink()
    {
        if (IsLarge && !_room.Limits.IsListTooLarge(ListPackBytes, Length, isShrinking: true) && IsCounted())
        {
            SetLarge(false);
        }

        if (IsTree)
        {
            ListTree.Pack(ref _room);
        }
    }

    // True when the list is still small enough once its bytes are known for certain.
    private readonly bool IsCounted()
    {
        if (!IsTree)
        {
            return true;
        }

        ListTree.ListPackBytes(_room.Tree, out bool isKnown);
        if (!isKnown)
        {
            ListTree.CountListPackBytes(_room.Tree);
        }

        return isKnown || !_room.Limits.IsListTooLarge(ListPackBytes, Length, isShrinking: true);
    }
}
