// What a poller reports of one socket. A plain value.
namespace Garnet.Network.Polling;

/// <summary>A socket that can be used without waiting.</summary>
/// <param name="Id">The number under which it was added.</param>
/// <param name="CanRead">Bytes, the end of the stream or an error can be received.</param>
/// <param name="CanWrite">Bytes can be sent; reported only while that was asked for.</param>
/// <param name="HasEnded">The peer sends no more, or the connection is broken: after a short count there is still the end to be read.</param>
internal readonly record struct ReadySocket(int Id, bool CanRead, bool CanWrite, bool HasEnded = false);
