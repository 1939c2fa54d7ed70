// A copy of one owner thread's counters. Immutable.
namespace Garnet.Network;

/// <summary>What one owner thread has done since it started.</summary>
/// <param name="Id">Number of the thread within its transport, from 0.</param>
/// <param name="Connections">Connections it owns now.</param>
/// <param name="Wakes">Times it woke with work.</param>
/// <param name="Reads">Receive calls that returned bytes.</param>
/// <param name="Writes">Send calls.</param>
/// <param name="BytesIn">Bytes received.</param>
/// <param name="BytesOut">Bytes sent.</param>
/// <param name="BusyTime">Processor time of the thread (epoll) or time spent in turns (sockets).</param>
internal readonly record struct IoThreadStatistics(
    int Id,
    int Connections,
    long Wakes,
    long Reads,
    long Writes,
    long BytesIn,
    long BytesOut,
    TimeSpan BusyTime
);
