// The kinds of events of keys. Immutable.
using Garnet.Engine.Events;

namespace Garnet.Modules;

/// <summary>Which events of keys a module is told of; the letters are those of <c>notify-keyspace-events</c>.</summary>
[Flags]
public enum KeyEventKinds
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>g: commands for keys of any type, such as DEL and EXPIRE.</summary>
    Generic = KeyEventClasses.Generic,

    /// <summary>$: strings.</summary>
    String = KeyEventClasses.String,

    /// <summary>l: lists.</summary>
    List = KeyEventClasses.List,

    /// <summary>s: sets.</summary>
    Set = KeyEventClasses.Set,

    /// <summary>h: hashes.</summary>
    Hash = KeyEventClasses.Hash,

    /// <summary>z: sorted sets.</summary>
    SortedSet = KeyEventClasses.SortedSet,

    /// <summary>t: streams.</summary>
    Stream = KeyEventClasses.Stream,

    /// <summary>d: events of modules.</summary>
    Module = KeyEventClasses.Module,

    /// <summary>x: a key, or fields of a hash, expired.</summary>
    Expired = KeyEventClasses.Expired,

    /// <summary>e: a key was evicted.</summary>
    Evicted = KeyEventClasses.Evicted,

    /// <summary>m: a key that a command wanted to read does not exist.</summary>
    Missed = KeyEventClasses.Missed,

    /// <summary>n: a key was created.</summary>
    New = KeyEventClasses.New,
}
