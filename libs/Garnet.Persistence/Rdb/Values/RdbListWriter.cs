// Writes lists node by node, in Valkey's format. Keeps scratch memory; one thread at a time.
using Garnet.Persistence.Rdb.Packed;
using Garnet.Store.Collections;

namespace Garnet.Persistence.Rdb.Values;

/// <summary>
/// A node is its container type and a string: a listpack of elements, or one plain element. So a list has the same nodes after it is loaded
/// again.
/// </summary>
internal sealed class RdbListWriter
{
    private const ulong Plain = 1;
    private const ulong Packed = 2;
    private readonly ListPackBuilder _pack = new();

    /// <summary>Writes nodes until at least <paramref name="most"/> elements are written; false when there are no more.</summary>
    public bool WriteNodes(RdbWriter writer, scoped ref CollectionImage list, long most)
    {
        for (long written = 0; written < most; )
        {
            if (!list.MoveToNode(out long elements, out bool isPlain))
                return false;
            WriteNode(writer, ref list, elements, isPlain);
            written += elements;
        }

        return true;
    }

    private void WriteNode(RdbWriter writer, scoped ref CollectionImage list, long elements, bool isPlain)
    {
        writer.WriteLength(isPlain ? Plain : Packed);
        if (isPlain)
        {
            list.MoveNext();
            writer.WriteString(list.First);
            return;
        }

        _pack.Clear();
        for (long left = elements; left > 0 && list.MoveToRun(left, out PackedRun run); )
            left -= _pack.Add(run);

        writer.WriteString(_pack.Finish());
    }
}
