// The events of commands for sets. Constants.
using Garnet.Engine.Events;

namespace Garnet.Commands.Sets;

/// <summary>The keyspace events of these commands.</summary>
internal static class SetEvents
{
    public static readonly KeyEvent Add = new(KeyEventClasses.Set, "sadd");

    public static readonly KeyEvent Remove = new(KeyEventClasses.Set, "srem") { PrecedesRemoval = true };

    public static readonly KeyEvent Pop = new(KeyEventClasses.Set, "spop") { PrecedesRemoval = true };

    public static readonly KeyEvent UnionStore = new(KeyEventClasses.Set, "sunionstore");

    public static readonly KeyEvent IntersectionStore = new(KeyEventClasses.Set, "sinterstore");

    public static readonly KeyEvent DifferenceStore = new(KeyEventClasses.Set, "sdiffstore");
}
