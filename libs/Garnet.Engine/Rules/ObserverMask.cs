// Who watches commands, as bits of the word that gates use as well. Immutable.
namespace Garnet.Engine.Rules;

/// <summary>One bit for each observer: set while it is on, in <see cref="Store.Conditions"/>, behind the bits of <see cref="GateMask"/>.</summary>
[Flags]
internal enum ObserverMask : uint
{
    /// <summary>No observer.</summary>
    None = 0,

    /// <summary>CLIENT TRACKING: a client is connected that has turned it on.</summary>
    Tracking = 1 << 24,

    /// <summary>Notifications about keys are published.</summary>
    Notifications = 1 << 25,

    /// <summary>A client is in monitor mode.</summary>
    Monitors = 1 << 26,

    /// <summary>A client waits for keys.</summary>
    Blocked = 1 << 27,

    /// <summary>All.</summary>
    All = Tracking | Notifications | Monitors | Blocked,
}
