// A latched key: its record's value, expiry and type, and all changes to them. Valid until the session's EndCommand.
using System.Runtime.CompilerServices;
using Garnet.Store.Changes;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Streams;
using Garnet.Store.DataTypes;
using Garnet.Store.Epochs;
using Garnet.Store.Index;
using Garnet.Store.Maintenance;
using Garnet.Store.Memory;
using Garnet.Store.Records;
using Garnet.Store.Snapshots;

namespace Garnet.Store;

/// <summary>
/// The record of a latched key, or the absence of one. Returned spans are invalid after the next call that changes the record; the key
/// passed to Open must stay valid until EndCommand. Never copy a handle and use both copies.
/// </summary>
internal unsafe ref struct RecordHandle
{
    private const int FreeSlackBytes = 64;
    private readonly StoreSession _session;
    private readonly ReadOnlySpan<byte> _key;
    private readonly ulong _salted;
    private readonly long _bucket;
    private readonly int _database;
    private readonly int _physical;
    private int _stamp;
    private KeyChangeKind _lastRaised;
    private byte* _record;
    private long* _place;

    internal RecordHandle(StoreSession session, ReadOnlySpan<byte> key, ulong salted, int database, int physical, long bucket)
    {
        _session = session;
        _key = key;
        _salted = salted;
        _bucket = bucket;
        _database = database;
        _physical = physical;
        _stamp = session.Stamp;
        _record = session.Find(bucket, salted, physical, key, out _place);
    }

    /// <summary>True when a live record exists.</summary>
    public readonly bool Exists => _record != null;

    /// <summary>The record's type; meaningless when absent.</summary>
    public readonly RecordType Type => RecordHeader.Type(Header);

    /// <summary>The value; empty when absent.</summary>
    public readonly ReadOnlySpan<byte> Value => _record == null ? default : RecordHeader.Value(_record, Header);

    /// <summary>The value's length in bytes.</summary>
    public readonly int Length => Value.Length;

    /// <summary>Unix milliseconds of expiry, -1 for none.</summary>
    public readonly long ExpiresAtMs => _record == null ? -1 : RecordHeader.ExpiresAt(_record, Header);

    /// <summary>The sliding part of the expiry; <c>default</c> when it does not slide.</summary>
    public readonly SlidingExpiry Sliding => _record == null ? default : RecordHeader.Sliding(_record, Header);

    /// <summary>The access byte (LRU/LFU state).</summary>
    public readonly byte Access => RecordHeader.Access(Header);

    /// <summary>True when the value is in a reference-counted block outside of the log.</summary>
    public readonly bool IsBlock => (Header & RecordHeader.BlockValue) != 0;

    /// <summary>Memory that the key takes: record, blocks and its share of the index; 0 when absent.</summary>
    public readonly long MemoryBytes
    {
        get
        {
            if (_record == null)
            {
                return 0;
            }

            ulong header = Header;
            long bytes = (RecordHeader.Units(header) * 8L) + 16;
            bytes +=
                (header & RecordHeader.BlockValue) != 0
                    ? RecordHeader.ValueBlockOf(_record, header)->CountedBytes + sizeof(BlockHeader)
                    : 0;
            bytes += IsTree ? CollectionTrees.Bytes(Value) : 0;
            bytes +=
                (header & RecordHeader.BlockKey) != 0 ? RecordHeader.KeyBlockOf(_record, header)->CountedBytes + sizeof(BlockHeader) : 0;
            return bytes;
        }
    }

    /// <summary>The part of <see cref="MemoryBytes"/> that is spare capacity after the value, left by earlier changes; in whole
    /// words.</summary>
    public readonly long SpareBytes =>
        _record == null ? 0 : (RecordHeader.Slack(Header) - RecordHeader.SlidingBytesOf(_record, Header)) & ~7;

    internal readonly StoreSession Session => _session;

    /// <summary>True when the value holds the tree addresses of a large collection; the record owns the trees.</summary>
    internal readonly bool IsTree => _record != null && CollectionTrees.IsTree(_record, Header);

    internal readonly ulong Header => _record == null ? 0 : *(ulong*)_record;

    private readonly HybridLogStore Store => _session.Store;

    /// <summary>
    /// Creates or replaces the record with a string value; <paramref name="expiresAtMs"/> replaces the expiry, -1 for none.
    /// </summary>
    public void Set(scoped ReadOnlySpan<byte> value, long expiresAtMs = -1) => Set(RecordType.String, value, expiresAtMs);

    /// <summary>Creates the record or replaces its value, as a string; keeps the expiry, sliding or not.</summary>
    public void SetKeepingExpiry(scoped ReadOnlySpan<byte> value) => Set(RecordType.String, value, ExpiresAtMs, Sliding);

    /// <summary>Creates or replaces the record with a value of the given type.</summary>
    /// <param name="type">The value's type.</param>
    /// <param name="value">Its bytes.</param>
    /// <param name="expiresAtMs">Unix milliseconds of expiry, -1 for none.</param>
    /// <param name="sliding">The sliding part of the expiry; requires an expiry.</param>
    public void Set(RecordType type, scoped ReadOnlySpan<byte> value, long expiresAtMs, in SlidingExpiry sliding = default)
    {
        BeforeChange();
        if (value.Length < Store.BlockThresholdBytes)
        {
            Rebuild(type, expiresAtMs, sliding, value, value.Length, null, 0);
            return;
        }

        BlockHeader* block = OwnBlock();
        if (block == null || block->Capacity < value.Length || block->Capacity / 4 > value.Length)
        {
            block = Store.Blocks.Allocate(value.Length, value.Length);
        }

        Store.Blocks.Count(block, value.Length);
        value.CopyTo(new Span<byte>(block->Data, value.Length));
        block->Length = value.Length;
        Rebuild(type, expiresAtMs, sliding, default, 0, block, 0);
    }

    /// <summary>
    /// Creates or replaces the record with a block made by the caller (a large value received in place); takes ownership of the caller's
    /// reference.
    /// </summary>
    public void SetBlock(ValueBlock block, long expiresAtMs = -1, in SlidingExpiry sliding = default) =>
        SetBlock(RecordType.String, block, expiresAtMs, sliding);

    internal void SetBlock(RecordType type, ValueBlock block, long expiresAtMs, in SlidingExpiry sliding = default)
    {
        if (block.Length < Store.BlockThresholdBytes)
        {
            Set(type, block.Span, expiresAtMs, sliding);
            block.Release();
            return;
        }

        BeforeChange();
        block.CountArrived(block.Length);
        Rebuild(type, expiresAtMs, sliding, default, 0, block.Header, 0);
    }

    /// <summary>
    /// Makes the value writable with a new length, in place where it fits; keeps the bytes up to the shorter length, zeroes added bytes,
    /// keeps the expiry. Creates a string when absent.
    /// </summary>
    public Span<byte> Resize(int length) => Resize(length, RecordType.String, length / 4);

    /// <summary>
    /// Like <see cref="Resize(int)"/>, with the type of a new record and the spare capacity of one that moves because it grows.
    /// </summary>
    internal Span<byte> Resize(int length, RecordType typeWhenAbsent, int spareBytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        BeforeChange();
        ulong header = Header;
        bool isBlock = (header & RecordHeader.BlockValue) != 0;
        int before = Length;
        if (length >= Store.BlockThresholdBytes)
        {
            ResizeBlock(length, before, isBlock, typeWhenAbsent);
        }
        else if (isBlock || !TryResizeInPlace(header, length, before))
        {
            // Growth by small steps (APPEND) reserves a quarter more, so that the record rarely moves.
            int spare = _record != null && length > before ? spareBytes : 0;
            RecordType type = _record == null ? typeWhenAbsent : RecordHeader.Type(header);
            ReadOnlySpan<byte> kept = Value;
            Rebuild(type, ExpiresAtMs, Sliding, kept[..Math.Min(length, kept.Length)], length, null, spare);
        }

        NoteEdit();
        return RecordHeader.Value(_record, Header);
    }

    /// <summary>Creates a record, which must be absent, with a zeroed value and spare capacity.</summary>
    internal Span<byte> Create(RecordType type, int length, int spareBytes)
    {
        BeforeChange();
        if (_record != null)
            throw new InvalidOperationException("The record already exists.");

        Rebuild(type, -1, default, default, length, null, spareBytes);
        return RecordHeader.Value(_record, Header);
    }

    /// <summary>The value's bytes for changing in place, with the same length.</summary>
    public Span<byte> Mutate()
    {
        BeforeChange();
        ThrowIfAbsent();
        if (IsBlock && OwnBlock() == null)
        {
            ResizeBlock(Length, Length, isBlock: true, Type);
        }
        else
        {
            Raise(KeyChangeKind.Modified);
        }

        NoteEdit();
        return RecordHeader.Value(_record, Header);
    }

    /// <summary>As <see cref="Mutate()"/> of a value that is not a block, for a change of a certain kind.</summary>
    internal Span<byte> Mutate(KeyChangeKind kind)
    {
        BeforeChange();
        ThrowIfAbsent();
        Raise(kind);
        return RecordHeader.Value(_record, Header);
    }

    /// <summary>
    /// Says that a string was made or looked at for changes in place, as <see cref="Mutate()"/> and <see cref="Resize(int)"/> do: OBJECT
    /// ENCODING then gives raw. No change of the key.
    /// </summary>
    public readonly void NoteEdit() => NoteForm(RecordHeader.Edited);

    /// <summary>Records that a string was computed: OBJECT ENCODING then does not report int. Not a change of the key.</summary>
    public readonly void NoteComputed() => NoteForm(RecordHeader.Computed);

    // Writes a single byte, because readers write the access byte in the same word.
    private readonly void NoteForm(ulong form)
    {
        if (_record != null && Type == RecordType.String)
            *_record = (byte)((*_record & ~RecordHeader.FormMask) | form);
    }

    /// <summary>Like <see cref="Mutate()"/>, for something that does not count as a change; false for a value in a block.</summary>
    internal bool TryMutateUnseen(out Span<byte> value)
    {
        value = default;
        if (_record == null || IsBlock)
            return false;

        BeforeChange();
        value = RecordHeader.Value(_record, Header);
        return true;
    }

    /// <summary>Sets or removes (-1) the expiry, which no longer slides.</summary>
    public void SetExpiry(long expiresAtMs) => SetExpiry(expiresAtMs, default);

    /// <summary>Renews a sliding expiry at the given time; the key must have one.</summary>
    public void Slide(long renewedAtMs)
    {
        SlidingExpiry sliding = Sliding;
        if (!sliding.Slides)
            throw new InvalidOperationException("The key has no sliding expiry.");

        SetExpiry(sliding.ExpiresAtMs(renewedAtMs), sliding);
    }

    // The space of a sliding expiry is kept, so the record stays in place whenever it had an expiry before.
    private void SetExpiry(long expiresAtMs, in SlidingExpiry sliding)
    {
        BeforeChange();
        ThrowIfAbsent();
        ulong header = Header;
        ulong form = StringForm.Kept(header, Value, _key.Length);
        if ((header & RecordHeader.Expiry) != 0 && expiresAtMs >= 0)
        {
            ExpiryShare before = Share(header);
            RecordHeader.WriteExpiry(_record, RecordHeader.Units(header), expiresAtMs, sliding);
            before.Become(Share(header), _session.Slot, _physical);
            Store.Log.NoteExpiry(HashIndex.AddressOf(*_place), expiresAtMs);
            Raise(KeyChangeKind.Modified);
        }
        else if ((header & RecordHeader.BlockValue) != 0)
        {
            Rebuild(RecordHeader.Type(header), expiresAtMs, default, default, 0, RecordHeader.ValueBlockOf(_record, header), 0);
        }
        else
        {
            Rebuild(RecordHeader.Type(header), expiresAtMs, default, Value, Length, null, 0);
        }

        NoteForm(form);
    }

    /// <summary>
    /// Copies this record to another latched record: type, value and expiry. Blocks are shared and copied on the first change.
    /// </summary>
    public readonly void CopyTo(ref RecordHandle target)
    {
        ThrowIfAbsent();
        if (IsTree)
        {
            // Copy before the target's value is removed, since the target may be dropped but never the source.
            target.SetTrees(Type, CollectionTrees.Copy(Store.Trees, Type, Value, ElementScratch.Current.TreeLinks), ExpiresAtMs);
        }
        else if (TryReferenceBlock(out ValueBlock block))
        {
            target.SetBlock(Type, block, ExpiresAtMs, Sliding);
        }
        else
        {
            target.Set(Type, Value, ExpiresAtMs, Sliding);
        }

        target.NoteForm(StringForm.Kept(Header, Value, _key.Length));
    }

    /// <summary>Like <see cref="CopyTo"/>, and removes this record.</summary>
    public void MoveTo(ref RecordHandle target)
    {
        if (IsTree)
        {
            // The target takes ownership of the trees, so that removing the source leaves them alone.
            BeforeChange();
            target.SetTrees(Type, Value, ExpiresAtMs);
            BeforeChange();
            ExpiryShare before = Share(Header);
            PackedForm.Write(RecordHeader.Value(_record, Header), PackedForm.Entries, 0);
            before.Become(Share(Header), _session.Slot, _physical);
        }
        else
        {
            CopyTo(ref target);
        }

        Delete();
    }

    /// <summary>Number of elements, fields or members of a collection; 1 for a string, 0 when absent.</summary>
    public readonly long ElementCount => !Exists ? 0 : DataType.CountOf(Value);

    /// <summary>What is known of the value's type; the record must exist.</summary>
    public readonly DataType DataType => Store.Types.Of(Type, Value);

    /// <summary>The stream; invalid after the next change.</summary>
    public readonly StreamView OpenStream() => new(Value, Store.Trees);

    /// <summary>The elements of a collection other than a stream, in order; invalid after the next change.</summary>
    public readonly CollectionImage OpenCollection() => CollectionImage.FromRecord(Store.Trees, Type, Value);

    /// <summary>The record's address in the log: constant while the value is changed in place, and not a pointer into the
    /// process.</summary>
    public readonly long Address => _record == null ? 0 : HashIndex.AddressOf(*_place);

    /// <summary>Ensures that expiry examines the record when one of its elements is due.</summary>
    internal readonly void NoteElementExpiry(long expiresAtMs)
    {
        if (_record != null)
            Store.Log.NoteExpiry(HashIndex.AddressOf(*_place), expiresAtMs);
    }

    /// <summary>Maintains the number of hashes with expiring fields, from the state before and after a change.</summary>
    internal readonly void CountVolatile(bool before, bool after) =>
        new ExpiryShare(false, 0, before).Become(new ExpiryShare(false, 0, after), _session.Slot, _physical);

    /// <summary>Records an access to the key, which does not count as a change.</summary>
    public readonly void Touch()
    {
        if (_record != null)
            _session.Touch(_record);
    }

    /// <summary>Counts one more use of the key under policies that count uses, for a command that looked it up twice.</summary>
    public readonly void UseAgain() => _session.UseAgain(_record);

    /// <summary>
    /// Sets the access byte to a value from <see cref="StoreSession.AccessOf"/> or to a frequency; does not count as a change.
    /// </summary>
    public readonly void SetAccess(byte access)
    {
        if (_record != null)
            _record[RecordHeader.AccessOffset] = access;
    }

    /// <summary>Removes the record; true when there was one.</summary>
    public bool Delete()
    {
        BeforeChange();
        if (_record == null)
            return false;

        Remove();
        Raise(KeyChangeKind.Removed);
        return true;
    }

    /// <summary>Like <see cref="Delete"/>, for a record that was given an expiry in the past: it counts as expired.</summary>
    public bool Expire()
    {
        if (!Delete())
            return false;
        _session.Slot.Expired++;
        return true;
    }

    /// <summary>Adds a reference to the value's block, for sending without a copy; false when the value is inline.</summary>
    public readonly bool TryReferenceBlock(out ValueBlock block)
    {
        if (!IsBlock)
        {
            block = default;
            return false;
        }

        block = new ValueBlock(Store.Blocks, RecordHeader.ValueBlockOf(_record, Header));
        block.AddReference();
        return true;
    }

    /// <summary>
    /// Replaces the value's block by a copy if it still is <paramref name="shared"/>. The contents stay the same, so no notification is
    /// sent.
    /// </summary>
    internal bool TryExchangeBlock(ValueBlock shared, ValueBlock copy)
    {
        BeforeChange();
        if (!IsBlock || RecordHeader.ValueBlockOf(_record, Header) != shared.Header || shared.Length != copy.Length)
            return false;

        Unsafe.WriteUnaligned(_record + RecordHeader.ValueOffset(_record, Header), (nint)copy.Header);
        Store.Blocks.Release(shared.Header);
        return true;
    }

    /// <summary>Removes the record if it has expired: counts it, passes its DEL to the sink, notifies watchers.</summary>
    internal void RemoveIfExpired(long nowMs)
    {
        long expires = ExpiresAtMs;
        if (expires < 0 || nowMs <= expires)
        {
            return;
        }

        _session.Slot.Expired++;
        NotifyRemoval(KeyChangeKind.Expired);
        Store.Snapshot?.LeaveOut(_record);
        Remove();
    }

    /// <summary>
    /// Evicts the record: counts it, passes its DEL to the sink, notifies watchers, and passes its image to a running snapshot.
    /// </summary>
    internal void Evict()
    {
        _session.Slot.Evicted++;
        Store.Evicted.Add(_salted);
        NotifyRemoval(KeyChangeKind.Evicted);
        BeforeChange();
        Remove();
    }

    /// <summary>Removes a record of a flushed database, which no client can see, without notifications.</summary>
    internal void RemoveFlushed()
    {
        if (_record != null)
        {
            BeforeChange();
            Remove();
        }
    }

    private void SetTrees(RecordType type, scoped ReadOnlySpan<byte> value, long expiresAtMs)
    {
        BeforeChange();
        Rebuild(type, expiresAtMs, default, value, value.Length, null, 0);
    }

    // Returns the value's block if it has no other references, so that it may be changed in place. An optimistic reader that adds a
    // reference concurrently sees the latch and retreats.
    private readonly BlockHeader* OwnBlock()
    {
        if (!IsBlock)
        {
            return null;
        }

        BlockHeader* block = RecordHeader.ValueBlockOf(_record, Header);
        return Volatile.Read(ref block->References) == 1 ? block : null;
    }

    private readonly void ThrowIfAbsent()
    {
        if (_record == null)
            throw new InvalidOperationException("The record does not exist.");
    }

    // Another handle of this command may have moved the record since. An active snapshot takes the old image.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void BeforeChange()
    {
        if (_stamp != _session.Stamp)
        {
            _stamp = _session.Stamp;
            _record = _session.Find(_bucket, _salted, _physical, _key, out _place);
        }

        SnapshotRound? snapshot = Store.Snapshot;
        if (snapshot != null && _record != null)
        {
            snapshot.BeforeChange(_record, _session.Slot);
        }
    }

    private bool TryResizeInPlace(ulong header, int length, int before)
    {
        if (_record == null)
            return false;

        // Growth within reserved spare capacity happens in place.
        int slack = RecordHeader.Slack(header) - (length - before);
        int slidingBytes = RecordHeader.SlidingBytesOf(_record, header);
        if (length >= before ? slack < slidingBytes : !FitsSlack(slack, RecordHeader.Units(header) * 8, slidingBytes))
            return false;

        if (length > before)
        {
            new Span<byte>(_record + RecordHeader.ValueOffset(_record, header) + before, length - before).Clear();
        }

        *(ulong*)_record = RecordHeader.WithSlack(header, slack);
        Raise(KeyChangeKind.Modified);
        return true;
    }

    private void ResizeBlock(int length, int before, bool isBlock, RecordType typeWhenAbsent)
    {
        BlockHeader* block = OwnBlock();
        if (block != null && block->Capacity >= length)
        {
            Store.Blocks.Count(block, length);
            block->Length = length;
            if (length > before)
            {
                new Span<byte>(block->Data + before, length - before).Clear();
            }

            Raise(KeyChangeKind.Modified);
            return;
        }

        // Doubles the capacity of a growing value; untouched memory costs nothing.
        long capacity = length > before && _record != null ? Math.Max(length, Math.Min(before * 2L, int.MaxValue)) : length;
        block = Store.Blocks.Allocate(length, capacity);
        Store.Blocks.Count(block, length);
        int kept = Math.Min(length, before);
        Value[..kept].CopyTo(new Span<byte>(block->Data, kept));
        new Span<byte>(block->Data + kept, length - kept).Clear();
        Rebuild(_record == null ? typeWhenAbsent : Type, ExpiresAtMs, Sliding, default, 0, block, 0);
    }

    // A record may keep some slack, which must hold a sliding expiry; more than half of the record would waste memory.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool FitsSlack(int slack, int size, int slidingBytes) =>
        slack >= slidingBytes && (slack <= FreeSlackBytes || (slack * 2 <= size && slack <= RecordHeader.MaxSlack));

    // Rewrites the record with a value (some bytes, then zeros up to its length; or a block), in place if it fits, otherwise elsewhere.
    private void Rebuild(
        RecordType type,
        long expiresAtMs,
        in SlidingExpiry sliding,
        scoped ReadOnlySpan<byte> value,
        int valueLength,
        BlockHeader* block,
        int spare
    )
    {
        ulong old = Header;
        bool isNew = _record == null;
        bool isBlockKey = _key.Length > RecordHeader.MaxInlineKey;
        ulong flags =
            (expiresAtMs >= 0 ? RecordHeader.Expiry : 0)
            | (block != null ? RecordHeader.BlockValue : 0)
            | (isBlockKey ? RecordHeader.BlockKey : 0);
        int keyField = isBlockKey ? sizeof(nint) : Math.Min(_key.Length, RecordHeader.LongKey);
        int keyOffset = 8 + (expiresAtMs >= 0 ? 8 : 0) + (keyField == RecordHeader.LongKey ? 4 : 0);
        int valueOffset = keyOffset + (isBlockKey ? sizeof(nint) : _key.Length);
        int valueBytes = block != null ? sizeof(nint) : valueLength;
        int used = valueOffset + valueBytes;
        int slidingBytes = sliding.Slides ? RecordHeader.SlidingBytes : 0;
        BlockHeader* oldBlock = (old & RecordHeader.BlockValue) != 0 ? RecordHeader.ValueBlockOf(_record, old) : null;
        CollectionTrees oldTrees =
            _record != null && CollectionTrees.IsTree(_record, old) ? CollectionTrees.Of(RecordHeader.Value(_record, old)) : default;
        nint keyBlock = isBlockKey ? KeyBlock() : 0;
        ExpiryShare oldShare = Share(old);

        int units = RecordHeader.Units(old);
        long address;
        byte* record;
        bool inPlace = _record != null && FitsSlack((units * 8) - used, units * 8, slidingBytes);
        if (inPlace)
        {
            record = _record;
            address = HashIndex.AddressOf(*_place);
        }
        else
        {
            units = (used + slidingBytes + Math.Min(spare, RecordHeader.MaxSpare(used)) + 7) >> 3;
            record = Store.Log.Allocate(_session.Slot, ref units, out address);
        }

        // The value goes first: its source may be this very record, whose key may be moved over it.
        if (block != null)
        {
            Unsafe.WriteUnaligned(record + valueOffset, (nint)block);
        }
        else
        {
            value.CopyTo(new Span<byte>(record + valueOffset, valueLength));
            if (value.Length < valueLength)
            {
                new Span<byte>(record + valueOffset + value.Length, valueLength - value.Length).Clear();
            }
        }

        if (!inPlace || RecordHeader.KeyOffset(old) != keyOffset)
        {
            RecordHeader.WriteKey(record, keyOffset, keyField, keyBlock, _key);
        }

        if (expiresAtMs >= 0)
        {
            RecordHeader.WriteExpiry(record, units, expiresAtMs, sliding);
        }

        byte version = inPlace ? RecordHeader.Version(old) : Store.Version;
        byte access = _record != null ? RecordHeader.Access(old) : _session.StampNew(_salted);
        ulong header = RecordHeader.Build((ulong)type, flags, version, access, _physical, units, keyField, (units * 8) - used);
        Volatile.Write(ref *(ulong*)record, header);
        Publish(record, address, inPlace, expiresAtMs);
        oldShare.Become(Share(header), _session.Slot, _physical);
        if (oldBlock != null && oldBlock != block)
        {
            Store.Blocks.Release(oldBlock);
        }

        if (
            !oldTrees.IsNone
            && !(CollectionTrees.IsTree(_record, header) && oldTrees == CollectionTrees.Of(RecordHeader.Value(_record, header)))
        )
        {
            oldTrees.Drop(Store.Trees);
        }

        Raise(isNew ? KeyChangeKind.Created : KeyChangeKind.Modified);
    }

    private readonly ExpiryShare Share(ulong header) => ExpiryShare.Of(Store, _record, header);

    // The block of a long key: the record's own, or a new one.
    private readonly nint KeyBlock()
    {
        if (_record != null)
        {
            return (nint)RecordHeader.KeyBlockOf(_record, Header);
        }

        BlockHeader* block = Store.Blocks.Allocate(_key.Length, _key.Length);
        Store.Blocks.Count(block, _key.Length);
        _key.CopyTo(new Span<byte>(block->Data, _key.Length));
        block->KeyHash = Store.DatabaseMap.Salt(_salted, _physical);
        return (nint)block;
    }

    // Makes the index refer to the record, retires the old one, and updates the counters.
    private void Publish(byte* record, long address, bool inPlace, long expiresAtMs)
    {
        EpochSlot slot = _session.Slot;
        if (_record == null)
        {
            _place = Store.Index.Insert(_bucket, HashIndex.EntryOf(_salted, address));
            slot.Keys[_physical]++;
            _session.Created++;
            _stamp = ++_session.Stamp;
        }
        else if (!inPlace)
        {
            long oldAddress = HashIndex.AddressOf(*_place);
            *_place = HashIndex.EntryOf(_salted, address);
            Store.Log.MarkDead(slot, oldAddress);
            _stamp = ++_session.Stamp;
        }

        _record = record;
        if (expiresAtMs >= 0)
        {
            Store.Log.NoteExpiry(address, expiresAtMs);
        }

        if (DataTypeTable.HasElementExpiry(RecordHeader.Type(*(ulong*)record)))
        {
            Store.Log.NoteExpiry(address, FieldExpiry.EarliestOf(RecordHeader.Value(record, *(ulong*)record)));
        }
    }

    // The key may lie in the record itself, so everybody is told before it goes.
    private void NotifyRemoval(KeyChangeKind kind)
    {
        Store.Sink?.Append(_database, _session.Effects.Delete(_key));
        Raise(kind);
    }

    // The one place where a change of this key is announced.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Raise(KeyChangeKind kind)
    {
        _session.CountChange(kind, _bucket, _salted, _database, _key);
        if (Store.Observers.Length != 0)
        {
            NotifyObservers(kind);
        }
    }

    // Once for each kind and command: a command that adds a thousand members changes its key once.
    private void NotifyObservers(KeyChangeKind kind)
    {
        if (kind == _lastRaised || (kind == KeyChangeKind.Modified && _lastRaised == KeyChangeKind.Created))
        {
            return;
        }

        _lastRaised = kind;
        var change = new KeyChange(kind, _database, _key);
        foreach (IKeyChangeObserver observer in Store.Observers)
        {
            observer.OnChange(in change);
        }
    }

    // Unlinks and frees the record.
    private void Remove()
    {
        ulong header = Header;
        long address = HashIndex.AddressOf(*_place);
        Share(header).Become(default, _session.Slot, _physical);
        *_place = 0;
        if (BucketWord.Overflow(*HashIndex.Word(Store.Index.Bucket(_bucket))) != 0)
        {
            Store.Index.TrimOverflow(_bucket);
        }

        if ((header & RecordHeader.BlockValue) != 0)
        {
            Store.Blocks.Release(RecordHeader.ValueBlockOf(_record, header));
        }
        else if (CollectionTrees.IsTree(_record, header))
        {
            CollectionTrees.Of(RecordHeader.Value(_record, header)).Drop(Store.Trees);
        }

        if ((header & RecordHeader.BlockKey) != 0)
        {
            Store.Blocks.Release(RecordHeader.KeyBlockOf(_record, header));
        }

        EpochSlot slot = _session.Slot;
        Store.Log.MarkDead(slot, address);
        slot.Keys[_physical]--;
        _session.Created--;
        _stamp = ++_session.Stamp;
        _record = null;
        _place = null;
    }
}
