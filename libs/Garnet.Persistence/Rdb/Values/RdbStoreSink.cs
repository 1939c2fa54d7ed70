// Builds a collection without a key, to be stored when it is complete. Lives on the stack; belongs to the session's thread.
using System.Runtime.InteropServices;
using Garnet.Store;
using Garnet.Store.Collections.Hashes;
using Garnet.Store.Collections.Lists;
using Garnet.Store.Collections.Sets;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Persistence.Rdb.Values;

/// <summary>Converts a collection to the store's own form. Ends with <see cref="StoreTo"/> or <see cref="Discard"/>.</summary>
internal ref struct RdbStoreSink : IRdbCollectionSink
{
    // What was saved packed stays packed, however long its elements are, up to this limit: searching a huge run of bytes would be slow
    // forever.
    private const int MaxPackedBytes = 64 * 1024 * 1024;

    // Sorted sets of at least this size are collected and built at once.
    private const int MinGathered = 1024;
    private readonly StoreSession _session;
    private readonly long _dropsBeforeMs;
    private RecordType _type;
    private ListValue _list;
    private SetValue _set;
    private SortedSetValue _sortedSet;
    private ScoredMembers? _gathered;
    private HashValue _hash;
    private NodeState _node;
    private bool _staysQuickList;

    /// <summary>Builds through a session; fields of hashes that expired before <paramref name="dropsBeforeMs"/> are left out.</summary>
    public RdbStoreSink(StoreSession session, long dropsBeforeMs)
    {
        _session = session;
        _dropsBeforeMs = dropsBeforeMs;
    }

    /// <summary>Whether the collection has elements, expired fields left out.</summary>
    public readonly bool HasElements =>
        _type switch
        {
            RecordType.List => _list.Exists,
            RecordType.Set => _set.Exists && _set.Length > 0,
            RecordType.SortedSet => _sortedSet.Exists,
            RecordType.Hash => _hash.Exists && _hash.Length > 0,
            _ => false,
        };

    /// <summary>Returns what was built; the sink is empty afterwards.</summary>
    public RdbStoreSink Take()
    {
        RdbStoreSink built = this;
        _type = RecordType.String;
        return built;
    }

    /// <summary>Replaces the value of a latched record with a collection.</summary>
    public static void StoreTo(RdbStoreSink built, ref RecordHandle target, long expiresAtMs)
    {
        switch (built._type)
        {
            case RecordType.List:
                built._list.StoreTo(ref target, expiresAtMs, built._staysQuickList);
                break;
            case RecordType.Set:
                built._set.StoreTo(ref target, expiresAtMs);
                break;
            case RecordType.SortedSet:
                built._sortedSet.StoreTo(ref target, expiresAtMs);
                break;
            default:
                built._hash.StoreTo(ref target, expiresAtMs);
                break;
        }
    }

    /// <summary>Frees what was built.</summary>
    public void Discard()
    {
        _gathered?.Dispose();
        _gathered = null;
        switch (_type)
        {
            case RecordType.List:
                _list.Discard();
                break;
            case RecordType.Set:
                _set.Discard();
                break;
            case RecordType.SortedSet:
                _sortedSet.Discard();
                break;
            case RecordType.Hash:
                _hash.Discard();
                break;
        }
    }

    public void BeginList()
    {
        _type = RecordType.List;
        _list = ListValue.Detached(_session);
        _node = NodeState.None;
        _staysQuickList = false;
    }

    public void BeginNode(bool isPlain) => _node = isPlain ? NodeState.Plain : NodeState.Begun;

    public void AddElement(scoped ReadOnlySpan<byte> element)
    {
        switch (_node)
        {
            case NodeState.None:
                _list.PushLast(Lend(element));
                break;
            case NodeState.Filled:
                _list.PushInNode(Lend(element));
                break;
            default:
                _list.PushNode(Lend(element), isPlain: _node == NodeState.Plain);
                _node = NodeState.Filled;
                break;
        }
    }

    public void EndList(bool staysQuickList) => _staysQuickList = staysQuickList;

    public void BeginSet(long count)
    {
        _type = RecordType.Set;
        _set = SetValue.Detached(_session);
        _set.ExpectSaved(count);
    }

    public void BeginPackedSet(int bytes)
    {
        _type = RecordType.Set;
        _set = SetValue.Detached(_session);
        _set.BecomeListPack(isAnyLength: bytes <= MaxPackedBytes);
    }

    public bool AddMember(scoped ReadOnlySpan<byte> member) => _set.Add(Lend(member));

    public void BeginSortedSet(long count)
    {
        _type = RecordType.SortedSet;
        _sortedSet = SortedSetValue.Detached(_session);
        _sortedSet.HasZeroSigns = true;
        _sortedSet.Expect(count, 0);
        _gathered = count >= MinGathered ? new ScoredMembers() : null;
    }

    public void BeginPackedSortedSet(int bytes)
    {
        BeginSortedSet(0);
        _sortedSet.IsAsSaved = bytes <= MaxPackedBytes;
        _sortedSet.HasZeroSigns = !_sortedSet.IsAsSaved;
    }

    public bool AddScored(scoped ReadOnlySpan<byte> member, double score) =>
        (_gathered is not null && _gathered.TryAdd(member, score)) || (EndSortedSet() && _sortedSet.Set(Lend(member), score, out _));

    public bool EndSortedSet()
    {
        bool areDistinct = _gathered is null || _gathered.AddTo(ref _sortedSet);
        _gathered?.Dispose();
        _gathered = null;
        return areDistinct;
    }

    public void BeginHash(long count)
    {
        _type = RecordType.Hash;
        _hash = HashValue.Detached(_session);
        _hash.Expect(count);
    }

    public void BeginPackedHash(int bytes)
    {
        BeginHash(0);
        _hash.TakesAnyLength = bytes <= MaxPackedBytes;
    }

    public bool AddField(scoped ReadOnlySpan<byte> field, scoped ReadOnlySpan<byte> value, long expiresAtMs) =>
        (expiresAtMs >= 0 && expiresAtMs < _dropsBeforeMs) || _hash.Set(Lend(field), Lend(value), expiresAtMs);

    // The collections' methods lack the scoped modifier, although they do not keep their arguments.
    private static ReadOnlySpan<byte> Lend(scoped ReadOnlySpan<byte> bytes) =>
        MemoryMarshal.CreateReadOnlySpan(ref MemoryMarshal.GetReference(bytes), bytes.Length);

    private enum NodeState
    {
        None,
        Begun,
        Plain,
        Filled,
    }
}
