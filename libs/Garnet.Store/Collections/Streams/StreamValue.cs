// A stream: reads and all changes. Owned by the session's thread, used while its key is latched.
using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using Garnet.Store.Changes;
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Streams;

/// <summary>
/// A stream in a latched record, or detached (without a key). Takes ownership of the handle: use <see cref="Record"/> afterwards. The key
/// is created with the first entry or by <see cref="Create"/>, and stays when the last entry is removed. As in Valkey, a WATCH of the key
/// sees its creation, its removal and changes of its entries, but not changes of its metadata and groups. Groups and consumers are
/// identified by their numbers (<see cref="StreamGroup.Number"/>) and must exist. Returned spans are invalid after the next change; spans
/// passed in must not point into the store.
/// </summary>
internal unsafe ref struct StreamValue
{
    private ValueStorage _storage;
    private StreamAppendPosition _place;
    private int _fields;
    private long _textBytes;

    /// <summary>The stream of a latched key, which may be absent but must not have another type.</summary>
    public StreamValue(RecordHandle record) => _storage = new ValueStorage(record, RecordType.Stream);

    private StreamValue(StoreSession session) => _storage = new ValueStorage(session, RecordType.Stream);

    /// <summary>The record; not available for detached values.</summary>
    [UnscopedRef]
    public ref RecordHandle Record => ref _storage.Record;

    /// <summary>Whether the stream exists; it may be empty.</summary>
    public readonly bool Exists => _storage.Exists;

    /// <summary>A view for reading counters, entries, groups and pending entries.</summary>
    public readonly StreamView View => new(_storage.Bytes, _storage.Trees);

    /// <summary>Number of entries.</summary>
    public readonly long Length => View.Length;

    /// <summary>A snapshot for a reply with that many entries if it would be large, otherwise null.</summary>
    public readonly CollectionSnapshot? TakeSnapshotIfLarge(long entries) => CollectionSnapshot.TakeIfLarge(_storage, entries, Length);

    /// <summary>A detached, absent stream; must end with <see cref="StoreTo"/> or <see cref="Discard"/>.</summary>
    public static StreamValue Detached(StoreSession session) => new(session);

    /// <summary>Creates an empty stream if none exists.</summary>
    public void Create()
    {
        if (!_storage.Exists)
            StreamEditor.Create(ref _storage);
    }

    /// <summary>Starts a node as another server divided them: the entries that follow are stored in it regardless of the limits.</summary>
    public void BeginNode() => _place = StreamAppendPosition.NewNode;

    /// <summary>
    /// Starts an entry; continue with <see cref="AddField"/> and <see cref="EndEntry(StreamId)"/>, with no other use of collections on this
    /// thread in between.
    /// </summary>
    public void BeginEntry()
    {
        _fields = 0;
        _textBytes = 0;
        ElementScratch.Current.ClearFields();
    }

    /// <summary>Adds a field to the entry being built.</summary>
    public void AddField(ReadOnlySpan<byte> name, ReadOnlySpan<byte> value)
    {
        ElementScratch scratch = ElementScratch.Current;
        scratch.AddField(ElementCode.Of(name));
        scratch.AddField(ElementCode.Of(value));
        _textBytes += (long)name.Length + value.Length;
        _fields++;
    }

    /// <summary>Appends the entry being built, which needs at least one field and an ID above <see cref="StreamView.LastId"/>.</summary>
    public void EndEntry(StreamId id) => EndEntry(id, isDeleted: false);

    /// <summary>Like <see cref="EndEntry(StreamId)"/>; a deleted entry takes up space in its node but is not visible.</summary>
    public void EndEntry(StreamId id, bool isDeleted)
    {
        if (id <= View.LastId || _fields == 0)
            throw new ArgumentException("A stream entry needs at least one field and an ID above the last one.", nameof(id));

        Create();
        _storage.BeforeTreeChange();
        StreamEditor.Append(ref _storage, new NewEntry(id, _fields, _textBytes, isDeleted), _place);
        if (_place == StreamAppendPosition.NewNode)
            _place = StreamAppendPosition.LastNode;
        ElementScratch.Current.TrimFields();
    }

    /// <summary>Deletes an entry; false when there is none with the ID.</summary>
    public bool Delete(StreamId id)
    {
        var cursor = default(TreeCursor);
        if (!Exists || !StreamEditor.FindNode(ref _storage, id, ref cursor))
            return false;

        var node = new StreamNode(TreeEntry.At(ref cursor));
        int offset = node.Find(id);
        if (offset < 0)
            return false;

        bool isLast = node.Count == 1;
        int end = node.Next(offset);
        _storage.BeforeTreeChange(KeyChangeKind.Reduced);
        _ = isLast ? StreamEditor.RemoveNode(ref _storage, ref cursor) : StreamEditor.MarkDeleted(ref _storage, ref cursor, offset, end);
        StreamId maxDeleted = View.MaxDeletedId;
        CountRemoved(1, id > maxDeleted ? id : maxDeleted);
        return true;
    }

    /// <summary>
    /// Removes the oldest entries beyond a number. An approximate trim removes only whole nodes, of at most <paramref name="limit"/>
    /// entries in total (0: no limit). Returns the number removed.
    /// </summary>
    public long TrimToLength(long length, bool isApproximate, long limit = 0) => Trim(length, default, isById: false, isApproximate, limit);

    /// <summary>Removes the entries below an ID; otherwise like <see cref="TrimToLength"/>.</summary>
    public long TrimBelow(StreamId id, bool isApproximate, long limit = 0) => Trim(long.MaxValue, id, isById: true, isApproximate, limit);

    /// <summary>Sets the values of XSETID; the stream must exist, and the last ID must not be below that of an entry.</summary>
    public void SetFacts(StreamId lastId, long entriesAdded, StreamId maxDeletedId)
    {
        _storage.BeforeTreeChange(KeyChangeKind.Metadata);
        Span<byte> facts = StreamEditor.CopyFacts(ref _storage);
        StreamMetadata.WriteDeleted(facts, maxDeletedId, entriesAdded - _storage.Tree->User2);
        StreamEditor.StoreFacts(ref _storage, facts);
        _storage.Tree->User0 = (long)lastId.Milliseconds;
        _storage.Tree->User1 = (long)lastId.Sequence;
    }

    /// <summary>Creates a group, and the stream if necessary; false when the group exists. Returns its number in either case.</summary>
    public bool CreateGroup(ReadOnlySpan<byte> name, StreamId lastId, long entriesRead, out long number)
    {
        Create();
        number = View.GroupTree.NumberOf(GroupEntry.NamesOf(0), name);
        if (number != 0)
            return false;

        _storage.BeforeTreeChange(KeyChangeKind.Metadata);
        number = GroupEditor.Add(ref _storage, owner: 0, name, GroupEntry.GroupBytes);
        WriteProgress(number, lastId, entriesRead);
        return true;
    }

    /// <summary>Removes a group with its pending entries; false when it does not exist.</summary>
    public bool DestroyGroup(ReadOnlySpan<byte> name)
    {
        if (!View.TryGetGroup(name, out StreamGroup group))
            return false;

        _storage.BeforeTreeChange(KeyChangeKind.GroupRemoved);
        GroupEditor.RemoveGroup(ref _storage, name, in group);
        return true;
    }

    /// <summary>Sets the read position of a group.</summary>
    public void SetGroup(long group, StreamId lastId, long entriesRead)
    {
        _storage.BeforeTreeChange(KeyChangeKind.Metadata);
        WriteProgress(group, lastId, entriesRead);
    }

    /// <summary>Creates a consumer of a group; false when it exists. Returns its number in either case.</summary>
    public bool CreateConsumer(long group, ReadOnlySpan<byte> name, long seenMs, out long number) =>
        CreateConsumer(group, name, seenMs, -1, out number);

    /// <summary>
    /// Like <see cref="CreateConsumer(long, ReadOnlySpan{byte}, long, out long)"/>, with the time of its last successful read or claim.
    /// </summary>
    public bool CreateConsumer(long group, ReadOnlySpan<byte> name, long seenMs, long activeMs, out long number)
    {
        number = View.GroupTree.NumberOf(GroupEntry.NamesOf(group), name);
        if (number != 0)
            return false;

        _storage.BeforeTreeChange(KeyChangeKind.Metadata);
        number = GroupEditor.Add(ref _storage, group, name, GroupEntry.ConsumerBytes);
        StreamMetadata.Add(GroupEditor.EditFacts(_storage, group)[GroupEntry.ConsumersAt..], 1);
        Span<byte> facts = GroupEditor.EditFacts(_storage, number);
        BinaryPrimitives.WriteInt64LittleEndian(facts[GroupEntry.SeenAt..], seenMs);
        BinaryPrimitives.WriteInt64LittleEndian(facts[GroupEntry.ActiveAt..], activeMs);
        return true;
    }

    /// <summary>Removes a consumer of a group; returns its number of pending entries, -1 when it does not exist.</summary>
    public long DeleteConsumer(long group, ReadOnlySpan<byte> name)
    {
        GroupReader groups = View.GroupTree;
        long number = groups.NumberOf(GroupEntry.NamesOf(group), name);
        if (number == 0)
            return -1;

        long pending = new StreamConsumer(groups, number).Pending;
        _storage.BeforeTreeChange(KeyChangeKind.Metadata);
        GroupEditor.RemoveConsumer(ref _storage, group, name, number, pending);
        return pending;
    }

    /// <summary>Sets the times at which a consumer was last seen and last active (-1 leaves the latter unchanged).</summary>
    public void SetConsumerTimes(long consumer, long seenMs, long activeMs)
    {
        _storage.BeforeTreeChange(KeyChangeKind.Metadata);
        Span<byte> facts = GroupEditor.EditFacts(_storage, consumer);
        BinaryPrimitives.WriteInt64LittleEndian(facts[GroupEntry.SeenAt..], seenMs);
        if (activeMs >= 0)
            BinaryPrimitives.WriteInt64LittleEndian(facts[GroupEntry.ActiveAt..], activeMs);
    }

    /// <summary>Makes an ID pending for a consumer of a group: a new delivery, or one transferred from its current consumer.</summary>
    public void SetPending(long group, long consumer, StreamId id, long deliveredAtMs, long deliveries)
    {
        _storage.BeforeTreeChange(KeyChangeKind.Metadata);
        GroupEditor.SetPending(ref _storage, group, consumer, id, deliveredAtMs, deliveries);
    }

    /// <summary>
    /// Makes an ID pending in a group for a consumer that is not known yet, as file formats require; false when it is already pending
    /// there. Completed by <see cref="GivePending"/>.
    /// </summary>
    public bool AddPending(long group, StreamId id, long deliveredAtMs, long deliveries)
    {
        if (View.GroupTree.TryGetPending(group, id, out _))
            return false;

        SetPending(group, consumer: 0, id, deliveredAtMs, deliveries);
        return true;
    }

    /// <summary>
    /// Assigns an ID added by <see cref="AddPending"/> to its consumer; false when it is not pending in the group, or already assigned.
    /// </summary>
    public bool GivePending(long group, long consumer, StreamId id)
    {
        GroupReader groups = View.GroupTree;
        if (
            !groups.TryGetPending(group, id, out ReadOnlySpan<byte> found)
            || GroupEntry.PendingIn(found, groups) is not { ConsumerNumber: 0 } pending
        )
        {
            return false;
        }

        SetPending(group, consumer, id, pending.DeliveredAtMs, pending.Deliveries);
        return true;
    }

    /// <summary>Removes a pending ID from a group; false when it was not pending.</summary>
    public bool Acknowledge(long group, StreamId id) => GroupEditor.RemovePending(ref _storage, group, id);

    /// <summary>Moves a detached stream into a latched record, replacing its value.</summary>
    public void StoreTo(ref RecordHandle target, long expiresAtMs = -1) => _storage.StoreTo(ref target, expiresAtMs);

    /// <summary>Discards a detached stream.</summary>
    public void Discard() => _storage.Discard();

    private long Trim(long length, StreamId id, bool isById, bool isApproximate, long limit)
    {
        if (!Exists || (!isById && Length <= length))
            return 0;

        long removed = 0;
        bool isAnnounced = false;
        var cursor = default(TreeCursor);
        while (_storage.Tree->Count > 1 && (isById || Length > length))
        {
            cursor.Seek(new TreeView(_storage.Tree), 1);
            var node = new StreamNode(TreeEntry.At(ref cursor));
            if (limit != 0 && removed + node.Count > limit)
                break;

            bool isWhole = isById ? node.LastId() < id : Length - node.Count >= length;
            if (!isWhole && isApproximate)
                break;

            int end = 0;
            if (!isWhole && !TryFindEndOfTrim(node, isById ? long.MaxValue : Length - length, id, isById, out end))
                break;

            if (!isAnnounced)
            {
                _storage.BeforeTreeChange(KeyChangeKind.Reduced);
                isAnnounced = true;
            }

            removed += isWhole
                ? StreamEditor.RemoveNode(ref _storage, ref cursor)
                : StreamEditor.MarkDeleted(ref _storage, ref cursor, node.First, end);
            if (!isWhole)
                break;
        }

        if (removed > 0)
            CountRemoved(removed, View.MaxDeletedId);

        return removed;
    }

    // End of the entries to remove from a node: a number of live ones, or those below an ID. False when all of them are deleted already.
    private static bool TryFindEndOfTrim(in StreamNode node, long most, StreamId id, bool isById, out int end)
    {
        long left = most;
        end = node.First;
        while (end < node.Bytes.Length && (isById ? node.IdAt(end) < id : left > 0))
        {
            left -= (node.Bytes[end] & StreamNode.IsDeleted) == 0 ? 1 : 0;
            end = node.Next(end);
        }

        return left < most;
    }

    private void CountRemoved(long entries, StreamId maxDeleted)
    {
        Span<byte> facts = StreamEditor.CopyFacts(ref _storage);
        StreamMetadata.WriteDeleted(facts, maxDeleted, StreamMetadata.Removed(facts) + entries);
        StreamEditor.StoreFacts(ref _storage, facts);
    }

    private void WriteProgress(long group, StreamId lastId, long entriesRead)
    {
        Span<byte> facts = GroupEditor.EditFacts(_storage, group);
        StreamMetadata.WriteId(facts[GroupEntry.LastIdAt..], lastId);
        BinaryPrimitives.WriteInt64LittleEndian(facts[GroupEntry.EntriesReadAt..], entriesRead);
    }
}
