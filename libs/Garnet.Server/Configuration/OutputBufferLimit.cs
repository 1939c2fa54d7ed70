// The limit of unsent replies of one class of clients. Immutable, any thread.
namespace Garnet.Server.Configuration;

/// <summary>Unsent replies at which a client is disconnected; 0 means no limit.</summary>
/// <param name="HardBytes">Disconnected at once above this size.</param>
/// <param name="SoftBytes">Disconnected when above this size for <paramref name="SoftSeconds"/>.</param>
/// <param name="SoftSeconds">How long the soft limit may be exceeded.</param>
public readonly record struct OutputBufferLimit(long HardBytes, long SoftBytes, long SoftSeconds);
