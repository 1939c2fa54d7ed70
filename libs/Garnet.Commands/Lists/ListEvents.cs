// The events of commands for lists. Constants.
using Garnet.Engine.Events;

namespace Garnet.Commands.Lists;

/// <summary>The keyspace events of these commands.</summary>
internal static class ListEvents
{
    public static readonly KeyEvent Insert = new(KeyEventClasses.List, "linsert");

    public static readonly KeyEvent Remove = Removal("lrem");

    public static readonly KeyEvent Set = new(KeyEventClasses.List, "lset");

    public static readonly KeyEvent Trim = Removal("ltrim");

    private static readonly KeyEvent PushLeft = new(KeyEventClasses.List, "lpush");

    private static readonly KeyEvent PushRight = new(KeyEventClasses.List, "rpush");

    private static readonly KeyEvent PopLeft = Removal("lpop");

    private static readonly KeyEvent PopRight = Removal("rpop");

    /// <summary>An element was added at an end.</summary>
    public static KeyEvent PushAt(ListEnd end) => end == ListEnd.Left ? PushLeft : PushRight;

    /// <summary>Elements were taken from an end.</summary>
    public static KeyEvent PopAt(ListEnd end) => end == ListEnd.Left ? PopLeft : PopRight;

    private static KeyEvent Removal(string name) => new(KeyEventClasses.List, name) { PrecedesRemoval = true };
}
