// What a client accepts from a peer. Immutable; any thread.
namespace Garnet.Client;

/// <summary>Bounds on replies: a peer that goes beyond one is not believed, whatever it declares.</summary>
internal sealed record ReplyLimits
{
    /// <summary>Bounds that no reply of a server reaches.</summary>
    public static ReplyLimits Default { get; } = new();

    /// <summary>Longest bulk string, in bytes.</summary>
    public int MaxBulkBytes { get; init; } = 512 * 1024 * 1024;

    /// <summary>Longest line (simple strings, errors, numbers, lengths), in bytes.</summary>
    public int MaxLineBytes { get; init; } = 1024 * 1024;

    /// <summary>Most replies in one reply, itself and all levels counted.</summary>
    public int MaxElements { get; init; } = 64 * 1024 * 1024;

    /// <summary>Deepest nesting of arrays and their like.</summary>
    public int MaxDepth { get; init; } = 128;
}
