// How Valkey would cut a list into nodes: for DEBUG OBJECT alone. Pure.
namespace Garnet.Store;

/// <summary>Nodes and bytes of Valkey's quicklist of the same elements, each pushed at the tail; nodes that other commands would have left half empty are not known here.</summary>
public readonly struct QuickListShape
{
    // What Valkey reserves for an element's header when it asks whether the element still fits, and the bytes that a node is bound to when its limit is a number of elements.
    private const int HeaderEstimate = 8;
    private const long SafeBytes = 8192;

    /// <summary>Looks through a list's elements.</summary>
    public QuickListShape(CollectionImage list, CollectionLimits limits)
    {
        int fill = limits.ListMaxListPackSize;
        long mostBytes = fill < 0 ? limits.ListNodeBytes : SafeBytes;
        long open = 0, inOpen = 0;
        while (list.MoveNext())
        {
            ReadOnlySpan<byte> element = list.First;
            if (element.Length > mostBytes)
            {
                Nodes++;
                Bytes += element.Length;
                inOpen = 0;
                continue;
            }

            if (inOpen == 0 || open + element.Length + HeaderEstimate > mostBytes || (fill >= 0 && inOpen >= Math.Max(1, fill)))
            {
                Nodes++;
                Bytes += ListPackSize.Empty;
                open = ListPackSize.Empty;
                inOpen = 0;
            }

            long size = ListPackSize.Of(element);
            open += size;
            Bytes += size;
            inOpen++;
        }
    }

    /// <summary>Nodes.</summary>
    public long Nodes { get; }

    /// <summary>Bytes of all nodes together.</summary>
    public long Bytes { get; }
}
