// A part of the table of tracked keys: an open-addressing hash table in native memory. Used under its own lock.
using System.Numerics;
using System.Runtime.InteropServices;
using Garnet.Store;

namespace Garnet.Server.Tracking;

/// <summary>
/// A slot has 32 bits of the key's hash and, plus one, the index of the word at which the entry begins; 0 is a free slot. An entry is the
/// key's length, the number of clients, their numbers with room up to the next power of two, and the key, in words of four bytes. Entries
/// are appended; those that were removed leave gaps until there is no space, when the others are moved together.
/// </summary>
internal sealed class TrackingShard(HybridLogStore store)
{
    // The blocks that the store gives are no smaller.
    private const int FirstBytes = 4096;
    private const int MaxBytes = 1 << 30;
    private const int HeaderWords = 2;

    private ValueBlock _slots;
    private ValueBlock _entries;
    private int _used;
    private int _dead;

    /// <summary>Guards everything.</summary>
    public Lock Gate { get; } = new();

    /// <summary>Number of keys.</summary>
    public int Keys { get; private set; }

    /// <summary>Number of clients, counted once for each key.</summary>
    public long Items { get; private set; }

    /// <summary>Bytes of memory.</summary>
    public long Bytes => (long)_slots.Length + _entries.Length;

    private Span<ulong> Slots => MemoryMarshal.Cast<byte, ulong>(_slots.Span);

    private Span<uint> Entries => MemoryMarshal.Cast<byte, uint>(_entries.Span);

    /// <summary>Adds a client to a key; false when there is no space for that.</summary>
    public bool TryAdd(uint tag, ReadOnlySpan<byte> key, uint client)
    {
        int slot = Find(tag, key);
        if (slot < 0)
            return TryAddKey(tag, key, client);
        int entry = EntryOf(Slots[slot]);
        Span<uint> entries = Entries;
        int count = (int)entries[entry + 1];
        if (entries.Slice(entry + HeaderWords, count).Contains(client))
            return true;
        if (BitOperations.IsPow2(count) && !TryMoveToLarger(slot, out entry))
            return false;
        entries = Entries;
        entries[entry + HeaderWords + count] = client;
        entries[entry + 1]++;
        Items++;
        return true;
    }

    /// <summary>Removes a key; returns the number of its clients, which <paramref name="clients"/> receives, enlarged if need be.</summary>
    public int Remove(uint tag, ReadOnlySpan<byte> key, ref uint[] clients)
    {
        int slot = Find(tag, key);
        return slot < 0 ? 0 : RemoveAt(slot, ref clients);
    }

    /// <summary>Removes the first key whose slot follows a number, wherever that points; the shard has keys.</summary>
    public byte[] RemoveAfter(uint number, ref uint[] clients, out int count)
    {
        Span<ulong> slots = Slots;
        int slot = (int)(number & (uint)(slots.Length - 1));
        while (slots[slot] == 0)
            slot = (slot + 1) & (slots.Length - 1);
        byte[] key = KeyAt(Entries, EntryOf(slots[slot])).ToArray();
        count = RemoveAt(slot, ref clients);
        return key;
    }

    /// <summary>Removes everything and returns the memory.</summary>
    public void Clear()
    {
        _slots.Release();
        _entries.Release();
        _slots = _entries = default;
        Keys = _used = _dead = 0;
        Items = 0;
    }

    private static int EntryOf(ulong slot) => (int)(uint)slot - 1;

    private static ulong SlotOf(uint tag, int entry) => ((ulong)tag << 32) | (uint)(entry + 1);

    private static int Capacity(int clients) => (int)BitOperations.RoundUpToPowerOf2((uint)clients);

    private static long WordsOf(int keyLength, int capacity) => HeaderWords + (long)capacity + ((keyLength + 3L) / 4);

    private static ReadOnlySpan<byte> KeyAt(ReadOnlySpan<uint> entries, int entry)
    {
        int start = entry + HeaderWords + Capacity((int)entries[entry + 1]);
        return MemoryMarshal.AsBytes(entries[start..])[..(int)entries[entry]];
    }

    // The slot of a key, or a negative number.
    private int Find(uint tag, ReadOnlySpan<byte> key)
    {
        if (Keys == 0)
            return -1;
        Span<ulong> slots = Slots;
        Span<uint> entries = Entries;
        int mask = slots.Length - 1;
        for (int slot = (int)tag & mask; slots[slot] != 0; slot = (slot + 1) & mask)
        {
            if ((uint)(slots[slot] >> 32) == tag && KeyAt(entries, EntryOf(slots[slot])).SequenceEqual(key))
                return slot;
        }

        return -1;
    }

