// Counters of one owner loop. Written by the loop alone, read by anyone: 64-bit reads of plain fields are whole on every platform that is
// supported.
namespace Garnet.Network.Loops;

internal sealed class LoopCounters
{
    internal long Wakes;
    internal long Reads;
    internal long Writes;
    internal long BytesIn;
    internal long BytesOut;
}
