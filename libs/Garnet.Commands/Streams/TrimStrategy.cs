// How a stream is trimmed.
namespace Garnet.Commands.Streams;

/// <summary>The strategy of XTRIM and of XADD's trimming.</summary>
internal enum TrimStrategy
{
    /// <summary>No trimming.</summary>
    None,

    /// <summary>MAXLEN: to a maximum number of entries.</summary>
    Length,

    /// <summary>MINID: removes entries below an ID.</summary>
    Id,
}
