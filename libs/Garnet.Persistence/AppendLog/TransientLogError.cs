// What the disk refused and may take later. Immutable, any thread.
namespace Garnet.Persistence.AppendLog;

/// <summary>Kinds of passing trouble; each ends by itself.</summary>
internal enum TransientLogError
{
    /// <summary>A write.</summary>
    Write,

    /// <summary>Room for the next segment.</summary>
    Reserve,
}
