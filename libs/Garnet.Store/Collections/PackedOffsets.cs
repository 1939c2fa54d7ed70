// Offsets of consecutive entries, so that they can be walked backwards. Lives on the stack; the offsets are in the thread's scratch.
using Garnet.Store.Collections.Streams;

namespace Garnet.Store.Collections;

/// <summary>Offsets of every n-th entry, starting at one.</summary>
internal readonly ref struct PackedOffsets
{
    private readonly int[] _offsets;

    public PackedOffsets(ReadOnlySpan<byte> bytes, int offset, int count, int stride)
    {
        _offsets = ElementScratch.Current.TakeOffsets(count);
        for (int i = 0; i < count; i++)
        {
            _offsets[i] = offset;
            offset = PackedEntries.Skip(bytes, offset, stride);
        }
    }

    public PackedOffsets(StreamNode node)
    {
        int count = node.Count + node.Deleted;
        _offsets = ElementScratch.Current.TakeOffsets(count);
        int offset = node.First;
        for (int i = 0; i < count; i++)
        {
            _offsets[i] = offset;
            offset = node.Next(offset);
        }
    }

    public int At(int index) => _offsets[index];
}
