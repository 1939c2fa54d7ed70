// The events of commands for bitmaps. Constants.
using Garnet.Server.Notifications;

namespace Garnet.Server.Commands.Bitmaps;

/// <summary>What is told in notifications.</summary>
internal static class BitmapEvents
{
    public static readonly KeyEvent SetBit = new(KeyEventClasses.String, "setbit");
}
