// One logged command. Immutable.
namespace Garnet.Server.Logs;

/// <summary>A command as shown by COMMANDLOG GET.</summary>
/// <param name="Id">Growing id.</param>
/// <param name="UnixSeconds">When it was executed.</param>
/// <param name="Value">Its cost: microseconds, or bytes.</param>
/// <param name="Arguments">Its arguments, shortened.</param>
/// <param name="ClientAddress">The client's address.</param>
/// <param name="ClientName">The client's name.</param>
internal sealed record CommandLogEntry(long Id, long UnixSeconds, long Value, byte[][] Arguments, string ClientAddress, string ClientName);
