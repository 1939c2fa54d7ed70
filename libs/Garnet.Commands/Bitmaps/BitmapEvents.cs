// The events of commands for bitmaps. Constants.
using Garnet.Engine.Events;

namespace Garnet.Commands.Bitmaps;

/// <summary>The keyspace events of these commands.</summary>
internal static class BitmapEvents
{
    public static readonly KeyEvent SetBit = new(KeyEventClasses.String, "setbit");
}
