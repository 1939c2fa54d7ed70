// A latched key: its record's value, expiry and type, and all changes to them. Valid until the session's EndCommand.
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Garnet.Store.Changes;
using Garnet.Store.Collections;
using Garnet.Store.Maintenance;
using Garnet.Store.Memory;
using Garnet.Store.Records;
using Garnet.Store.Tiering;

namespace Garnet.Store;

/// <summary>
/// The record of a latched key, or the absence of one. Returned spans are invalid after the next call that changes the record; the key
/// passed to Open must stay valid until EndCommand. Never copy a handle and use both copies.
/// </summary>
internal unsafe ref struct RecordHandle
{
    private const int FreeSlackBytes = 64;
    private LatchedKey _at;

    internal RecordHandle(StoreSession session, ReadOnlySpan<byte> key, ulong salted, int database, int physical, long bucket)
    {
        Unsafe.SkipInit(out _at);
        _at.Find(session, key, salted, database, physical, bucket);
    }

    internal RecordHandle(scoped in LatchedKey at) => _at = at;

    /// <summary>True when a live record exists.</summary>
    public readonly bool Exists => _at.Record != null;

    /// <summary>The record's type; meaningless when absent.</summary>
    public readonly RecordType Type => RecordHeader.Type(Header);

    /// <summary>The value; empty when absent.</summary>
    public readonly ReadOnlySpan<byte> Value => _at.Record == null ? default : RecordHeader.Value(_at.Record, Header);

    /// <summary>The value's length in bytes.</summary>
    public readonly int Length => Value.Length;

    /// <summary>Unix milliseconds of expiry, -1 for none.</summary>
    public readonly long ExpiresAtMs => _at.Record == null ? -1 : RecordHeader.ExpiresAt(_at.Record, Header);

    /// <summary>The sliding part of the expiry; <c>default</c> when it does not slide.</summary>
    public readonly SlidingExpiry Sliding => _at.Record == null ? default : RecordHeader.Sliding(_at.Record, Header);

    /// <summary>What else is known of the record: its type, size and elements.</summary>
    public readonly RecordContents Contents => new(Store, _at.Record, _at.Address);

    /// <summary>How the key has been used.</summary>
    public readonly RecordUsage Usage => new(_at.Session, _at.Record);

    /// <summary>The key under its latch.</summary>
    [UnscopedRef]
    internal ref LatchedKey Latched => ref _at;

    private readonly ulong Header => _at.Header;

    private readonly bool IsBlock => (Header & RecordHeader.BlockValue) != 0 && !IsCold;

    private readonly bool IsCold => _at.Record != null && ColdRecord.IsStub(_at.Record, Header);

    // The value holds the tree addresses of a large collection; the record owns the trees.
    private readonly bool IsTree => _at.Record != null && CollectionTrees.IsTree(_at.Record, Header);

    private readonly HybridLogStore Store => _at.Session.Store;

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
        _at.BeforeChange();
        if (value.Length < Store.BlockThresholdBytes)
        {
            Rebuild(type, expiresAtMs, sliding, value, value.Length, null, 0);
            return;
        }

        BlockHeader* block = OwnBlock();
        if (block == null || block->Capacity < value.Length || block->Capacity / 4 > value.Length)
            block = Store.Blocks.Allocate(value.Length, value.Length);

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

        _at.BeforeChange();
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
        _at.BeforeChange();
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
            int spare = _at.Record != null && length > before ? spareBytes : 0;
            RecordType type = _at.Record == null ? typeWhenAbsent : RecordHeader.Type(header);
            ReadOnlySpan<byte> kept = Value;
            Rebuild(type, ExpiresAtMs, Sliding, kept[..Math.Min(length, kept.Length)], length, null, spare);
        }

        MarkEdited();
        return RecordHeader.Value(_at.Record, Header);
    }

    /// <summary>Creates a record, which must be absent, with a zeroed value and spare capacity.</summary>
    internal Span<byte> Create(RecordType type, int length, int spareBytes)
    {
        _at.BeforeChange();
        if (_at.Record != null)
            throw new InvalidOperationException("The record already exists.");

        Rebuild(type, -1, default, default, length, null, spareBytes);
        return RecordHeader.Value(_at.Record, Header);
    }

    /// <summary>The value's bytes for changing in place, with the same length.</summary>
    public Span<byte> Mutate()
    {
        _at.BeforeChange();
        ThrowIfAbsent();
        if (IsBlock && OwnBlock() == null)
            ResizeBlock(Length, Length, isBlock: true, Type);
        else
            _at.Raise(KeyChangeKind.Modified);

        MarkEdited();
        return RecordHeader.Value(_at.Record, Header);
    }

    /// <summary>As <see cref="Mutate()"/> of a value that is not a block, for a change of a certain kind.</summary>
    internal Span<byte> Mutate(KeyChangeKind kind)
    {
        _at.BeforeChange();
        ThrowIfAbsent();
        _at.Raise(kind);
        return RecordHeader.Value(_at.Record, Header);
    }

    /// <summary>
    /// Marks a string as created for, or opened for, a change in place, as <see cref="Mutate()"/> and <see cref="Resize(int)"/> do: OBJECT
    /// ENCODING then reports raw. Not a change of the key.
    /// </summary>
    public readonly void MarkEdited() => MarkForm(RecordHeader.Edited);

    /// <summary>Records that a string was computed: OBJECT ENCODING then does not report int. Not a change of the key.</summary>
    public readonly void MarkComputed() => MarkForm(RecordHeader.Computed);

    // Writes a single byte, because readers write the access byte in the same word.
    private readonly void MarkForm(ulong form)
    {
        if (_at.Record != null && Type == RecordType.String)
            *_at.Record = (byte)((*_at.Record & ~RecordHeader.FormMask) | form);
    }

    /// <summary>Like <see cref="Mutate()"/>, for something that does not count as a change; false for a value in a block.</summary>
    internal bool TryMutateUnseen(out Span<byte> value)
    {
        value = default;
        if (_at.Record == null || IsBlock)
            return false;

        _at.BeforeChange();
        value = RecordHeader.Value(_at.Record, Header);
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
        _at.BeforeChange();
        ThrowIfAbsent();
        ulong header = Header;
        ulong form = IsCold ? header & RecordHeader.FormMask : StringForm.Kept(header, Value, _at.Key.Length);
        if ((header & RecordHeader.Expiry) != 0 && expiresAtMs >= 0)
        {
            RecordShare before = _at.Share(header);
            RecordHeader.WriteExpiry(_at.Record, RecordHeader.Units(header), expiresAtMs, sliding);
            before.Become(_at.Share(header), _at.Session.Slot, _at.Physical);
            Store.Log.ScheduleExpiry(_at.Address, expiresAtMs);
            _at.Raise(KeyChangeKind.Modified);
        }
        else if ((header & RecordHeader.BlockValue) != 0)
        {
            // A value on disk stays there.
            Rebuild(RecordHeader.Type(header), expiresAtMs, default, default, 0, RecordHeader.ValueBlockOf(_at.Record, header), 0);
        }
        else
        {
            Rebuild(RecordHeader.Type(header), expiresAtMs, default, Value, Length, null, 0);
        }

        MarkForm(form);
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

        target.MarkForm(StringForm.Kept(Header, Value, _at.Key.Length));
    }

    /// <summary>Like <see cref="CopyTo"/>, and removes this record.</summary>
    public void MoveTo(ref RecordHandle target)
    {
        if (IsTree)
        {
            // The target takes ownership of the trees, so that removing the source leaves them alone.
            _at.BeforeChange();
            target.SetTrees(Type, Value, ExpiresAtMs);
            _at.BeforeChange();
            RecordShare before = _at.Share(Header);
            PackedForm.Write(RecordHeader.Value(_at.Record, Header), PackedForm.Entries, 0);
            before.Become(_at.Share(Header), _at.Session.Slot, _at.Physical);
        }
        else
        {
            CopyTo(ref target);
        }

        Delete();
    }

    /// <summary>Removes the record; true when there was one.</summary>
    public bool Delete()
    {
        _at.BeforeChange();
        if (_at.Record == null)
            return false;

        _at.Remove();
        _at.Raise(KeyChangeKind.Removed);
        return true;
    }

    /// <summary>Like <see cref="Delete"/>, for a record that was given an expiry in the past: it counts as expired.</summary>
    public bool Expire()
    {
        if (!Delete())
            return false;
        _at.Session.Slot.Expired++;
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

        block = new ValueBlock(Store.Blocks, RecordHeader.ValueBlockOf(_at.Record, Header));
        block.AddReference();
        return true;
    }

    private void SetTrees(RecordType type, scoped ReadOnlySpan<byte> value, long expiresAtMs)
    {
        _at.BeforeChange();
        Rebuild(type, expiresAtMs, default, value, value.Length, null, 0);
    }

    // Returns the value's block if it has no other references, so that it may be changed in place. An optimistic reader that adds a
    // reference concurrently sees the latch and retreats.
    private readonly BlockHeader* OwnBlock()
    {
        if (!IsBlock)
            return null;

        BlockHeader* block = RecordHeader.ValueBlockOf(_at.Record, Header);
        return Volatile.Read(ref block->References) == 1 ? block : null;
    }

    private readonly void ThrowIfAbsent()
    {
        if (_at.Record == null)
            throw new InvalidOperationException("The record does not exist.");
    }

    private bool TryResizeInPlace(ulong header, int length, int before)
    {
        if (_at.Record == null)
            return false;

        // Growth within reserved spare capacity happens in place.
        int slack = RecordHeader.Slack(header) - (length - before);
        int slidingBytes = RecordHeader.SlidingBytesOf(_at.Record, header);
        if (length >= before ? slack < slidingBytes : !FitsSlack(slack, RecordHeader.Units(header) * 8, slidingBytes))
            return false;

        if (length > before)
            new Span<byte>(_at.Record + RecordHeader.ValueOffset(_at.Record, header) + before, length - before).Clear();

        *(ulong*)_at.Record = RecordHeader.WithSlack(header, slack);
        _at.Raise(KeyChangeKind.Modified);
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
                new Span<byte>(block->Data + before, length - before).Clear();

            _at.Raise(KeyChangeKind.Modified);
            return;
        }

        // Doubles the capacity of a growing value; untouched memory costs nothing.
        long capacity = length > before && _at.Record != null ? Math.Max(length, Math.Min(before * 2L, int.MaxValue)) : length;
        block = Store.Blocks.Allocate(length, capacity);
        Store.Blocks.Count(block, length);
        int kept = Math.Min(length, before);
        Value[..kept].CopyTo(new Span<byte>(block->Data, kept));
        new Span<byte>(block->Data + kept, length - kept).Clear();
        Rebuild(_at.Record == null ? typeWhenAbsent : Type, ExpiresAtMs, Sliding, default, 0, block, 0);
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
        bool isNew = _at.Record == null;
        bool isBlockKey = _at.Key.Length > RecordHeader.MaxInlineKey;
        ulong flags =
            (expiresAtMs >= 0 ? RecordHeader.Expiry : 0)
            | (block != null ? RecordHeader.BlockValue : 0)
            | (isBlockKey ? RecordHeader.BlockKey : 0);
        int keyField = isBlockKey ? sizeof(nint) : Math.Min(_at.Key.Length, RecordHeader.LongKey);
        int keyOffset = 8 + (expiresAtMs >= 0 ? 8 : 0) + (keyField == RecordHeader.LongKey ? 4 : 0);
        int valueOffset = keyOffset + (isBlockKey ? sizeof(nint) : _at.Key.Length);
        int valueBytes = block != null ? sizeof(nint) : valueLength;
        int used = valueOffset + valueBytes;
        int slidingBytes = sliding.Slides ? RecordHeader.SlidingBytes : 0;
        // Or where a value on disk is.
        BlockHeader* oldBlock = (old & RecordHeader.BlockValue) != 0 ? RecordHeader.ValueBlockOf(_at.Record, old) : null;
        CollectionTrees oldTrees =
            _at.Record != null && CollectionTrees.IsTree(_at.Record, old)
                ? CollectionTrees.Of(RecordHeader.Value(_at.Record, old))
                : default;
        nint keyBlock = isBlockKey ? KeyBlock() : 0;
        RecordShare oldShare = _at.Share(old);

        int units = RecordHeader.Units(old);
        long address;
        byte* record;
        bool inPlace = _at.Record != null && FitsSlack((units * 8) - used, units * 8, slidingBytes);
        if (inPlace)
        {
            record = _at.Record;
            address = _at.Address;
        }
        else
        {
            units = (used + slidingBytes + Math.Min(spare, RecordHeader.MaxSpare(used)) + 7) >> 3;
            record = Store.Log.Allocate(_at.Session.Slot, ref units, out address);
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
                new Span<byte>(record + valueOffset + value.Length, valueLength - value.Length).Clear();
        }

        if (!inPlace || RecordHeader.KeyOffset(old) != keyOffset)
            RecordHeader.WriteKey(record, keyOffset, keyField, keyBlock, _at.Key);

        if (expiresAtMs >= 0)
            RecordHeader.WriteExpiry(record, units, expiresAtMs, sliding);

        byte version = inPlace ? RecordHeader.Version(old) : Store.Snapshots.Version;
        byte access = _at.Record != null ? RecordHeader.Access(old) : _at.Session.Accesses.StampNew(_at.Salted);
        ulong header = RecordHeader.Build((ulong)type, flags, version, access, _at.Physical, units, keyField, (units * 8) - used);
        Volatile.Write(ref *(ulong*)record, header);
        _at.Publish(record, address, inPlace, expiresAtMs, oldShare);
        if (oldBlock != null && oldBlock != block)
            Release(oldBlock);

        if (
            !oldTrees.IsNone
            && !(CollectionTrees.IsTree(_at.Record, header) && oldTrees == CollectionTrees.Of(RecordHeader.Value(_at.Record, header)))
        )
        {
            oldTrees.Drop(Store.Trees);
        }

        _at.Raise(isNew ? KeyChangeKind.Created : KeyChangeKind.Modified);
    }

    private readonly void Release(BlockHeader* block)
    {
        if (ColdLocator.IsLocator((long)block))
            Store.Tier!.Release(new ColdLocator((long)block));
        else
            Store.Blocks.Release(block);
    }

    // The block of a long key: the record's own, or a new one.
    private readonly nint KeyBlock()
    {
        if (_at.Record != null)
            return (nint)RecordHeader.KeyBlockOf(_at.Record, Header);

        BlockHeader* block = Store.Blocks.Allocate(_at.Key.Length, _at.Key.Length);
        Store.Blocks.Count(block, _at.Key.Length);
        _at.Key.CopyTo(new Span<byte>(block->Data, _at.Key.Length));
        block->KeyHash = Store.Databases.Map.Salt(_at.Salted, _at.Physical);
        return (nint)block;
    }
}
