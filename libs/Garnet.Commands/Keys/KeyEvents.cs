// The events of commands for keys of any type. Constants.
using Garnet.Engine.Events;

namespace Garnet.Commands.Keys;

/// <summary>The keyspace events of these commands, besides those that <see cref="KeyEvent"/> names.</summary>
internal static class KeyEvents
{
    public static readonly KeyEvent CopyTo = Of("copy_to");

    public static readonly KeyEvent MoveFrom = Of("move_from");

    public static readonly KeyEvent MoveTo = Of("move_to");

    public static readonly KeyEvent RenameFrom = Of("rename_from");

    public static readonly KeyEvent RenameTo = Of("rename_to");

    /// <summary>As in Valkey a key that is replaced counts as new.</summary>
    public static readonly KeyEvent Restore = new(KeyEventClasses.Generic, "restore") { IsOfNewKey = true };

    public static readonly KeyEvent SortStore = new(KeyEventClasses.List, "sortstore");

    private static KeyEvent Of(string name) => new(KeyEventClasses.Generic, name);
}
