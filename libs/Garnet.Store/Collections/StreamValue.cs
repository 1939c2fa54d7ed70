// A stream: reads and every change of it. Belongs to the session's thread, while its key is latched.
using System.Diagnostics.CodeAnalysis;

namespace Garnet.Store;

/// <summary>
/// A stream in a latched record, or under no key. Takes the handle over: use <see cref="Record"/> afterwards. The key comes with the first entry or by <see cref="Create"/> and stays when
/// the last entry goes. As in Valkey a WATCH of the key counts its coming and going and changes of its entries, not those of its facts and groups. What it returns is void after the next change; what it is given must not lie in the store.
/// </summary>
public unsafe ref struct StreamValue
{
    private ValueRoom _room;
    private StreamPlace _place;
    private int _fields;
    private long _textBytes;

    /// <summary>The stream of a latched key, which may be absent and must not be of another type.</summary>
    public StreamValue(RecordHandle record) => _room = new ValueRoom(record, RecordType.Stream);

    private StreamValue(StoreSession session) => _room = new ValueRoom(session, RecordType.Stream);

    /// <summary>The record; not for detached values.</summary>
    [UnscopedRef]
    public ref RecordHandle Record => ref _room.Record;

    /// <summary>Whether there is a stream, which may be empty.</summary>
    public readonly bool Exists => _room.Exists;

    /// <summary>What there is to read: counters, entries, groups, what is pending.</summary>
    public readonly StreamView View => new(_room.Bytes, _room.Forest);

    /// <summary>Entries.</summary>
    public readonly long Length => View.Length;

    /// <summary>A picture of it for a reply with so many entries, when that would be large; else null.</summary>
    public readonly CollectionPicture? TakePictureIfLarge(long entries) => CollectionPicture.TakeIfLarge(_room, entries, Length);

    /// <summary>An absent stream under no key; ended by <see cref="StoreTo"/> or <see cref="Discard"/>.</summary>
    public static StreamValue Detached(StoreSession session) => new(session);

    /// <summary>Makes an empty stream when there is none.</summary>
    public void Create()
    {
        if (!_room.Exists)
        {
            StreamEditor.Create(ref _room);
        }
    }

    /// <summary>Begins a node as another server had it: the entries that follow are kept in it, whatever the limits are.</summary>
    public void BeginNode() => _place = StreamPlace.NewNode;

    /// <summary>Begins an entry; <see cref="AddField"/> and <see cref="EndEntry"/> follow, and no other use of collections on this thread between.</summary>
    public void BeginEntry()
    {
        _fields = 0;
        _textBytes = 0;
        ElementScratch.Current.ClearFields();
    }

    /// <summary>Adds a field to the entry begun.</summary>
    public void AddField(ReadOnlySpan<byte> name, ReadOnlySpan<byte> value)
    {
        ElementScratch scratch = ElementScratch.Current;
        scratch.AddField(ElementCode.Of(name));
        scratch.AddField(ElementCode.Of(value));
        _textBytes += (long)name.Length + value.Length;
        _fields++;
    }

    /// <summary>Appends the entry begun, which has a field; its ID must be above <see cref="StreamView.LastId"/>.</summary>
    public void EndEntry(StreamId id) => EndEntry(id, isDeleted: false);

    /// <summary>As <see cref="EndEntry(StreamId)"/>; an entry that was deleted takes room in its node and is not seen.</summary>
    public void EndEntry(StreamId id, bool isDeleted)
    {
        if (id <= View.LastId || _fields == 0)
        {
            throw new ArgumentException("A stream's entry needs a field, and an ID above the last one.", nameof(id));
        }

        Create();
        _room.BeforeTreeChange();
        StreamEditor.Append(ref _room, new NewEntry(id, _fields, _textBytes, isDeleted), _place);
        if (_place == StreamPlace.NewNode)
            _place = StreamPlace.LastNode;
        ElementScratch.Current.TrimFields();
    }

    /// <summary>Deletes an entry; false when there is none with the ID.</summary>
    public bool Delete(StreamId id)
    {
        var cursor = default(TreeCursor);
        if (!Exists || !StreamEditor.FindNode(ref _room, id, ref cursor))
        {
            return false;
        }

        var node = new StreamNode(TreeEntry.At(ref cursor));
        int offset = node.Find(id);
        if (offset < 0)
        {
            return false;
        }

        bool isLast = node.Count == 1;
        int end = node.Next(offset);
        _room.BeforeLoss();
        _ = isLast ? StreamEditor.RemoveNode(ref _room, ref cursor) : StreamEditor.MarkDeleted(ref _room, ref cursor, offset, end);
        StreamId maxDeleted = View.MaxDeletedId;
        NoteRemoved(1, id > maxDeleted ? id : maxDeleted);
        return true;
    }

    /// <summary>
    /// Removes the oldest entries beyond a number; when approximate whole nodes only, of at most <paramref name="limit"/> entries together (0: no limit). Returns how many.
    /// </summary>
    public long TrimToLength(long length, bool isApproximate, long limit = 0) => Trim(length, default, isById: false, isApproximate, limit);

    /// <summary>Removes the entries below an ID; else as <see cref="TrimToLength"/>.</summary>
    public long TrimBelow(StreamId id, bool isApproximate, long limit = 0) => Trim(long.MaxValue, id, isById: true, isApproximate, limit);

    /// <summary>Sets what XSETID sets; the stream must exist, and the last ID must not be below an entry's.</summary>
    public void SetFacts(StreamId lastId, long entriesAdded, StreamId maxDeletedId)
    {
        _room.BeforeSideChange();
        Span<byte> facts = StreamEditor.CopyFacts(ref _room, 0, 0, 0);
        StreamFacts.WriteDeleted(facts, maxDeletedId, entriesAdded - _room.Tree->User2);
        StreamEditor.StoreFacts(ref _room, facts);
        _room.Tree->User0 = (long)lastId.Milliseconds;
        _room.Tree->User1 = (long)lastId.Sequence;
    }

    /// <summary>Makes a group, and the stream if there is none; false when the group exists.</summary>
    public bool CreateGroup(ReadOnlySpan<byte> name, StreamId lastId, long entriesRead)
    {
        Create();
        ReadOnlySpan<byte> old = View.Facts;
        if (StreamFacts.FindGroup(old, name) >= 0)
        {
            return false;
        }

        _room.BeforeSideChange();
        int end = old.Length;
        Span<byte> facts = StreamEditor.CopyFacts(ref _room, end, 0, StreamFacts.GroupBytes + name.Length);
        int number = StreamFacts.NextNumber(facts);
        StreamFacts.WriteGroup(facts[end..], number, name, lastId, entriesRead);
        StreamFacts.WriteCounts(facts, number + 1, StreamFacts.Groups(facts) + 1);
        StreamEditor.StoreFacts(ref _room, facts);
        return true;
    }

    /// <summary>Removes a group with all that is pending in it; false when there is none.</summary>
    public bool DestroyGroup(ReadOnlySpan<byte> name)
    {
        if (!View.TryGetGroup(name, out StreamGroup group))
        {
            return false;
        }

        int offset = group.Offset;
        int number = group.Number;
        bool hasPending = group.Pending > 0;
        int size = StreamFacts.Size(group.Facts, offset);
        _room.BeforeSideChange();
        if (hasPending)
        {
            StreamPending.RemoveAll(ref _room, number, consumer: -1);
        }

        Span<byte> facts = StreamEditor.CopyFacts(ref _room, offset, size, 0);
        StreamFacts.WriteCounts(facts, StreamFacts.NextNumber(facts), StreamFacts.Groups(facts) - 1);
        StreamEditor.StoreFacts(ref _room, facts);

        // Who waits in the group must hear that it is gone; of no other change to groups, as in Valkey.
        _room.NudgeWaiters();
        return true;
    }

    /// <summary>Sets how far a group has read; false when there is none.</summary>
    public bool SetGroup(ReadOnlySpan<byte> name, StreamId lastId, long entriesRead)
    {
        if (!View.TryGetGroup(name, out StreamGroup group))
        {
            return false;
        }

        int offset = group.Offset;
        _room.BeforeSideChange();
        Span<byte> facts = StreamEditor.CopyFacts(ref _room, 0, 0, 0);
        StreamFacts.WriteId(facts[(offset + 8)..], lastId);
        System.Buffers.Binary.BinaryPrimitives.WriteInt64LittleEndian(facts[(offset + 24)..], entriesRead);
        StreamEditor.StoreFacts(ref _room, facts);
        return true;
    }

    /// <summary>Makes a consumer of a group that exists; false when the consumer exists.</summary>
    public bool CreateConsumer(ReadOnlySpan<byte> group, ReadOnlySpan<byte> name, long seenMs, long activeMs = -1)
    {
        int offset = GroupOffset(group);
        ReadOnlySpan<byte> old = View.Facts;
        if (StreamFacts.FindConsumer(old, offset, name) >= 0)
        {
            return false;
        }

        _room.BeforeSideChange();
        int end = offset + StreamFacts.Size(old, offset);
        int size = StreamFacts.ConsumerBytes + name.Length;
        Span<byte> facts = StreamEditor.CopyFacts(ref _room, end, 0, size);
        int number = StreamFacts.NextNumber(facts);
        StreamFacts.WriteConsumer(facts[end..], number, name, seenMs, activeMs);
        StreamFacts.WriteCounts(facts, number + 1, StreamFacts.Groups(facts));
        StreamFacts.Add(facts, offset, size);
        StreamFacts.Add(facts, offset + 36, 1);
        StreamEditor.StoreFacts(ref _room, facts);
        return true;
    }

    /// <summary>Removes a consumer of a group that exists; returns what it had pending, -1 when there is no such consumer.</summary>
    public long DeleteConsumer(ReadOnlySpan<byte> group, ReadOnlySpan<byte> name)
    {
        int offset = GroupOffset(group);
        ReadOnlySpan<byte> old = View.Facts;
        int consumer = StreamFacts.FindConsumer(old, offset, name);
        if (consumer < 0)
        {
            return -1;
        }

        _room.BeforeSideChange();
        int pending = new StreamConsumer(old, consumer).Pending;
        int size = StreamFacts.Size(old, consumer);
        int groupNumber = StreamFacts.Number(old, offset);
        int number = StreamFacts.Number(old, consumer);
        if (pending > 0)
        {
            StreamPending.RemoveAll(ref _room, groupNumber, number);
        }

        Span<byte> facts = StreamEditor.CopyFacts(ref _room, consumer, size, 0);
        StreamFacts.Add(facts, offset, -size);
        StreamFacts.Add(facts, offset + 32, -pending);
        StreamFacts.Add(facts, offset + 36, -1);
        StreamEditor.StoreFacts(ref _room, facts);
        return pending;
    }

    /// <summary>Sets when a consumer, which exists, was seen, and when it was active (-1 leaves that as it is).</summary>
    public void SetConsumerTimes(ReadOnlySpan<byte> group, ReadOnlySpan<byte> consumer, long seenMs, long activeMs)
    {
        int offset = ConsumerOffset(GroupOffset(group), consumer);
        _room.BeforeSideChange();
        Span<byte> facts = StreamEditor.CopyFacts(ref _room, 0, 0, 0);
        System.Buffers.Binary.BinaryPrimitives.WriteInt64LittleEndian(facts[(offset + 8)..], seenMs);
        if (activeMs >= 0)
        {
            System.Buffers.Binary.BinaryPrimitives.WriteInt64LittleEndian(facts[(offset + 16)..], activeMs);
        }

        StreamEditor.StoreFacts(ref _room, facts);
    }

    /// <summary>Makes an ID pending with a consumer, which exists: a new delivery, or one taken over from whoever has it.</summary>
    public void SetPending(ReadOnlySpan<byte> group, ReadOnlySpan<byte> consumer, StreamId id, long deliveredAtMs, long deliveries)
    {
        int groupOffset = GroupOffset(group);
        int consumerOffset = ConsumerOffset(groupOffset, consumer);
        _room.BeforeSideChange();
        StreamPending.Set(ref _room, groupOffset, consumerOffset, id, deliveredAtMs, deliveries);
    }

    /// <summary>Ends an ID's being pending in a group, which exists; false when it was not.</summary>
    public bool Acknowledge(ReadOnlySpan<byte> group, StreamId id)
    {
        int offset = GroupOffset(group);
        if (!View.TryGetPending(new StreamGroup(View.Facts, offset), id, out _))
        {
            return false;
        }

        _room.BeforeSideChange();
        StreamPending.Remove(ref _room, offset, id);
        return true;
    }

    /// <summary>Makes a detached stream that of a latched record, which it replaces.</summary>
    public void StoreTo(ref RecordHandle target, long expiresAtMs = -1) => _room.StoreTo(ref target, expiresAtMs);

    /// <summary>Gives a detached stream up.</summary>
    public void Discard() => _room.Discard();

    private long Trim(long length, StreamId id, bool isById, bool isApproximate, long limit)
    {
        if (!Exists || (!isById && Length <= length))
        {
            return 0;
        }

        long removed = 0;
        bool isAnnounced = false;
        var cursor = default(TreeCursor);
        while (_room.Tree->Count > 1 && (isById || Length > length))
        {
            cursor.Seek(new TreeView(_room.Tree), 1);
            var node = new StreamNode(TreeEntry.At(ref cursor));
            if (limit != 0 && removed + node.Count > limit)
            {
                break;
            }

            bool isWhole = isById ? node.LastId() < id : Length - node.Count >= length;
            if (!isWhole && isApproximate)
            {
                break;
            }

            int end = 0;
            if (!isWhole && !TryFindEndOfTrim(node, isById ? long.MaxValue : Length - length, id, isById, out end))
            {
                break;
            }

            if (!isAnnounced)
            {
                _room.BeforeLoss();
                isAnnounced = true;
            }

            removed += isWhole ? StreamEditor.RemoveNode(ref _room, ref cursor) : StreamEditor.MarkDeleted(ref _room, ref cursor, node.First, end);
            if (!isWhole)
            {
                break;
            }
        }

        if (removed > 0)
        {
            NoteRemoved(removed, View.MaxDeletedId);
        }

        return removed;
    }

    // Where the entries of a node end that go: so many live ones, or those below an ID. False when all of them have gone already.
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

    private void NoteRemoved(long entries, StreamId maxDeleted)
    {
        Span<byte> facts = StreamEditor.CopyFacts(ref _room, 0, 0, 0);
        StreamFacts.WriteDeleted(facts, maxDeleted, StreamFacts.Removed(facts) + entries);
        StreamEditor.StoreFacts(ref _room, facts);
    }

    private readonly int GroupOffset(ReadOnlySpan<byte> name)
        => View.TryGetGroup(name, out StreamGroup group) ? group.Offset : throw new ArgumentException("There is no such group.", nameof(name));

    private readonly int ConsumerOffset(int group, ReadOnlySpan<byte> name)
    {
        int offset = StreamFacts.FindConsumer(View.Facts, group, name);
        return offset >= 0 ? offset : throw new ArgumentException("There is no such consumer.", nameof(name));
    }
}
