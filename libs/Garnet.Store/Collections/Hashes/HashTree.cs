// Changes to large hashes: a tree of fields by hash and, beside it, a tree of the expiring ones by time. Used under the latch of the key.
using System.Buffers.Binary;
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Hashes;

/// <summary>
/// The second tree has one entry for each expiring field: its expiry and its hash, as an ID. Two fields with the same hash and expiry share
/// an entry; the second field then expires lazily, when it is accessed.
/// </summary>
internal static unsafe class HashTree
{
    /// <summary>Earliest expiry of a field of a large hash, in Unix milliseconds; <see cref="long.MaxValue"/> if none expires.</summary>
    public static long EarliestExpiry(ReadOnlySpan<byte> value)
    {
        TreeHeader* expiries = PackedForm.SecondTreeOf(value);
        return expiries == null || expiries->Count == 0
            ? long.MaxValue
            : (long)BinaryPrimitives.ReadUInt64LittleEndian(TreeEntry.At(new TreeView(expiries), 0));
    }

    /// <summary>Converts a packed hash into a large one.</summary>
    public static void Convert(ref ValueStorage storage)
    {
        TreeStore trees = storage.Trees;
        TreeHeader* tree = trees.Create();
        TreeHeader* expiries = null;
        var cursor = default(TreeCursor);
        ReadOnlySpan<byte> packed = storage.Bytes;
        int form = packed[0];
        var view = new HashView(packed, trees: null, long.MinValue);
        for (int offset = view.Start; offset < packed.Length; )
        {
            int valueOffset = PackedEntries.Next(packed, offset);
            int end = PackedEntries.Next(packed, valueOffset);
            long expiry = view.ExpiryAt(valueOffset);
            ReadOnlySpan<byte> entry = HashEntry.WithExpiry(packed[offset..end], expiry);
            TreeKey key = trees.Hashes.Order.KeyOf(packed[offset..valueOffset]);
            trees.Hashes.Find(new TreeView(tree), key, ref cursor);
            trees.Hashes.Insert(tree, ref cursor, entry);
            if (expiry >= 0)
            {
                expiries = expiries == null ? trees.Create() : expiries;
                AddExpiry(trees, expiries, key.High, expiry);
                tree->User0++;
            }

            offset = view.HasExpiries ? PackedEntries.Next(packed, end) : end;
        }

        storage.BecomeTree(form, tree, expiries);
    }

    /// <summary>See <see cref="HashValue.Set"/>.</summary>
    public static bool Set(ref ValueStorage storage, scoped in ElementCode field, scoped in ElementCode value, long expiresAtMs)
    {
        TreeStore trees = storage.Trees;
        TreeHeader* tree = storage.Tree;
        var cursor = default(TreeCursor);
        ReadOnlySpan<byte> name = ElementScratch.Current.Encode(field);
        TreeKey key = trees.Hashes.Order.KeyOf(name);
        bool isFound = trees.Hashes.Find(new TreeView(tree), key, ref cursor);
        long oldExpiry = isFound ? HashEntry.Expiry(TreeEntry.At(ref cursor)) : -1;
        bool isAdded = !isFound || storage.Session.Expiry.IsPast(oldExpiry);
        if (isFound && isAdded)
            storage.CountExpiredField();

        long expiry =
            expiresAtMs != HashValue.KeepExpiry ? expiresAtMs
            : isAdded ? -1
            : oldExpiry;
        storage.BeforeTreeChange();
        if (isFound)
            trees.Hashes.Replace(tree, ref cursor, HashEntry.Make(name, value, expiry));
        else
            trees.Hashes.Insert(tree, ref cursor, HashEntry.Make(name, value, expiry));

        MoveExpiry(ref storage, key.High, oldExpiry, expiry);
        return isAdded;
    }

    /// <summary>See <see cref="HashValue.SetExpiry"/>.</summary>
    public static bool SetExpiry(ref ValueStorage storage, scoped in ElementCode field, long expiresAtMs)
    {
        TreeStore trees = storage.Trees;
        TreeHeader* tree = storage.Tree;
        var cursor = default(TreeCursor);
        TreeKey key = trees.Hashes.Order.KeyOf(ElementScratch.Current.Encode(field));
        if (!trees.Hashes.Find(new TreeView(tree), key, ref cursor))
            return false;

        ReadOnlySpan<byte> entry = TreeEntry.At(ref cursor);
        long oldExpiry = HashEntry.Expiry(entry);
        if (storage.Session.Expiry.IsPast(oldExpiry))
            return false;

        if (oldExpiry != expiresAtMs)
        {
            ReadOnlySpan<byte> changed = HashEntry.WithExpiry(entry, expiresAtMs);
            storage.BeforeTreeChange();
            trees.Hashes.Replace(tree, ref cursor, changed);
            MoveExpiry(ref storage, key.High, oldExpiry, expiresAtMs);
        }
        else if (expiresAtMs >= 0)
        {
            storage.BeforeTreeChange();
        }

        return true;
    }

