// The classes of events of keys, as notify-keyspace-events selects them. Plain values.
namespace Garnet.Engine.Events;

/// <summary>Each is a letter of the option; the first two say to which channel events are published.</summary>
[Flags]
internal enum KeyEventClasses
{
    /// <summary>Nothing is published.</summary>
    None = 0,

    /// <summary>K: published to the channel of the key, with the event as payload.</summary>
    KeyspaceChannel = 1 << 0,

    /// <summary>E: published to the channel of the event, with the key as payload.</summary>
    KeyEventChannel = 1 << 1,

    /// <summary>g: commands for keys of any type.</summary>
    Generic = 1 << 2,

    /// <summary>$: strings.</summary>
    String = 1 << 3,

    /// <summary>l: lists.</summary>
    List = 1 << 4,

    /// <summary>s: sets.</summary>
    Set = 1 << 5,

    /// <summary>h: hashes.</summary>
    Hash = 1 << 6,

    /// <summary>z: sorted sets.</summary>
    SortedSet = 1 << 7,

    /// <summary>x: a key, or fields of a hash, expired.</summary>
    Expired = 1 << 8,

    /// <summary>e: a key was evicted.</summary>
    Evicted = 1 << 9,

    /// <summary>t: streams.</summary>
    Stream = 1 << 10,

    /// <summary>m: a key that a command wanted to read does not exist. Not part of A.</summary>
    Missed = 1 << 11,

    /// <summary>d: types of modules.</summary>
    Module = 1 << 12,

    /// <summary>n: a key was created. Not part of A.</summary>
    New = 1 << 13,

    /// <summary>A.</summary>
    All = Generic | String | List | Set | Hash | SortedSet | Expired | Evicted | Stream | Module,
}
