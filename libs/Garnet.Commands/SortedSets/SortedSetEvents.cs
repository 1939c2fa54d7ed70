// The events of commands for sorted sets. Constants.
using Garnet.Engine.Events;

namespace Garnet.Commands.SortedSets;

/// <summary>The keyspace events of these commands.</summary>
internal static class SortedSetEvents
{
    public static readonly KeyEvent Add = new(KeyEventClasses.SortedSet, "zadd");

    public static readonly KeyEvent Increment = new(KeyEventClasses.SortedSet, "zincr");

    public static readonly KeyEvent Remove = Removal("zrem");

    public static readonly KeyEvent RemoveByRank = Removal("zremrangebyrank");

    public static readonly KeyEvent RemoveByScore = Removal("zremrangebyscore");

    public static readonly KeyEvent RemoveByLex = Removal("zremrangebylex");

    public static readonly KeyEvent RangeStore = new(KeyEventClasses.SortedSet, "zrangestore");

    public static readonly KeyEvent UnionStore = new(KeyEventClasses.SortedSet, "zunionstore");

    public static readonly KeyEvent IntersectionStore = new(KeyEventClasses.SortedSet, "zinterstore");

    public static readonly KeyEvent DifferenceStore = new(KeyEventClasses.SortedSet, "zdiffstore");

    private static readonly KeyEvent PopMin = Removal("zpopmin");

    private static readonly KeyEvent PopMax = Removal("zpopmax");

    /// <summary>Members were taken from an end.</summary>
    public static KeyEvent PopAt(bool isMax) => isMax ? PopMax : PopMin;

    private static KeyEvent Removal(string name) => new(KeyEventClasses.SortedSet, name) { PrecedesRemoval = true };
}
