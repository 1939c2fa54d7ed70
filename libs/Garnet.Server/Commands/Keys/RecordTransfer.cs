// Duplicates a value at another key (RENAME, COPY, MOVE). Works on latched records of the calling command.
using Garnet.Store;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Server.Commands.Keys;

/// <summary>
/// Gives one key another's type, value and expiry. Values in blocks are shared, not copied: whoever changes a shared block copies it first.
/// What was there goes before, so that the key begins its life anew, as Valkey's does: what was known of its use is gone.
/// </summary>
internal static class RecordTransfer
{
    /// <summary>Makes the target what the source is. Both keys must be latched, and differ.</summary>
    public static void Copy(ref RecordHandle source, ref RecordHandle target)
    {
        target.Delete();
        if (source.Type != RecordType.Hash)
        {
            source.CopyTo(ref target);
            return;
        }

        // Fields that have expired are not copied; of a hash of nothing else the copy is, as Valkey's, a hash without fields.
        HashValue from = new(source);
        if (!from.GetEnumerator().MoveNext())
        {
            target.Set(RecordType.Hash, HashValue.Nothing, source.ExpiresAtMs, source.Sliding);
            return;
        }

        source.CopyTo(ref target);
        HashValue copy = new(target);
        IgnoringVisitor unseen = default;
        copy.RemoveExpired(int.MaxValue, ref unseen);
    }

    private readonly struct IgnoringVisitor : IElementVisitor
    {
        public void Visit(ReadOnlySpan<byte> element) { }
    }

    /// <summary>As <see cref="Copy"/>, and removes the source; a large value moves without a copy.</summary>
    public static void Move(ref RecordHandle source, ref RecordHandle target)
    {
        target.Delete();
        source.MoveTo(ref target);
    }
}
