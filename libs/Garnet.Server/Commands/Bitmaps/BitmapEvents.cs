// The events of commands for bitmaps. Constants.
using Garnet.Server.Notifications;

namespace Garnet.Server.Commands.Bitmaps;

/// <summary>The keyspace events of these commands.</summary>
internal static class BitmapEvents
{
    public static readonly KeyEvent SetBit = new(KeyEventClasses.String, "setbit");
}
