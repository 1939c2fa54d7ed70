// What a client accepts from a peer. Immutable; any thread.
namespace Garnet.Client;

/// <summary>Limits on replies, so that a faulty or hostile peer cannot exhaust memory; exceeding one is a protocol error.</summary>
internal sealed record ReplyLimits
{
    /// <summary>Limits that no legitimate reply of a server reaches.</summary>
    public static ReplyLimits Default { get; } = new();

    /// <summary>Maximum length of a bulk string, in bytes.</summary>
    public int MaxBulkBytes { get; init; } = 512 * 1024 * 1024;

    /// <summary>Maximum length of a line (simple strings, errors, numbers, lengths), in bytes.</summary>
    public int MaxLineBytes { get; init; } = 1024 * 1024;

    /// <summary>Maximum number of values in one reply, counting the reply itself and all levels of nesting.</summary>
    public int MaxElements { get; init; } = 64 * 1024 * 1024;

    /// <summary>Maximum size of one reply as it is sent, in bytes.</summary>
    public long MaxReplyBytes { get; init; } = long.MaxValue;

    /// <summary>Maximum nesting depth of arrays, sets, maps and the other aggregates.</summary>
    public int MaxDepth { get; init; } = 128;
}
