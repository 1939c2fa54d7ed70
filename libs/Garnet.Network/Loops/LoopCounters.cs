// Counters of one owner loop. Written by the loop alone, read by any thread: 64-bit reads of plain fields are atomic on every supported
// platform.
namespace Garnet.Network.Loops;

internal sealed class LoopCounters
{
    internal long Wakes;
    internal long Reads;
    internal long Writes;
    internal long BytesIn;
    internal long BytesOut;
}
