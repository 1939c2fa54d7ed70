// Flags of a log frame. Frozen: the values are on disk.
namespace Garnet.Persistence.AppendLog;

/// <summary>Properties of a frame.</summary>
[Flags]
internal enum FrameFlags : uint
{
    /// <summary>None: the frame is a middle piece of one effect.</summary>
    None = 0,

    /// <summary>The payload begins where an effect begins.</summary>
    Begins = 1,

    /// <summary>The payload ends where an effect ends.</summary>
    Ends = 2,

    /// <summary>First frame of a generation; it has no payload.</summary>
    Opening = 4,

    /// <summary>Last frame of a generation that was closed in order; it has no payload.</summary>
    Closing = 8,

    /// <summary>On an opening frame: the generation continues data that only its own base holds.</summary>
    NeedsBase = 16,
}
