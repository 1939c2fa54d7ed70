// How HSCAN, SSCAN and ZSCAN begin. Stateless.
using Garnet.Server.CommandModel;
using Garnet.Store;

namespace Garnet.Server.Commands.Keys;

/// <summary>
/// Reads <c>name key cursor [option ...]</c> in Valkey's order: a wrong cursor comes before the key's type, and options are looked at only
/// where there is something to iterate over.
/// </summary>
internal static class CollectionScan
{
    // Positions within collections are below.
    private const ulong MaxCursor = (1UL << 48) - 1;

    /// <summary>
    /// Opens the collection, and clears the batch's deferred reply for its elements; false when the reply has been written.
    /// </summary>
    public static bool TryBegin(
        scoped ref CommandContext context,
        RecordType type,
        out RecordHandle record,
        out ulong cursor,
        out ScanOptions options
    )
    {
        record = default;
        options = default;
        if (!ScanCursor.TryGet(ref context, 2, out cursor) || !context.TryOpen(1, type, countsLookup: true, out record))
            return false;
        if (!record.Exists)
        {
            ScanReply.WriteEmpty(ref context);
            return false;
        }

        // A cursor that was never given out is as good as one that was: Valkey looks at its lower bits alone.
        cursor &= MaxCursor;
        if (!ScanOptions.TryParse(ref context, 3, type, out options))
            return false;
        context.Batch.Deferred.Clear();
        return true;
    }
}
