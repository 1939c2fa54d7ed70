// An event of a key, by its name. Immutable, any thread.
using System.Text;

namespace Garnet.Engine.Events;

/// <summary>
/// A command declares the event of the keys that it changes in its descriptor; those of one family that share events declare them in one
/// place. These here belong to no family.
/// </summary>
internal sealed class KeyEvent(KeyEventClasses classOf, string name)
{
    /// <summary>A command removed the key.</summary>
    public static readonly KeyEvent Del = new(KeyEventClasses.Generic, "del");

    /// <summary>The key did not exist and does now.</summary>
    public static readonly KeyEvent New = new(KeyEventClasses.New, "new");

    /// <summary>The key was given an expiry.</summary>
    public static readonly KeyEvent Expire = new(KeyEventClasses.Generic, "expire");

    /// <summary>The key lost its expiry.</summary>
    public static readonly KeyEvent Persist = new(KeyEventClasses.Generic, "persist");

    /// <summary>The key has expired.</summary>
    public static readonly KeyEvent Expired = new(KeyEventClasses.Expired, "expired");

    /// <summary>The key was evicted.</summary>
    public static readonly KeyEvent Evicted = new(KeyEventClasses.Evicted, "evicted");

    /// <summary>A command looked up a key that does not exist.</summary>
    public static readonly KeyEvent Missed = new(KeyEventClasses.Missed, "keymiss");

    /// <summary>A string was set.</summary>
    public static readonly KeyEvent Set = new(KeyEventClasses.String, "set");

    /// <summary>Fields of a hash have expired, found by maintenance.</summary>
    public static readonly KeyEvent FieldsExpired = new(KeyEventClasses.Expired, "hexpired");

    /// <summary>The class that decides whether the event is published.</summary>
    public KeyEventClasses Class { get; } = classOf;

    /// <summary>The name, in ASCII.</summary>
    public byte[] Name { get; } = Encoding.ASCII.GetBytes(name);

    /// <summary>Whether it is also published, before "del", for a key that loses its last element.</summary>
    public bool PrecedesRemoval { get; init; }

    /// <summary>Whether the key counts as a new one even where it replaces another, so that "new" comes first.</summary>
    public bool IsOfNewKey { get; init; }

    /// <inheritdoc/>
    public override string ToString() => Encoding.ASCII.GetString(Name);
}
