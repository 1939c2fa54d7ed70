// How a signal ends the server. Immutable, any thread.
namespace Garnet;

/// <summary>How a signal ends the server; the words of SHUTDOWN.</summary>
[Flags]
public enum ShutdownModifiers
{
    /// <summary>With a final snapshot when snapshots are scheduled; the server keeps running when it fails.</summary>
    Default = 0,

    /// <summary>With a final snapshot.</summary>
    Save = 1,

    /// <summary>Without one.</summary>
    NoSave = 2,

    /// <summary>Without waiting for replicas.</summary>
    Now = 4,

    /// <summary>Even when the final snapshot fails.</summary>
    Force = 8,

    /// <summary>Not while that would endanger a cluster; there is none.</summary>
    Safe = 16,

    /// <summary>After a replica has taken over: there are none.</summary>
    Failover = 32,
}
