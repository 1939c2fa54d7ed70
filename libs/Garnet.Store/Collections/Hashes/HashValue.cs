// A hash: reads and all changes. Owned by the session's thread, used while its key is latched.
using System.Diagnostics.CodeAnalysis;
using Garnet.Store.Collections.Trees;
using Garnet.Store.DataTypes;

namespace Garnet.Store.Collections.Hashes;

/// <summary>
/// A hash in a latched record, or detached (without a key). Takes ownership of the handle: use <see cref="Record"/> afterwards. The key is
/// created with the first field and removed with the last. Returned spans are invalid after the next change; spans passed in must not point
/// into the store.
/// </summary>
internal ref struct HashValue
{
    /// <summary>Passed as an expiry: keep the one that the field has, if any.</summary>
    public const long KeepExpiry = -2;

    private ValueStorage _storage;

    /// <summary>The value of a hash without fields: a copy of a hash whose fields have all expired.</summary>
    public static ReadOnlySpan<byte> Nothing => [PackedForm.IsLarge, 0, 0, 0];

    /// <summary>The hash of a latched key, which may be absent but must not have another type.</summary>
    public HashValue(RecordHandle record) => _storage = new ValueStorage(record, RecordType.Hash);

    private HashValue(StoreSession session) => _storage = new ValueStorage(session, RecordType.Hash);

    /// <summary>The record; not available for detached values.</summary>
    [UnscopedRef]
    public ref RecordHandle Record => ref _storage.Record;

    /// <summary>Whether the hash has any field.</summary>
    public readonly bool Exists => _storage.Exists;

    /// <summary>Number of fields, including expired ones that have not been removed yet, as in Valkey.</summary>
    public readonly long Length => View.Length;

    /// <summary>Number of fields that have an expiry.</summary>
    public readonly long ExpiringFields => View.ExpiringFields;

    /// <summary>A lower bound for the earliest expiry of a field; <see cref="long.MaxValue"/> if none has one.</summary>
    public readonly long EarliestExpiryMs => View.EarliestExpiryMs;

    /// <summary>Whether the length limit on names and values is ignored, for a hash that another server saved in packed form.</summary>
    public bool TakesAnyLength { get; set; }

    /// <summary>The encoding as reported by OBJECT ENCODING.</summary>
    public readonly ReadOnlySpan<byte> Encoding => DataTypeTable.Of(RecordType.Hash).EncodingOf(_storage.Bytes);

    private readonly HashView View => new(_storage.Bytes, _storage.Trees, _storage.Session.Expiry.NowMs);

    /// <summary>A detached empty hash; must end with <see cref="StoreTo"/> or <see cref="Discard"/>.</summary>
    public static HashValue Detached(StoreSession session) => new(session);

    /// <summary>Encoded size of a field's name or value in a small hash, in bytes.</summary>
    public static int SizeOf(ReadOnlySpan<byte> text) => ElementCode.Of(text).Size;

    /// <summary>
    /// Announces that <paramref name="fields"/> fields are about to be set, which settles the encoding as Valkey does once per command. A
    /// new hash reserves space for their names and values (<paramref name="bytes"/>, from <see cref="SizeOf"/>; 0 if unknown), so that it
    /// is not moved as it grows.
    /// </summary>
    public void Expect(long fields, long bytes = 0)
    {
        bool isLarge = fields > _storage.Limits.HashMaxListPackEntries;
        if (!_storage.Exists && bytes is > 0 and <= PackedForm.MaxPackedBytes)
            PackedForm.Write(_storage.Create(PackedForm.HeaderBytes, (int)bytes), isLarge ? PackedForm.IsLarge : PackedForm.Entries, 0);
        else if (isLarge)
            BecomeLarge();
    }

    /// <summary>The value of a visible field.</summary>
    public readonly bool TryGet(ReadOnlySpan<byte> field, out ReadOnlySpan<byte> value) => TryGet(field, out value, out _);

    /// <summary>The value of a visible field, and its expiry (-1 for none).</summary>
    public readonly bool TryGet(ReadOnlySpan<byte> field, out ReadOnlySpan<byte> value, out long expiresAtMs)
    {
        bool isFound = View.TryGet(field, out PackedElement element, out expiresAtMs);
        value = element.Span;
        return isFound;
    }

    /// <summary>Whether a visible field exists.</summary>
    public readonly bool Contains(ReadOnlySpan<byte> field) => View.Contains(field);

    /// <summary>The field at an arbitrary but fixed index below <see cref="Length"/>; false when it has expired.</summary>
    public readonly bool TryGetAt(long index, out HashField field)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, Length);
        HashView view = View;
        field = view.AtIndex(index);
        return !view.IsExpired(field.ExpiresAtMs);
    }

    /// <summary>All visible fields, in insertion order while the hash is small.</summary>
    public readonly HashEnumerator GetEnumerator() => View.GetEnumerator();

    /// <summary>A snapshot for a reply with all fields if that reply would be large, otherwise null.</summary>
    public readonly CollectionSnapshot? TakeSnapshotIfLarge() => CollectionSnapshot.TakeIfLarge(_storage, 1, 1);

    /// <summary>Visible fields chosen uniformly; distinct ones end when all have been drawn.</summary>
    public readonly HashSample Sample(long count, bool isDistinct) => new(View, count, isDistinct);

    /// <summary>
    /// Visits some fields and returns the next cursor; 0 both starts and ends the scan. Fields present during the whole iteration are
    /// visited at least once.
    /// </summary>
    public readonly ulong Scan<TVisitor>(ulong cursor, int count, ref TVisitor visitor)
        where TVisitor : struct, IHashVisitor, allows ref struct
    {
        HashView view = View;
        if (view.IsTree)
            return ScanTree(view, cursor, count, ref visitor);

        if (IsLarge)
            return ScanPacked(cursor, count, ref visitor);

        foreach (HashField field in View)
            visitor.Visit(field.Field, field.Value);

        return 0;
    }

    /// <summary>
    /// Sets a field; true when no visible one existed. Its expiry becomes the given one (-1 for none, or <see cref="KeepExpiry"/>).
    /// </summary>
    public bool Set(ReadOnlySpan<byte> field, ReadOnlySpan<byte> value, long expiresAtMs = -1)
    {
        var name = ElementCode.Of(field);
        var content = ElementCode.Of(value);
        if (expiresAtMs >= 0)
            EnsureExpiries();

        HashView view = View;
        if (view.IsTree)
            return HashTree.Set(ref _storage, name, content, expiresAtMs);

        int offset = view.Find(name);
        bool isAdded = offset < 0;
        if (isAdded)
        {
            Append(name, content, Math.Max(expiresAtMs, -1));
        }
        else
        {
            int valueOffset = PackedEntries.Next(_storage.Bytes, offset);
            long oldExpiry = view.ExpiryAt(valueOffset);
            isAdded = view.IsExpired(oldExpiry);
            if (isAdded)
                _storage.CountExpiredField();

            int valueBytes = PackedEntries.Next(_storage.Bytes, valueOffset) - valueOffset;
            content.WriteTo(_storage.Splice(valueOffset, valueBytes, content.Size)[valueOffset..]);
            long expiry =
                expiresAtMs != KeepExpiry ? expiresAtMs
                : isAdded ? -1
                : oldExpiry;
            if (expiry != oldExpiry)
                WriteExpiry(valueOffset, oldExpiry, expiry);
        }

        bool isLong = field.Length > _storage.Limits.HashMaxListPackValue || value.Length > _storage.Limits.HashMaxListPackValue;
        if ((isLong && !TakesAnyLength) || Length > _storage.Limits.HashMaxListPackEntries)
            BecomeLarge();

        if (IsLarge && _storage.Bytes.Length > PackedForm.MaxPackedBytes)
            HashTree.Convert(ref _storage);

        return isAdded;
    }

    /// <summary>
    /// Sets or removes (-1) the expiry of a visible field; false when there is none. Setting the expiry it already has counts as a change,
    /// as in Valkey.
    /// </summary>
    public bool SetExpiry(ReadOnlySpan<byte> field, long expiresAtMs)
    {
        var name = ElementCode.Of(field);
        HashView view = View;
        if (view.IsTree)
            return HashTree.SetExpiry(ref _storage, name, expiresAtMs);

        int offset = view.Find(name);
        if (offset < 0 || view.IsExpired(view.ExpiryAt(PackedEntries.Next(_storage.Bytes, offset))))
            return false;

        if (expiresAtMs >= 0)
        {
            EnsureExpiries();
            view = View;
            offset = view.Find(name);
        }

        int valueOffset = PackedEntries.Next(_storage.Bytes, offset);
        long oldExpiry = view.ExpiryAt(valueOffset);
        if (oldExpiry != expiresAtMs)
            WriteExpiry(valueOffset, oldExpiry, expiresAtMs);
        else if (expiresAtMs >= 0)
            _storage.Mutate();

        return true;
    }

    /// <summary>Removes a field; false when no visible one existed (an expired one is removed nevertheless).</summary>
    public bool Remove(ReadOnlySpan<byte> field)
    {
        HashView view = View;
        var name = ElementCode.Of(field);
        if (view.IsTree)
            return HashTree.Remove(ref _storage, name);

        int offset = view.Find(name);
        if (offset < 0)
            return false;

        HashField old = view.At(offset, out int next);
        long expiry = old.ExpiresAtMs;
        bool wasVisible = !view.IsExpired(expiry);
        RemoveAt(offset, next, expiry);
        return wasVisible;
    }

    /// <summary>
    /// Removes up to <paramref name="most"/> expired fields, passing each to the visitor first, and updates <see cref="EarliestExpiryMs"/>.
    /// Returns the number removed.
    /// </summary>
    public int RemoveExpired<TVisitor>(int most, ref TVisitor visitor)
        where TVisitor : struct, IElementVisitor, allows ref struct
    {
        if (EarliestExpiryMs >= _storage.Session.Expiry.NowMs)
            return 0;

        if (View.IsTree)
            return HashTree.RemoveExpired(ref _storage, most, ref visitor);

        int removed = 0;
        long earliest = long.MaxValue;
        int offset = View.Start;
        while (offset < _storage.Bytes.Length)
        {
            HashView view = View;
            HashField field = view.At(offset, out int next);
            long expiry = field.ExpiresAtMs;
            if (view.IsExpired(expiry) && removed < most)
            {
                visitor.Visit(field.Field);
                RemoveAt(offset, next, expiry);
                removed++;
                continue;
            }

            earliest = expiry < 0 ? earliest : Math.Min(earliest, expiry);
            offset = next;
        }

        if (Exists && earliest != EarliestExpiryMs)
        {
            PackedForm.WriteExpiries(_storage.Mutate(), (int)ExpiringFields, earliest);
            ScheduleEarliest(earliest);
        }

        return removed;
    }

    /// <summary>Moves a detached hash into a latched record, replacing its value; an empty one removes the record.</summary>
    public void StoreTo(ref RecordHandle target, long expiresAtMs = -1)
    {
        long earliest = EarliestExpiryMs;
        if (Length == 0)
            _storage.Discard();

        _storage.StoreTo(ref target, expiresAtMs);
        if (earliest != long.MaxValue)
            target.Latched.ScheduleElementExpiry(earliest);
    }

    /// <summary>Discards a detached hash.</summary>
    public void Discard() => _storage.Discard();

    private readonly bool IsLarge => (PackedForm.FormOf(_storage.Bytes) & PackedForm.IsLarge) != 0;

    private static ulong ScanTree<TVisitor>(HashView view, ulong from, int count, ref TVisitor visitor)
        where TVisitor : struct, IHashVisitor, allows ref struct
    {
        var cursor = default(TreeCursor);
        TreeEntry.SeekScan(view.Trees, view.Tree, from, ref cursor);
        long last = -1;
        long position = TreeEntry.ScanPosition(view.Trees, ref cursor);
        while (position >= 0 && (count-- > 0 || position == last))
        {
            HashField field = HashEntry.Read(TreeEntry.At(ref cursor));
            if (!view.IsExpired(field.ExpiresAtMs))
                visitor.Visit(field.Field, field.Value);

            last = position;
            cursor.MoveNext();
            position = TreeEntry.ScanPosition(view.Trees, ref cursor);
        }

        return (ulong)Math.Max(0, position);
    }

    private readonly ulong ScanPacked<TVisitor>(ulong from, int count, ref TVisitor visitor)
        where TVisitor : struct, IHashVisitor, allows ref struct
    {
        TreeStore trees = _storage.Trees;
        var window = new ScanWindow(from, Length);
        foreach (HashField field in View)
            window.Add(TreeEntry.ScanPositionOf(trees, field.Field));

        ulong next = window.Close(count);
        foreach (HashField field in View)
        {
            if (window.Has(TreeEntry.ScanPositionOf(trees, field.Field)))
                visitor.Visit(field.Field, field.Value);
        }

        return next;
    }

    private void BecomeLarge()
    {
        if (!_storage.Exists)
            PackedForm.Write(_storage.Resize(PackedForm.HeaderBytes), PackedForm.IsLarge, 0);
        else if (!IsLarge)
            _storage.Mutate()[0] |= PackedForm.IsLarge;
    }

    private void Append(in ElementCode name, in ElementCode content, long expiresAtMs)
    {
        if (!_storage.Exists)
        {
            PackedForm.Write(_storage.Resize(PackedForm.HeaderBytes + name.Size + content.Size), PackedForm.Entries, 0);
            Span<byte> created = _storage.Mutate();
            content.WriteTo(name.WriteTo(created[PackedForm.HeaderBytes..]));
            PackedForm.SetCount(created, 1);
            return;
        }

        bool hasExpiries = View.HasExpiries;
        var expiry = ElementCode.OfInteger(expiresAtMs);
        int end = _storage.Bytes.Length;
        Span<byte> value = _storage.Resize(checked(end + name.Size + content.Size + (hasExpiries ? expiry.Size : 0)));
        Span<byte> rest = content.WriteTo(name.WriteTo(value[end..]));
        PackedForm.SetCount(value, PackedForm.Count(value) + 1);
        if (hasExpiries)
        {
            expiry.WriteTo(rest);
            CountExpiry(value, -1, expiresAtMs);
        }
    }

    private void RemoveAt(int offset, int next, long expiry)
    {
        int count = PackedForm.Count(_storage.Bytes);
        if (count == 1)
        {
            _storage.Remove();
            return;
        }

        Span<byte> value = _storage.Splice(offset, next - offset, 0);
        PackedForm.SetCount(value, count - 1);
        CountExpiry(value, expiry, -1);
    }

    private void WriteExpiry(int valueOffset, long oldExpiry, long expiry)
    {
        int offset = PackedEntries.Next(_storage.Bytes, valueOffset);
        var code = ElementCode.OfInteger(expiry);
        Span<byte> value = _storage.Splice(offset, PackedEntries.Next(_storage.Bytes, offset) - offset, code.Size);
        code.WriteTo(value[offset..]);
        CountExpiry(value, oldExpiry, expiry);
    }

    // Maintains the number of expiring fields and the lower bound of the earliest expiry.
    private void CountExpiry(Span<byte> value, long oldExpiry, long expiry)
    {
        if (oldExpiry < 0 && expiry < 0)
            return;

        int before = PackedForm.ExpiringFields(value);
        int fields = before + (expiry >= 0 ? 1 : 0) - (oldExpiry >= 0 ? 1 : 0);
        _storage.CountVolatile(before, fields);
        long earliest = PackedForm.EarliestExpiry(value);
        if (expiry >= 0 && expiry < earliest)
        {
            earliest = expiry;
            ScheduleEarliest(earliest);
        }

        PackedForm.WriteExpiries(value, fields, fields == 0 ? long.MaxValue : earliest);
    }

    private readonly void ScheduleEarliest(long earliestMs) => _storage.ScheduleElementExpiry(earliestMs);

    // Gives each field a third entry, its expiry.
    private void EnsureExpiries()
    {
        if (!_storage.Exists)
        {
            PackedForm.Write(_storage.Resize(PackedForm.ExpiryHeaderBytes), PackedForm.IsLarge | PackedForm.HasExpiries, 0);
            PackedForm.WriteExpiries(_storage.Mutate(), 0, long.MaxValue);
            return;
        }

        HashView view = View;
        if (view.IsTree || view.HasExpiries)
            return;

        ReadOnlySpan<byte> old = ElementScratch.Current.CopyValue(_storage.Bytes);
        int count = PackedForm.Count(old);
        var never = ElementCode.OfInteger(-1);
        Span<byte> value = _storage.Resize(
            checked(old.Length + PackedForm.ExpiryHeaderBytes - PackedForm.HeaderBytes + (count * never.Size))
        );
        PackedForm.Write(value, PackedForm.IsLarge | PackedForm.HasExpiries, count);
        PackedForm.WriteExpiries(value, 0, long.MaxValue);
        Span<byte> rest = value[PackedForm.ExpiryHeaderBytes..];
        int offset = PackedForm.HeaderBytes;
        while (offset < old.Length)
        {
            int next = PackedEntries.Skip(old, offset, 2);
            old[offset..next].CopyTo(rest);
            rest = never.WriteTo(rest[(next - offset)..]);
            offset = next;
        }
    }
}
