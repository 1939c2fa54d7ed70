// The header of a span: an aligned section of native memory that holds nodes of one size. Guarded by the lock of its class.
using System.Runtime.InteropServices;

namespace Garnet.Store.Collections.Trees;

/// <summary>Bookkeeping at the start of each span in use.</summary>
[StructLayout(LayoutKind.Sequential, Size = NodeClasses.SpanHeaderBytes)]
internal unsafe struct NodeSpan
{
    /// <summary>Neighbours among the class's spans with free nodes.</summary>
    public NodeSpan* Previous;

    /// <inheritdoc cref="Previous"/>
    public NodeSpan* Next;

    /// <summary>Freed nodes; each starts with the address of the next.</summary>
    public byte* Free;

    /// <summary>The class of its nodes.</summary>
    public int SizeClass;

    /// <summary>Number of nodes in use.</summary>
    public int Used;

    /// <summary>Number of nodes ever handed out; the memory after them has not been touched.</summary>
    public int Carved;

    /// <summary>Number of nodes that fit.</summary>
    public int Capacity;

    /// <summary>The span that contains a node.</summary>
    public static NodeSpan* Of(void* node) => (NodeSpan*)((nuint)node & ~(nuint)(NodeClasses.SpanBytes - 1));
}
