// The header of a span: an aligned piece of native memory that holds nodes of one size. Under the lock of its class.
using System.Runtime.InteropServices;

namespace Garnet.Store.Collections.Trees;

/// <summary>Bookkeeping at the start of each span in use.</summary>
[StructLayout(LayoutKind.Sequential, Size = NodeClasses.SpanHeaderBytes)]
internal unsafe struct NodeSpan
{
    /// <summary>Neighbours among the class's spans with room.</summary>
    public NodeSpan* Previous;

    /// <inheritdoc cref="Previous"/>
    public NodeSpan* Next;

    /// <summary>Freed nodes; each begins with the address of the next.</summary>
    public byte* Free;

    /// <summary>The class of its nodes.</summary>
    public int SizeClass;

    /// <summary>Nodes in use.</summary>
    public int Used;

    /// <summary>Nodes ever handed out; those behind have not been touched.</summary>
    public int Carved;

    /// <summary>Nodes that fit.</summary>
    public int Capacity;

    /// <summary>The span a node lies in.</summary>
    public static NodeSpan* Of(void* node) => (NodeSpan*)((nuint)node & ~(nuint)(NodeClasses.SpanBytes - 1));
}
