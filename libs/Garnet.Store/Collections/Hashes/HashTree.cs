// Changes of large hashes: a tree of fields by hash, and beside it a tree of those that expire, by time. Under the latch of the key.
using System.Buffers.Binary;

namespace Garnet.Store;

/// <summary>
/// The second tree has an entry for each field that expires: its expiry and its hash, as an ID. Two fields of one hash and one expiry share it; the second then expires when it is looked at.
/// </summary>
internal static unsafe class HashTree
{
    /// <summary>When the first field of a large hash expires, in Unix milliseconds; <see cref="long.MaxValue"/> for never.</summary>
    public static long EarliestExpiry(ReadOnlySpan<byte> value)
    {
        TreeHeader* expiries = PackedForm.SecondTreeOf(value);
        return expiries == null || expiries->Count == 0 ? long.MaxValue : (long)BinaryPrimitives.ReadUInt64LittleEndian(TreeEntry.At(new TreeView(expiries), 0));
    }

    /// <summary>Makes a large hash of a packed one.</summary>
    public static void Convert(ref ValueRoom room)
    {
        TreeForest forest = room.Forest;
        TreeHeader* tree = forest.Create();
        TreeHeader* expiries = null;
        var cursor = default(TreeCursor);
        ReadOnlySpan<byte> packed = room.Bytes;
        int form = packed[0];
        var view = new HashView(packed, trees: null, long.MinValue);
        for (int offset = view.Start; offset < packed.Length;)
        {
            int valueOffset = PackedEntries.Next(packed, offset);
            int end = PackedEntries.Next(packed, valueOffset);
            long expiry = view.ExpiryAt(valueOffset);
            ReadOnlySpan<byte> entry = HashEntry.WithExpiry(packed[offset..end], expiry);
            TreeKey key = forest.Hashes.Order.KeyOf(packed[offset..valueOffset]);
            forest.Hashes.Find(new TreeView(tree), key, ref cursor);
            forest.Hashes.Insert(tree, ref cursor, entry);
            if (expiry >= 0)
            {
                expiries = expiries == null ? forest.Create() : expiries;
                AddExpiry(forest, expiries, key.High, expiry);
                tree->User0++;
            }

            offset = view.HasExpiries ? PackedEntries.Next(packed, end) : end;
        }

        room.BecomeTree(form, tree, expiries);
    }

    /// <summary>As <see cref="HashValue.Set"/>.</summary>
    public static bool Set(ref ValueRoom room, scoped in ElementCode field, scoped in ElementCode value, long expiresAtMs)
    {
        TreeForest forest = room.Forest;
        TreeHeader* tree = room.Tree;
        var cursor = default(TreeCursor);
        ReadOnlySpan<byte> name = ElementScratch.Current.Encode(field);
        TreeKey key = forest.Hashes.Order.KeyOf(name);
        bool isFound = forest.Hashes.Find(new TreeView(tree), key, ref cursor);
        long oldExpiry = isFound ? HashEntry.Expiry(TreeEntry.At(ref cursor)) : -1;
        bool isAdded = !isFound || room.Session.IsExpired(oldExpiry);
        if (isFound && isAdded)
        {
            room.CountExpiredField();
        }

        long expiry = expiresAtMs != HashValue.KeepExpiry ? expiresAtMs : isAdded ? -1 : oldExpiry;
        room.BeforeTreeChange();
        if (isFound)
        {
            forest.Hashes.Replace(tree, ref cursor, HashEntry.Make(name, value, expiry));
        }
        else
        {
            forest.Hashes.Insert(tree, ref cursor, HashEntry.Make(name, value, expiry));
        }

        MoveExpiry(ref room, key.High, oldExpiry, expiry);
        return isAdded;
    }

    /// <summary>As <see cref="HashValue.SetExpiry"/>.</summary>
    public static bool SetExpiry(ref ValueRoom room, scoped in ElementCode field, long expiresAtMs)
    {
        TreeForest forest = room.Forest;
        TreeHeader* tree = room.Tree;
        var cursor = default(TreeCursor);
        TreeKey key = forest.Hashes.Order.KeyOf(ElementScratch.Current.Encode(field));
        if (!forest.Hashes.Find(new TreeView(tree), key, ref cursor))
        {
            return false;
        }

        ReadOnlySpan<byte> entry = TreeEntry.At(ref cursor);
        long oldExpiry = HashEntry.Expiry(entry);
        if (room.Session.IsExpired(oldExpiry))
        {
            return false;
        }

        if (oldExpiry != expiresAtMs)
        {
            ReadOnlySpan<byte> changed = HashEntry.WithExpiry(entry, expiresAtMs);
            room.BeforeTreeChange();
            forest.Hashes.Replace(tree, ref cursor, changed);
            MoveExpiry(ref room, key.High, oldExpiry, expiresAtMs);
        }
        else if (expiresAtMs >= 0)
        {
            room.BeforeTreeChange();
        }

        return true;
    }

