// A log that could not be opened. Immutable.
using Garnet.Persistence.AppendLog;
using Garnet.Server.Persistence.Aof;

namespace Garnet.Server.Persistence;

/// <summary>A log that the disk had no space for at the start, and the data that was loaded.</summary>
/// <param name="Problem">The system's message.</param>
/// <param name="Start">Where the log begins.</param>
/// <param name="Imported">The files of another server that were loaded; null when they are the server's own.</param>
internal sealed record UnopenedLog(string Problem, LogStart Start, AofFiles? Imported)
{
    /// <summary>Changes counted when the data was loaded.</summary>
    public long Changes { get; init; }
}