    private bool TryAddKey(uint tag, ReadOnlySpan<byte> key, uint client)
    {
        if (!TryReserve(WordsOf(key.Length, 1), out int entry))
            return false;
        if ((Keys + 1) * 4L > Slots.Length * 3L)
            EnlargeSlots();
        Span<uint> entries = Entries;
        entries[entry] = (uint)key.Length;
        entries[entry + 1] = 1;
        entries[entry + HeaderWords] = client;
        key.CopyTo(MemoryMarshal.AsBytes(entries[(entry + HeaderWords + 1)..]));
        Insert(Slots, SlotOf(tag, entry));
        Keys++;
        Items++;
        return true;
    }

    private static void Insert(Span<ulong> slots, ulong added)
    {
        int mask = slots.Length - 1;
        int slot = (int)(added >> 32) & mask;
        while (slots[slot] != 0)
            slot = (slot + 1) & mask;
        slots[slot] = added;
    }

    // Doubles the room for the numbers of an entry's clients, which is full.
    private bool TryMoveToLarger(int slot, out int entry)
    {
        ulong former = Slots[slot];
        int count = (int)Entries[EntryOf(former) + 1];
        int keyLength = (int)Entries[EntryOf(former)];
        if (!TryReserve(WordsOf(keyLength, count * 2), out entry))
            return false;
        // Reserving may have moved the entry.
        int old = EntryOf(Slots[slot]);
        Span<uint> entries = Entries;
        entries.Slice(old, HeaderWords + count).CopyTo(entries[entry..]);
        KeyAt(entries, old).CopyTo(MemoryMarshal.AsBytes(entries[(entry + HeaderWords + (count * 2))..]));
        _dead += (int)WordsOf(keyLength, count);
        Slots[slot] = SlotOf((uint)(former >> 32), entry);
        return true;
    }

    private int RemoveAt(int slot, ref uint[] clients)
    {
        Span<uint> entries = Entries;
        int entry = EntryOf(Slots[slot]);
        int count = (int)entries[entry + 1];
        if (clients.Length < count)
            clients = new uint[Capacity(count)];
        entries.Slice(entry + HeaderWords, count).CopyTo(clients);
        _dead += (int)WordsOf((int)entries[entry], Capacity(count));
        Items -= count;
        Close(Slots, slot);
        if (--Keys == 0)
            Empty();
        return count;
    }

    // What is smallest anyway is kept.
    private void Empty()
    {
        if (Bytes > 2 * FirstBytes)
            Clear();
        else
            _used = _dead = 0;
    }

    // Moves later slots of the same run forward, so that no search ends early.
    private static void Close(Span<ulong> slots, int hole)
    {
        int mask = slots.Length - 1;
        for (int next = (hole + 1) & mask; slots[next] != 0; next = (next + 1) & mask)
        {
            int home = (int)(slots[next] >> 32) & mask;
            if (((next - home) & mask) < ((next - hole) & mask))
                continue;
            slots[hole] = slots[next];
            hole = next;
        }

        slots[hole] = 0;
    }

    private void EnlargeSlots()
    {
        ValueBlock former = _slots;
        _slots = Allocate(Math.Max(FirstBytes, former.Length * 2));
        Span<ulong> slots = Slots;
        slots.Clear();
        foreach (ulong slot in MemoryMarshal.Cast<byte, ulong>(former.Span))
        {
            if (slot != 0)
                Insert(slots, slot);
        }

        former.Release();
    }

    private bool TryReserve(long words, out int entry)
    {
        if ((_used + words) * sizeof(uint) > _entries.Length && !TryMakeSpace(words))
        {
            entry = 0;
            return false;
        }

        entry = _used;
        _used += (int)words;
        return true;
    }

    // Half as much again as is needed, so that the moving costs little per entry and the free part stays small.
    private bool TryMakeSpace(long words)
    {
        long needed = (_used - _dead + words) * sizeof(uint);
        if (needed > MaxBytes)
            return false;
        ValueBlock former = _entries;
        ReadOnlySpan<uint> entries = MemoryMarshal.Cast<byte, uint>(former.Span);
        _entries = Allocate((int)Math.Clamp((needed * 3 / 2) & ~3L, FirstBytes, MaxBytes));
        _used = _dead = 0;
        if (Keys > 0)
            MoveEntries(entries);
        former.Release();
        return true;
    }

    private void MoveEntries(ReadOnlySpan<uint> from)
    {
        Span<uint> to = Entries;
        foreach (ref ulong slot in Slots)
        {
            if (slot == 0)
                continue;
            int entry = EntryOf(slot);
            int words = (int)WordsOf((int)from[entry], Capacity((int)from[entry + 1]));
            from.Slice(entry, words).CopyTo(to[_used..]);
            slot = SlotOf((uint)(slot >> 32), _used);
            _used += words;
        }
    }

    private ValueBlock Allocate(int bytes)
    {
        var block = ValueBlock.Allocate(store, bytes);
        block.CountArrived(bytes);
        return block;
    }
}