    /// <summary>As <see cref="HashValue.Remove"/>.</summary>
    public static bool Remove(ref ValueRoom room, scoped in ElementCode field)
    {
        TreeForest forest = room.Forest;
        TreeHeader* tree = room.Tree;
        var cursor = default(TreeCursor);
        TreeKey key = forest.Hashes.Order.KeyOf(ElementScratch.Current.Encode(field));
        if (!forest.Hashes.Find(new TreeView(tree), key, ref cursor))
        {
            return false;
        }

        long expiry = HashEntry.Expiry(TreeEntry.At(ref cursor));
        bool wasVisible = !room.Session.IsExpired(expiry);
        RemoveAt(ref room, ref cursor, key.High, expiry);
        return wasVisible;
    }

    /// <summary>As <see cref="HashValue.RemoveExpired"/>.</summary>
    public static int RemoveExpired<TVisitor>(ref ValueRoom room, int most, ref TVisitor visitor)
        where TVisitor : struct, IElementVisitor, allows ref struct
    {
        int removed = 0;
        var cursor = default(TreeCursor);
        while (removed < most && room.Exists && room.Session.IsExpired(EarliestExpiry(room.Bytes)))
        {
            TreeForest forest = room.Forest;
            ReadOnlySpan<byte> due = TreeEntry.At(new TreeView(room.SecondTree), 0);
            long expiry = (long)BinaryPrimitives.ReadUInt64LittleEndian(due);
            ulong hash = BinaryPrimitives.ReadUInt64LittleEndian(due[8..]);
            if (!FindByHash(forest, room.Tree, hash, expiry, ref cursor))
            {
                throw new InvalidOperationException("A field that expires is not in its hash.");
            }

            visitor.Visit(HashEntry.Read(TreeEntry.At(ref cursor)).Field);
            RemoveAt(ref room, ref cursor, hash, expiry);
            removed++;
        }

        return removed;
    }

    private static bool FindByHash(TreeForest forest, TreeHeader* tree, ulong hash, long expiry, ref TreeCursor cursor)
    {
        forest.Hashes.Find(new TreeView(tree), HashOrder.KeyOfHash(hash), ref cursor);
        while (!cursor.IsEnd)
        {
            ReadOnlySpan<byte> entry = TreeEntry.At(ref cursor);
            if (forest.Hashes.Order.FirstWord(entry) != hash)
            {
                return false;
            }

            if (HashEntry.Expiry(entry) == expiry)
            {
                return true;
            }

            cursor.MoveNext();
        }

        return false;
    }

    private static void RemoveAt(ref ValueRoom room, ref TreeCursor cursor, ulong hash, long expiry)
    {
        TreeHeader* tree = room.Tree;
        if (tree->Count == 1)
        {
            room.Remove();
            return;
        }

        room.BeforeTreeChange();
        room.Forest.Hashes.Remove(tree, ref cursor);
        MoveExpiry(ref room, hash, expiry, -1);
    }

    // Keeps the second tree and the number of expiring fields; the first tree has been changed already.
    private static void MoveExpiry(ref ValueRoom room, ulong hash, long oldExpiry, long expiry)
    {
        if (oldExpiry < 0 && expiry < 0)
        {
            return;
        }

        TreeForest forest = room.Forest;
        TreeHeader* expiries = room.SecondTree;
        long fields = room.Tree->User0 + (expiry >= 0 ? 1 : 0) - (oldExpiry >= 0 ? 1 : 0);
        room.CountVolatile(room.Tree->User0, fields);
        room.Tree->User0 = fields;
        if (expiries == null)
        {
            expiries = forest.Create();
            PackedForm.WriteTrees(room.Mutate(), PackedForm.FormOf(room.Bytes) | PackedForm.HasExpiries | PackedForm.IsLarge, room.Tree, expiries);
        }

        var cursor = default(TreeCursor);
        if (oldExpiry >= 0 && forest.Ids.Find(new TreeView(expiries), IdOrder.KeyOf((ulong)oldExpiry, hash), ref cursor))
        {
            forest.Ids.Remove(expiries, ref cursor);
        }

        if (expiry >= 0)
        {
            AddExpiry(forest, expiries, hash, expiry);
            room.NoteElementExpiry(expiry);
        }
    }

    private static void AddExpiry(TreeForest forest, TreeHeader* expiries, ulong hash, long expiry)
    {
        var cursor = default(TreeCursor);
        Span<byte> entry = stackalloc byte[IdOrder.IdBytes];
        BinaryPrimitives.WriteUInt64LittleEndian(entry, (ulong)expiry);
        BinaryPrimitives.WriteUInt64LittleEndian(entry[8..], hash);
        if (!forest.Ids.Find(new TreeView(expiries), IdOrder.KeyOf((ulong)expiry, hash), ref cursor))
        {
            forest.Ids.Insert(expiries, ref cursor, entry);
        }
    }
}
