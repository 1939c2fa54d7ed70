// By what a stream is trimmed.
namespace Garnet.Server.Commands.Streams;

/// <summary>The strategy of XTRIM and of XADD's trimming.</summary>
internal enum TrimStrategy
{
    /// <summary>Not at all.</summary>
    None,

    /// <summary>MAXLEN: down to a number of entries.</summary>
    Length,

    /// <summary>MINID: entries below an ID go.</summary>
    Id,
}
