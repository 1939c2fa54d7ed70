// Shared beginning of HSCAN, SSCAN and ZSCAN. Stateless.
using Garnet.Engine.Execution;
using Garnet.Store;

namespace Garnet.Commands.Keys;

/// <summary>
/// Parses <c>name key cursor [option ...]</c> in Valkey's order: an invalid cursor is reported before a wrong type, and options are parsed
/// only if the collection exists.
/// </summary>
internal static class CollectionScan
{
    // Positions within collections are smaller.
    private const ulong MaxCursor = (1UL << 48) - 1;

    /// <summary>
    /// Opens the collection and clears the batch's deferred reply for its elements; returns false if the reply has been written.
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

        // Any cursor is accepted, even one that no reply contained: as in Valkey, only its lower bits matter.
        cursor &= MaxCursor;
        if (!ScanOptions.TryParse(ref context, 3, type, out options))
            return false;
        context.Scratch.Deferred.Clear();
        return true;
    }
}
