// A list: reads and all changes. Owned by the session's thread, used while its key is latched.
using System.Diagnostics.CodeAnalysis;
using Garnet.Store.DataTypes;

namespace Garnet.Store.Collections.Lists;

/// <summary>
/// A list in a latched record, or detached (without a key). Takes ownership of the handle: use <see cref="Record"/> afterwards. The key is
/// created with the first element and removed with the last. Returned spans are invalid after the next change; spans passed in must not
/// point into the store.
/// </summary>
internal unsafe ref struct ListValue
{
    private ValueStorage _storage;

    /// <summary>The list of a latched key, which may be absent but must not have another type.</summary>
    public ListValue(RecordHandle record) => _storage = new ValueStorage(record, RecordType.List);

    private ListValue(StoreSession session) => _storage = new ValueStorage(session, RecordType.List);

    /// <summary>The record; not available for detached values.</summary>
    [UnscopedRef]
    public ref RecordHandle Record => ref _storage.Record;

    /// <summary>Whether the list has any element.</summary>
    public readonly bool Exists => _storage.Exists;

    /// <summary>Number of elements.</summary>
    public readonly long Length => View.Length;

    /// <summary>The encoding as reported by OBJECT ENCODING.</summary>
    public readonly ReadOnlySpan<byte> Encoding => DataTypeTable.Of(RecordType.List).EncodingOf(_storage.Bytes);

    private readonly ListView View => new(_storage.Bytes, _storage.Trees);

    private readonly bool IsLarge => (PackedForm.FormOf(_storage.Bytes) & PackedForm.IsLarge) != 0;

    /// <summary>
    /// A detached empty list; must end with <see cref="StoreTo"/> or <see cref="Discard"/>. It is built as Valkey builds a list of unknown
    /// size: split into nodes as soon as one no longer holds it.
    /// </summary>
    public static ListValue Detached(StoreSession session) => new(session);

    /// <summary>The layout that Valkey would have in memory.</summary>
    public readonly QuickListShape Shape =>
        IsTree
            ? new QuickListShape(_storage.Tree, _storage.Limits)
            : new QuickListShape(WholeNode, PackedForm.ListSetting(_storage.Bytes), (_storage.Bytes[0] & PackedForm.IsCompressedList) != 0);

    /// <summary>
    /// Announces that elements of <paramref name="bytes"/> bytes in total are about to be pushed, inserted or set; settles the encoding as
    /// Valkey does before the command's first change.
    /// </summary>
    public void Expect(long elements, long bytes)
    {
        if (!IsLarge && _storage.Limits.ListNode.IsExceededBy(ListPackBytes + bytes, Length + elements))
            SetLarge();
    }

    /// <summary>The element at an index below <see cref="Length"/>.</summary>
    public readonly ReadOnlySpan<byte> At(long index)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, Length);
        View.TryGetAt(index, out PackedElement element);
        return element.Span;
    }

    /// <summary>The index of the first matching element; -1 for none.</summary>
    public readonly long IndexOf(ReadOnlySpan<byte> element)
    {
        Search(element, Length, isReverse: false).TryNext(out long index);
        return index;
    }

    /// <summary>Searches the first <paramref name="most"/> elements from the head, or from the tail, for matches.</summary>
    public readonly ListSearch Search(ReadOnlySpan<byte> element, long most, bool isReverse) => new(View, element, most, isReverse);

    /// <summary>The given number of elements starting at an index, towards the tail or the head; stops at the end of the list.</summary>
    public readonly ListEnumerator Range(long first, long count, bool isReverse = false) => View.Range(first, count, isReverse);

    /// <summary>All elements, head to tail.</summary>
    public readonly ListEnumerator GetEnumerator() => View.Range(0, Length);

    /// <summary>A snapshot for a reply with that many elements if it would be large, otherwise null.</summary>
    public readonly CollectionSnapshot? TakeSnapshotIfLarge(long elements) => CollectionSnapshot.TakeIfLarge(_storage, elements, Length);

    /// <summary>Inserts an element at the head.</summary>
    public void PushFirst(ReadOnlySpan<byte> element) => Insert(0, element, ListPlacement.First);

    /// <summary>Appends an element at the tail.</summary>
    public void PushLast(ReadOnlySpan<byte> element)
    {
        if (_storage.IsDetached && !IsLarge && !FitsBesideAll(element.Length))
            SetLarge();

        Insert(Length, element, ListPlacement.Last);
    }

    /// <summary>Appends an element to a detached list as the first of a new node; the previous node is complete.</summary>
    /// <param name="element">The element.</param>
    /// <param name="isPlain">Whether it has a plain node of its own.</param>
    public void PushNode(ReadOnlySpan<byte> element, bool isPlain)
    {
        // Whether a list needs more than one node is known only when its second node starts.
        if (!IsLarge && (isPlain || _storage.Exists))
            SetLarge();

        Insert(Length, element, isPlain ? ListPlacement.LastAsPlain : ListPlacement.LastAsNode);
    }

    /// <summary>Appends an element to the last node of a detached list, regardless of the node's limit.</summary>
    public void PushInNode(ReadOnlySpan<byte> element) => Insert(Length, element, ListPlacement.LastInNode);

    /// <summary>Inserts an element before the one at an index, or at the end.</summary>
    public void InsertAt(long index, ReadOnlySpan<byte> element)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(index, Length);
        Insert(index, element, index == Length ? ListPlacement.Last : ListPlacement.Before);
    }

    /// <summary>
    /// Inserts an element after the one at an index: the same order as inserting before the next one, but possibly into a different node of
    /// Valkey's.
    /// </summary>
    public void InsertBehind(long index, ReadOnlySpan<byte> element)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, Length);
        Insert(index, element, ListPlacement.Behind);
    }

    /// <summary>Replaces the element at an index.</summary>
    public void SetAt(long index, ReadOnlySpan<byte> element)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, Length);
        var code = ElementCode.Of(element);
        int offset = IsTree ? 0 : View.OffsetOf(index);
        int oldLength = IsTree ? 0 : PackedEntries.Next(_storage.Bytes, offset) - offset;
        BecomeTreeIfNeeded(code.Size - oldLength);
        if (IsTree)
        {
            ListTree.SetAt(ref _storage, index, code, element.Length);
            Shrink();
            return;
        }

        long oldSize = ListPackSize.Of(PackedEntries.Read(_storage.Bytes, offset));
        Span<byte> value = _storage.Splice(offset, oldLength, code.Size);
        code.WriteTo(value[offset..]);
        Count(value, 0, ListPackSize.Of(element) - oldSize);
        Shrink();
    }

    /// <summary>
    /// Removes the first or the last element, of which the caller passes a copy, and adds it at an end. A list of one element and its key
    /// are kept.
    /// </summary>
    public void Rotate(ReadOnlySpan<byte> element, bool takesFirst, bool putsFirst)
    {
        if (Length == 1)
        {
            Renew(element);
            return;
        }

        Cut(takesFirst ? 0 : Length - 1, 1);
        Expect(1, element.Length);
        if (putsFirst)
            PushFirst(element);
        else
            PushLast(element);

        Shrink();
    }

    /// <summary>Keeps only <paramref name="count"/> elements, at least one, starting at an index.</summary>
    public void Trim(long index, long count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, Length - index);
        Cut(index + count, Length - index - count);
        Cut(0, index);
        Shrink();
    }

    /// <summary>Removes consecutive elements, all of which must exist.</summary>
    public void RemoveRange(long index, long count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, Length - index);
        if (count == 0)
            return;

        if (count == Length)
        {
            _storage.Remove();
            return;
        }

        Cut(index, count);
        Shrink();
    }

    /// <summary>Removes up to <paramref name="most"/> matching elements (0: all), starting from the head or the tail; returns the number
    /// removed.</summary>
    public long Remove(ReadOnlySpan<byte> element, long most, bool fromEnd)
    {
        var code = ElementCode.Of(element);
        if (IsTree)
        {
            long gone = ListTree.Remove(ref _storage, code, most, fromEnd);
            if (gone > 0 && _storage.Exists)
                Shrink();

            return gone;
        }

        long matches = 0;
        ReadOnlySpan<byte> old = _storage.Bytes;
        for (int offset = View.OffsetOf(0); offset < old.Length; offset = PackedEntries.Next(old, offset))
            matches += code.Matches(old[offset..]) ? 1 : 0;

        long removed = most == 0 ? matches : Math.Min(most, matches);
        if (removed == 0)
            return 0;

        if (removed == Length)
        {
            _storage.Remove();
            return removed;
        }

        long kept = fromEnd ? matches - removed : 0;
        Span<byte> value = _storage.Mutate();
        int target = PackedForm.ListHeaderBytes;
        long left = removed;
        for (int offset = target; offset < value.Length; )
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

        Count(_storage.Resize(target), -(int)removed, -removed * ListPackSize.Of(element));
        Shrink();
        return removed;
    }

    /// <summary>
    /// Moves a detached list into a latched record, replacing its value; an empty one removes the record. The encoding is that of a list of
    /// this size.
    /// </summary>
    /// <param name="target">The record.</param>
    /// <param name="expiresAtMs">Unix milliseconds of expiry, -1 for none.</param>
    /// <param name="staysQuickList">Whether it reports quicklist even when small.</param>
    public void StoreTo(ref RecordHandle target, long expiresAtMs = -1, bool staysQuickList = false)
    {
        if (Length == 0)
        {
            _storage.Discard();
        }
        else if (staysQuickList || !IsListPack(isShrinking: false))
        {
            SetLarge();
            BecomeNodesIfLarge();
        }
        else
        {
            LeaveLarge();
        }

        _storage.StoreTo(ref target, expiresAtMs);
    }

    /// <summary>Discards a detached list.</summary>
    public void Discard() => _storage.Discard();

    private readonly bool IsTree => PackedForm.IsTree(_storage.Bytes);

    // For lists without nodes; such a list may report quicklist although all of it would fit into one node.
    private readonly long ListPackBytes =>
        !_storage.Exists ? ListPackSize.Empty
        : IsTree ? _storage.Tree->User0
        : PackedForm.ListBytes(_storage.Bytes);

    private readonly ListNode WholeNode => ListNode.Packed(Length, ListPackBytes);

    private readonly bool FitsBesideAll(int length) =>
        _storage.Exists ? _storage.Limits.ListNode.Takes(WholeNode, length) : !_storage.Limits.ListNode.IsLarge(length);

    private void Create()
    {
        Span<byte> value = _storage.Resize(PackedForm.ListHeaderBytes);
        PackedForm.Write(value, PackedForm.Entries, 0);
        PackedForm.SetListBytes(value, ListPackSize.Empty);
    }

    private void Insert(long index, ReadOnlySpan<byte> element, ListPlacement placement)
    {
        if (!_storage.Exists)
            Create();

        var code = ElementCode.Of(element);
        BecomeTreeIfNeeded(code.Size);
        if (IsTree)
        {
            ListTree.Insert(ref _storage, index, code, element.Length, placement);
            return;
        }

        int offset = index == Length ? _storage.Bytes.Length : View.OffsetOf(placement == ListPlacement.Behind ? index + 1 : index);
        Span<byte> value = _storage.Splice(offset, 0, code.Size);
        code.WriteTo(value[offset..]);
        Count(value, 1, ListPackSize.Of(element));
    }

    // Removes some, but not all, elements.
    private void Cut(long index, long count)
    {
        if (count == 0)
            return;

        if (IsTree)
        {
            ListTree.RemoveRange(ref _storage, index, count);
            return;
        }

        ReadOnlySpan<byte> old = _storage.Bytes;
        int offset = View.OffsetOf(index);
        int end = offset;
        long oldSize = 0;
        for (long i = 0; i < count; i++)
        {
            oldSize += ListPackSize.Of(PackedEntries.Read(old, end));
            end = PackedEntries.Next(old, end);
        }

        Count(_storage.Splice(offset, end - offset, 0), -(int)count, -oldSize);
    }

    // Removes the only element of a list and adds it again.
    private void Renew(ReadOnlySpan<byte> element)
    {
        if (!IsLarge && !_storage.Limits.ListNode.IsExceededBy(ListPackSize.Empty + element.Length, 1))
        {
            _storage.Mutate();
            return;
        }

        SetLarge();
        BecomeNodesIfLarge();
        _storage.BeforeTreeChange();
        ListTree.RenewNodes(ref _storage, element);
        Shrink();
    }

    // From here on the list reports quicklist. The stored form changes with the next change only: a command that finds nothing to change
    // (LSET past the end, LINSERT at a missing element) leaves just this flag, and watchers are not notified.
    private void SetLarge()
    {
        if (!_storage.Exists)
        {
            ListTree.CreateNodes(ref _storage);
        }
        else if (!IsLarge)
        {
            CollectionLimits limits = _storage.Limits;
            Span<byte> value = MutateForm();
            value[0] |= PackedForm.IsLarge;
            if (IsTree)
            {
                ListTree.BecomeNodes(ref _storage, limits.ListSetting, limits.IsListCompressed);
            }
            else
            {
                value[0] |= (byte)(limits.IsListCompressed ? PackedForm.IsCompressedList : 0);
                PackedForm.SetListSetting(value, limits.ListSetting);
            }
        }
    }

    private void LeaveLarge()
    {
        if (IsLarge)
        {
            if (IsTree)
                ListTree.LeaveNodes(ref _storage);

            Span<byte> value = MutateForm();
            value[0] = (byte)(value[0] & ~(PackedForm.IsLarge | PackedForm.IsCompressedList));
        }
    }

    private Span<byte> MutateForm() => _storage.TryMutateUnseen(out Span<byte> value) ? value : _storage.Mutate();

    // Call before an element is added or replaced; <paramref name="growth"/> is the increase of the packed size.
    private void BecomeTreeIfNeeded(int growth)
    {
        BecomeNodesIfLarge();
        if (!IsTree && _storage.Bytes.Length + growth > PackedForm.MaxPackedBytes)
            ListTree.Convert(ref _storage);
    }

    // A list that reports quicklist gets nodes with its next change.
    private void BecomeNodesIfLarge()
    {
        if (IsLarge && !IsTree)
        {
            short setting = PackedForm.ListSetting(_storage.Bytes);
            bool isCompressed = (_storage.Bytes[0] & PackedForm.IsCompressedList) != 0;
            ListTree.Convert(ref _storage);
            ListTree.BecomeNodes(ref _storage, setting, isCompressed);
        }
    }

    private static void Count(Span<byte> value, int elements, long listPackBytes)
    {
        PackedForm.SetCount(value, PackedForm.Count(value) + elements);
        PackedForm.SetListBytes(value, PackedForm.ListBytes(value) + listPackBytes);
    }

    // As in Valkey, a list becomes a listpack again only when it has one node of at most half the limit.
    private void Shrink()
    {
        if (IsLarge && IsListPack(isShrinking: true))
            LeaveLarge();

        if (IsTree && !IsLarge)
            ListTree.Pack(ref _storage);
    }

    // Whether the list consists of one node that may be a listpack.
    private readonly bool IsListPack(bool isShrinking)
    {
        ListNodeRing* ring = IsTree ? ListNodeHeap.RingOf(_storage.Tree) : null;
        return ring == null
            ? _storage.Limits.ListNode.IsListPack(WholeNode, isShrinking)
            : ring->Count == 1 && _storage.Limits.ListNode.IsListPack(ListNodeRing.At(ring, 0), isShrinking);
    }
}
