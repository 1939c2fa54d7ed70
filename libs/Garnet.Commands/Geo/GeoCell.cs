// A cell of the grid on which positions are encoded. Immutable.
namespace Garnet.Commands.Geo;

/// <summary>
/// A cell of a grid of 2^Step by 2^Step: the bits of its row (latitude, even bits) and column (longitude, odd bits) interleaved. A position
/// is the cell at <see cref="MaxSteps"/>, and its 52 bits are the score in the sorted set, so each coarser cell is a range of scores.
/// </summary>
internal readonly record struct GeoCell(ulong Bits, int Step)
{
    /// <summary>The step of an encoded position.</summary>
    public const int MaxSteps = 26;

    private const ulong LatitudeBits = 0x5555555555555555;
    private const ulong LongitudeBits = 0xAAAAAAAAAAAAAAAA;

    /// <summary>Whether this is the default value, which stands for no cell.</summary>
    public bool IsNone => Bits == 0 && Step == 0;

    /// <summary>The lowest score in the cell.</summary>
    public double FirstScore => Bits << (2 * (MaxSteps - Step));

    /// <summary>The lowest score above the cell.</summary>
    public double EndScore => (Bits + 1) << (2 * (MaxSteps - Step));

    /// <summary>The cell that contains a point, on a grid over the bounds.</summary>
    public static GeoCell Of(GeoPoint point, int step, GeoBounds bounds)
    {
        double latitude = (point.Latitude - bounds.South) / (bounds.North - bounds.South) * (1UL << step);
        double longitude = (point.Longitude - bounds.West) / (bounds.East - bounds.West) * (1UL << step);
        return new GeoCell(Spread((uint)latitude) | (Spread((uint)longitude) << 1), step);
    }

    /// <summary>The score of a position.</summary>
    public static double ScoreOf(GeoPoint point) => Of(point, MaxSteps, GeoBounds.Coded).Bits;

    /// <summary>
    /// The position that a score encodes: the centre of its cell. Every number is valid, because any number can be a score.
    /// </summary>
    public static GeoPoint Decode(double score)
    {
        // Converts as x64 processors do: negative numbers wrap around, and numbers out of range become the lowest integer.
        const double top = 9223372036854775808.0;
        ulong bits =
            score < -top ? 1UL << 63
            : score < top ? (ulong)(long)score
            : score < 2 * top ? (ulong)(long)(score - top) ^ (1UL << 63)
            : 0;
        GeoBounds area = new GeoCell(bits, MaxSteps).Area;
        return new GeoPoint(
            Math.Clamp((area.West + area.East) / 2, -GeoPoint.MaxLongitude, GeoPoint.MaxLongitude),
            Math.Clamp((area.South + area.North) / 2, -GeoPoint.MaxLatitude, GeoPoint.MaxLatitude)
        );
    }

    /// <summary>The area that the cell covers.</summary>
    public GeoBounds Area
    {
        get
        {
            GeoBounds all = GeoBounds.Coded;
            uint row = Gather(Bits);
            uint column = Gather(Bits >> 1);
            double height = all.North - all.South;
            double width = all.East - all.West;
            double cells = 1UL << Step;
            return new GeoBounds(
                all.West + (column / cells * width),
                all.South + (row / cells * height),
                all.West + ((column + 1) / cells * width),
                all.South + ((row + 1) / cells * height)
            );
        }
    }

    /// <summary>
    /// The cell that is this many columns to the east and rows to the north (each -1, 0 or 1), wrapping around the Earth.
    /// </summary>
    public GeoCell Neighbour(int east, int north) => new(Move(LongitudeBits, east) | Move(LatitudeBits, north), Step);

    private ulong Mask => ulong.MaxValue >> (64 - (2 * Step));

    // Increments or decrements the number in every other bit: the bits in between are set or cleared so that the carry passes through them.
    private ulong Move(ulong own, int by)
    {
        ulong part = Bits & own;
        ulong between = ~own & Mask;
        return by switch
        {
            > 0 => (part + between + 1) & own & Mask,
            < 0 => ((part | between) - (between + 1)) & own & Mask,
            _ => part,
        };
    }

    private static ulong Spread(uint value)
    {
        ulong bits = value;
        bits = (bits | (bits << 16)) & 0x0000FFFF0000FFFF;
        bits = (bits | (bits << 8)) & 0x00FF00FF00FF00FF;
        bits = (bits | (bits << 4)) & 0x0F0F0F0F0F0F0F0F;
        bits = (bits | (bits << 2)) & 0x3333333333333333;
        return (bits | (bits << 1)) & 0x5555555555555555;
    }

    private static uint Gather(ulong bits)
    {
        bits &= 0x5555555555555555;
        bits = (bits | (bits >> 1)) & 0x3333333333333333;
        bits = (bits | (bits >> 2)) & 0x0F0F0F0F0F0F0F0F;
        bits = (bits | (bits >> 4)) & 0x00FF00FF00FF00FF;
        bits = (bits | (bits >> 8)) & 0x0000FFFF0000FFFF;
        return (uint)(bits | (bits >> 16));
    }
}
