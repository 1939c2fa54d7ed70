// One remembered slow command. Immutable.
namespace Garnet.Server.Statistics;

/// <summary>A slow command as SLOWLOG GET shows it.</summary>
/// <param name="Id">Growing id.</param>
/// <param name="UnixSeconds">When it was executed.</param>
/// <param name="Microseconds">How long it took.</param>
/// <param name="Arguments">Its arguments, shortened.</param>
/// <param name="ClientAddress">The client's address.</param>
/// <param name="ClientName">The client's name.</param>
public sealed record SlowLogEntry(long Id, long UnixSeconds, long Microseconds, byte[][] Arguments, string ClientAddress, string ClientName);
