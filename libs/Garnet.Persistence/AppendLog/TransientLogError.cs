// Operations that the disk rejected and may accept later. Immutable, any thread.
namespace Garnet.Persistence.AppendLog;

/// <summary>Kinds of transient errors; each ends independently.</summary>
internal enum TransientLogError
{
    /// <summary>A write.</summary>
    Write,

    /// <summary>Reserving the next segment.</summary>
    Reserve,
}
