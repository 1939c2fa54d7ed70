// Duplicates a value under another key (RENAME, COPY, MOVE). Works on latched records of the calling command.
using Garnet.Store;

namespace Garnet.Server.Commands.Keys;

/// <summary>Copies one record's type, value and expiry over another. Values in blocks are shared, not copied: whoever changes a shared block copies it first.</summary>
internal static class RecordTransfer
{
    /// <summary>Makes the target what the source is. Both keys must be latched, and differ.</summary>
    public static void Copy(ref RecordHandle source, ref RecordHandle target)
    {
        if (source.Type == RecordType.String && source.TryReferenceBlock(out ValueBlock block))
            target.SetBlock(block, source.ExpiresAtMs);
        else
            target.Set(source.Type, source.Value, source.ExpiresAtMs);
    }
}
