// Copies a value to another key (RENAME, COPY, MOVE). Works on latched records of the calling command.
using Garnet.Store;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Keys;

/// <summary>
/// Copies type, value and expiry from one key to another. Values in blocks are shared: a command that changes a shared block copies it
/// first. The target is deleted first, so that it becomes a new key without access statistics, as in Valkey.
/// </summary>
internal static class RecordTransfer
{
    /// <summary>Makes the target a copy of the source. Both keys must be latched, and must differ.</summary>
    public static void Copy(ref RecordHandle source, ref RecordHandle target)
    {
        IgnoringVisitor expired = default;
        Copy(ref source, ref target, ref expired);
    }

    /// <inheritdoc cref="Copy(ref RecordHandle, ref RecordHandle)"/>
    /// <param name="source">The key that is copied.</param>
    /// <param name="target">The key that becomes its copy.</param>
    /// <param name="expired">Is told the fields of the source that have expired, which are not copied.</param>
    public static void Copy<TVisitor>(ref RecordHandle source, ref RecordHandle target, ref TVisitor expired)
        where TVisitor : struct, IElementVisitor, allows ref struct
    {
        target.Delete();
        if (!source.Contents.DataType.HasElementExpiry)
        {
            source.CopyTo(ref target);
            return;
        }

        // If all fields have expired, the copy is a hash without fields, as in Valkey.
        HashValue from = new(source);
        if (!from.GetEnumerator().MoveNext())
        {
            target.Set(RecordType.Hash, HashValue.Nothing, source.ExpiresAtMs, source.Sliding);
            return;
        }

        source.CopyTo(ref target);
        HashValue copy = new(target);
        copy.RemoveExpired(int.MaxValue, ref expired);
    }

    /// <summary>As <see cref="Copy(ref RecordHandle, ref RecordHandle)"/>, but removes the source; a large value is moved without a copy.</summary>
    public static void Move(ref RecordHandle source, ref RecordHandle target)
    {
        target.Delete();
        source.MoveTo(ref target);
    }

    private readonly struct IgnoringVisitor : IElementVisitor
    {
        public void Visit(ReadOnlySpan<byte> element) { }
    }
}
