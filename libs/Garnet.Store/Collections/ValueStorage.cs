// The storage of a collection's bytes: a latched record, or a block without a key. Owned by the session's thread; not thread-safe.
using System.Diagnostics.CodeAnalysis;
using Garnet.Store.Changes;
using Garnet.Store.Collections.Trees;
using Garnet.Store.Memory;

namespace Garnet.Store.Collections;

/// <summary>Reads and edits the bytes of one collection. Returned spans are invalid after the next edit.</summary>
internal unsafe ref struct ValueStorage
{
    private readonly RecordType _type;
    private readonly bool _isDetached;
    private RecordHandle _record;
    private BlockHeader* _block;

    /// <summary>The value of a latched record, which must be absent or of the given type.</summary>
    public ValueStorage(RecordHandle record, RecordType type)
    {
        if (record.Exists && record.Type != type)
            throw new InvalidOperationException($"A record of type {record.Type} was used as {type}.");

        _record = record;
        _type = type;
        Session = record.Latched.Session;
    }

    /// <summary>A detached value, initially absent.</summary>
    public ValueStorage(StoreSession session, RecordType type)
    {
        Session = session;
        _type = type;
        _isDetached = true;
    }

    public StoreSession Session { get; }

    public readonly bool IsDetached => _isDetached;

    public readonly TreeStore Trees => Session.Store.Trees;

    /// <summary>The tree of a large collection.</summary>
    public readonly TreeHeader* Tree => PackedForm.TreeOf(Bytes);

    /// <summary>The second tree, or null.</summary>
    public readonly TreeHeader* SecondTree => PackedForm.SecondTreeOf(Bytes);

    public readonly CollectionLimits Limits => Session.Store.CollectionLimits;

    /// <summary>The record; only when not detached.</summary>
    [UnscopedRef]
    public ref RecordHandle Record => ref _record;

    public readonly bool Exists => _isDetached ? _block != null : _record.Exists;

    /// <summary>The bytes; empty when absent.</summary>
    public readonly ReadOnlySpan<byte> Bytes =>
        !_isDetached ? _record.Value
        : _block == null ? default
        : new ReadOnlySpan<byte>(_block->Data, _block->Length);

    /// <summary>The bytes for changing in place.</summary>
    public Span<byte> Mutate() => _isDetached ? new Span<byte>(_block->Data, _block->Length) : _record.Mutate();

    /// <summary>
    /// Like <see cref="Mutate()"/>, but without notifying watchers of the key; false where the value is stored in a block, which may be
    /// shared.
    /// </summary>
    public bool TryMutateUnseen(out Span<byte> value)
    {
        if (!_isDetached)
            return _record.TryMutateUnseen(out value);

        value = Mutate();
        return true;
    }

    /// <summary>
    /// To be called before a tree of the value is changed: hands the old image to a snapshot and raises the change. Trees always lie
    /// inline.
    /// </summary>
    public void BeforeTreeChange(KeyChangeKind kind = KeyChangeKind.Modified)
    {
        if (!_isDetached)
            _record.Mutate(kind);
    }

    /// <summary>
    /// Counts an expired field that was replaced by a new one; not in a value that is still being built, which happens outside of commands.
    /// </summary>
    public readonly void CountExpiredField()
    {
        if (!_isDetached)
            Session.Slot.ExpiredFields++;
    }

    /// <summary>As <see cref="Mutate()"/> of a value with trees, for a change of a certain kind.</summary>
    public Span<byte> Mutate(KeyChangeKind kind) => _isDetached ? Mutate() : _record.Mutate(kind);

    /// <summary>Replaces packed bytes by trees, which the value owns from here on.</summary>
    public void BecomeTree(int form, TreeHeader* tree, TreeHeader* second) =>
        PackedForm.WriteTrees(Resize(PackedForm.TreeBytes), form, tree, second);

    /// <summary>Replaces trees by packed bytes.</summary>
    public void BecomePacked(ReadOnlySpan<byte> value)
    {
        TreeHeader* tree = Tree;
        TreeHeader* second = SecondTree;

        // From here on the value owns no trees.
        PackedForm.Write(Mutate(), PackedForm.Entries, 0);
        value.CopyTo(Resize(value.Length));
        CollectionTrees.Drop(Trees, tree, second);
    }

    /// <summary>Creates the value or changes its length; the bytes up to the shorter length are kept.</summary>
    public Span<byte> Resize(int length)
    {
        if (!_isDetached)
            return _record.Resize(length, _type, length / 10);

        BlockHeap blocks = Session.Store.Blocks;
        if (_block == null || _block->Capacity < length)
        {
            long capacity = _block == null ? length : Math.Min(_block->Capacity * 2, int.MaxValue);
            BlockHeader* larger = blocks.Allocate(length, Math.Max(capacity, length));
            Bytes.CopyTo(new Span<byte>(larger->Data, length));
            Session.Detached.Replace(_block, larger);
            if (_block != null)
                blocks.Release(_block);

            _block = larger;
        }

        blocks.Count(_block, length);
        _block->Length = length;
        return new Span<byte>(_block->Data, length);
    }

    /// <summary>Creates the value, which must be absent, filled with zeros and with spare capacity.</summary>
    public Span<byte> Create(int length, int spareBytes) => _isDetached ? Resize(length) : _record.Create(_type, length, spareBytes);

    /// <summary>Replaces a range of bytes by one of another length, which the caller writes; shifts the bytes after it.</summary>
    public Span<byte> Splice(int offset, int removed, int added)
    {
        int length = Bytes.Length;
        int behind = offset + removed;
        Span<byte> value;
        if (added > removed)
        {
            value = Resize(checked(length + added - removed));
            value[behind..length].CopyTo(value[(offset + added)..]);
            return value;
        }

        value = Mutate();
        if (added < removed)
        {
            value[behind..].CopyTo(value[(offset + added)..]);
            value = Resize(length + added - removed);
        }

        return value;
    }

    /// <summary>Ensures that expiry examines the record when one of its elements is due.</summary>
    public readonly void ScheduleElementExpiry(long expiresAtMs)
    {
        if (!_isDetached)
            _record.Latched.ScheduleElementExpiry(expiresAtMs);
    }

    /// <summary>
    /// Maintains the number of hashes with expiring fields, from the number of such fields in this one before and after a change.
    /// </summary>
    public readonly void CountVolatile(long before, long now)
    {
        if (!_isDetached)
            _record.Latched.CountVolatile(before > 0, now > 0);
    }

    /// <summary>Removes the value, and its key if it has one.</summary>
    public void Remove()
    {
        if (_isDetached)
            Discard();
        else
            _record.Delete();
    }

    /// <summary>Frees the bytes and trees of a detached value.</summary>
    public void Discard()
    {
        if (_block != null)
        {
            CollectionTrees.Drop(Trees, Bytes);
            ReleaseBlock();
        }
    }

    private void ReleaseBlock()
    {
        if (_block != null)
        {
            Session.Detached.Remove(_block);
            Session.Store.Blocks.Release(_block);
            _block = null;
        }
    }

    /// <summary>Moves a detached value into a latched record, replacing its value; an absent value removes the record.</summary>
    public void StoreTo(ref RecordHandle target, long expiresAtMs)
    {
        if (!_isDetached)
            throw new InvalidOperationException("Only a detached value can be stored under a key.");

        if (_block == null)
        {
            target.Delete();
        }
        else if (_block->Length < Session.Store.BlockThresholdBytes || _block->Capacity / 2 > _block->Length)
        {
            target.Set(_type, Bytes, expiresAtMs);
            ReleaseBlock();
        }
        else
        {
            Session.Detached.Remove(_block);
            target.SetBlock(_type, new ValueBlock(Session.Store.Blocks, _block), expiresAtMs);
            _block = null;
        }
    }
}
