// The sizes in which nodes of trees are allocated. Immutable tables.
using System.Runtime.CompilerServices;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// Size classes of <see cref="NodeHeap"/>: each divides a span evenly, so that no span has an unused tail. They are most closely spaced
/// from 1 to 4 KiB, the usual size of leaves, so that a leaf that grows from class to class is never much larger than its contents.
/// </summary>
internal static class NodeClasses
{
    /// <summary>Size and alignment of spans.</summary>
    public const int SpanBytes = 64 * 1024;

    /// <summary>Bytes at the start of a span for its own bookkeeping.</summary>
    public const int SpanHeaderBytes = 64;

    /// <summary>Size of the largest node.</summary>
    public const int MaxBytes = 16368;

    private const int Granule = 16;

    private static readonly ushort[] Sizes = BuildSizes();
    private static readonly byte[] ClassOf = BuildClasses();

    /// <summary>Number of classes.</summary>
    public static int Count => Sizes.Length;

    /// <summary>The smallest class whose nodes hold that many bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Of(int bytes) => ClassOf[(bytes + Granule - 1) / Granule];

    /// <summary>The node size of a class.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int BytesOf(int sizeClass) => Sizes[sizeClass];

    /// <summary>Rounds a size up to that of its class (see <see cref="Of"/>).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Round(int bytes) => BytesOf(Of(bytes));

    private static ushort[] BuildSizes()
    {
        const int room = SpanBytes - SpanHeaderBytes;
        var sizes = new List<ushort>();
        int wanted = 64;
        while (wanted <= MaxBytes)
        {
            int size = room / (room / wanted) / Granule * Granule;
            sizes.Add((ushort)size);
            wanted = size + Math.Max(2 * Granule, size is >= 1024 and < 4096 ? size / 15 : size / 8);
        }

        if (sizes[^1] != MaxBytes)
            sizes.Add(MaxBytes);

        return [.. sizes];
    }

    private static byte[] BuildClasses()
    {
        byte[] classes = new byte[(MaxBytes / Granule) + 1];
        int sizeClass = 0;
        for (int i = 0; i < classes.Length; i++)
        {
            sizeClass += i * Granule > Sizes[sizeClass] ? 1 : 0;
            classes[i] = (byte)sizeClass;
        }

        return classes;
    }
}
