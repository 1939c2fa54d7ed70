// The sizes in which nodes of trees are allocated. Immutable tables.
using System.Runtime.CompilerServices;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// Size classes of <see cref="NodeHeap"/>: each is a whole fraction of a span, so that no span has a tail without use. They lie closest
/// from 1 to 4 KiB, where leaves live, so that a leaf that grows from class to class is never much larger than what it holds.
/// </summary>
internal static class NodeClasses
{
    /// <summary>Spans are of this size and aligned to it.</summary>
    public const int SpanBytes = 64 * 1024;

    /// <summary>Bytes at the start of a span for its own bookkeeping.</summary>
    public const int SpanHeaderBytes = 64;

    /// <summary>The largest node.</summary>
    public const int MaxBytes = 16368;

    private const int Granule = 16;

    private static readonly ushort[] Sizes = BuildSizes();
    private static readonly byte[] ClassOf = BuildClasses();

    /// <summary>Number of classes.</summary>
    public static int Count => Sizes.Length;

    /// <summary>The class of the smallest nodes that hold so many bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Of(int bytes) => ClassOf[(bytes + Granule - 1) / Granule];

    /// <summary>The bytes of a class's nodes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int BytesOf(int sizeClass) => Sizes[sizeClass];

    /// <summary>What <see cref="Of"/> rounds a number of bytes up to.</summary>
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
        {
            sizes.Add(MaxBytes);
        }

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