    /// <summary>See <see cref="HashValue.Remove"/>.</summary>
    public static bool Remove(ref ValueStorage storage, scoped in ElementCode field)
    {
        TreeStore trees = storage.Trees;
        TreeHeader* tree = storage.Tree;
        var cursor = default(TreeCursor);
        TreeKey key = trees.Hashes.Order.KeyOf(ElementScratch.Current.Encode(field));
        if (!trees.Hashes.Find(new TreeView(tree), key, ref cursor))
            return false;

        long expiry = HashEntry.Expiry(TreeEntry.At(ref cursor));
        bool wasVisible = !storage.Session.Expiry.IsPast(expiry);
        RemoveAt(ref storage, ref cursor, key.High, expiry);
        return wasVisible;
    }

    /// <summary>See <see cref="HashValue.RemoveExpired"/>.</summary>
    public static int RemoveExpired<TVisitor>(ref ValueStorage storage, int most, ref TVisitor visitor)
        where TVisitor : struct, IElementVisitor, allows ref struct
    {
        int removed = 0;
        var cursor = default(TreeCursor);
        while (removed < most && storage.Exists && storage.Session.Expiry.IsPast(EarliestExpiry(storage.Bytes)))
        {
            TreeStore trees = storage.Trees;
            ReadOnlySpan<byte> due = TreeEntry.At(new TreeView(storage.SecondTree), 0);
            long expiry = (long)BinaryPrimitives.ReadUInt64LittleEndian(due);
            ulong hash = BinaryPrimitives.ReadUInt64LittleEndian(due[8..]);
            if (!FindByHash(trees, storage.Tree, hash, expiry, ref cursor))
                throw new InvalidOperationException("An expiring field is missing from its hash.");

            visitor.Visit(HashEntry.Read(TreeEntry.At(ref cursor)).Field);
            RemoveAt(ref storage, ref cursor, hash, expiry);
            removed++;
        }

        return removed;
    }

    private static bool FindByHash(TreeStore trees, TreeHeader* tree, ulong hash, long expiry, ref TreeCursor cursor)
    {
        trees.Hashes.Find(new TreeView(tree), HashOrder.KeyOfHash(hash), ref cursor);
        while (!cursor.IsEnd)
        {
            ReadOnlySpan<byte> entry = TreeEntry.At(ref cursor);
            if (trees.Hashes.Order.FirstWord(entry) != hash)
                return false;

            if (HashEntry.Expiry(entry) == expiry)
                return true;

            cursor.MoveNext();
        }

        return false;
    }

    private static void RemoveAt(ref ValueStorage storage, ref TreeCursor cursor, ulong hash, long expiry)
    {
        TreeHeader* tree = storage.Tree;
        if (tree->Count == 1)
        {
            storage.Remove();
            return;
        }

        storage.BeforeTreeChange();
        storage.Trees.Hashes.Remove(tree, ref cursor);
        MoveExpiry(ref storage, hash, expiry, -1);
    }

    // Updates the second tree and the number of expiring fields; the first tree has already been changed.
    private static void MoveExpiry(ref ValueStorage storage, ulong hash, long oldExpiry, long expiry)
    {
        if (oldExpiry < 0 && expiry < 0)
            return;

        TreeStore trees = storage.Trees;
        TreeHeader* expiries = storage.SecondTree;
        long fields = storage.Tree->User0 + (expiry >= 0 ? 1 : 0) - (oldExpiry >= 0 ? 1 : 0);
        storage.CountVolatile(storage.Tree->User0, fields);
        storage.Tree->User0 = fields;
        if (expiries == null)
        {
            expiries = trees.Create();
            PackedForm.WriteTrees(
                storage.Mutate(),
                PackedForm.FormOf(storage.Bytes) | PackedForm.HasExpiries | PackedForm.IsLarge,
                storage.Tree,
                expiries
            );
        }

        var cursor = default(TreeCursor);
        if (oldExpiry >= 0 && trees.Ids.Find(new TreeView(expiries), IdOrder.KeyOf((ulong)oldExpiry, hash), ref cursor))
            trees.Ids.Remove(expiries, ref cursor);

        if (expiry >= 0)
        {
            AddExpiry(trees, expiries, hash, expiry);
            storage.ScheduleElementExpiry(expiry);
        }
    }

    private static void AddExpiry(TreeStore trees, TreeHeader* expiries, ulong hash, long expiry)
    {
        var cursor = default(TreeCursor);
        Span<byte> entry = stackalloc byte[IdOrder.IdBytes];
        BinaryPrimitives.WriteUInt64LittleEndian(entry, (ulong)expiry);
        BinaryPrimitives.WriteUInt64LittleEndian(entry[8..], hash);
        if (!trees.Ids.Find(new TreeView(expiries), IdOrder.KeyOf((ulong)expiry, hash), ref cursor))
            trees.Ids.Insert(expiries, ref cursor, entry);
    }
}
