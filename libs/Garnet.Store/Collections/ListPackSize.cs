// The size an element would have in Valkey's listpack; decides which encoding a list reports. Pure functions.
namespace Garnet.Store.Collections;

/// <summary>Sizes in Valkey's listpack format (listpack.c): one or more encoding bytes, the data, the backward length.</summary>
internal static class ListPackSize
{
    /// <summary>Size of an empty listpack in bytes.</summary>
    public const int Empty = 7;

    public static long Of(ReadOnlySpan<byte> element) =>
        ElementCode.TryParseInteger(element, out long integer) ? OfInteger(integer) : OfText(element.Length);

    public static long Of(PackedElement element) => element.IsInteger ? OfInteger(element.Integer) : OfText(element.Length);

    public static long OfInteger(long value) =>
        1
        + value switch
        {
            >= 0 and <= 127 => 1,
            >= -4096 and <= 4095 => 2,
            >= short.MinValue and <= short.MaxValue => 3,
            >= -(1 << 23) and < 1 << 23 => 4,
            >= int.MinValue and <= int.MaxValue => 5,
            _ => 9,
        };

    private static long OfText(int length)
    {
        long forwards =
            length
            + (
                length < 64 ? 1
                : length < 4096 ? 2
                : 5
            );
        return forwards
            + (
                forwards <= 127 ? 1
                : forwards <= 16383 ? 2
                : forwards <= 2097151 ? 3
                : forwards <= 268435455 ? 4
                : 5
            );
    }
}
