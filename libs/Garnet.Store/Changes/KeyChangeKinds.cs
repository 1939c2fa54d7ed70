// What follows from each kind of change. Pure functions, any thread.
using System.Runtime.CompilerServices;

namespace Garnet.Store.Changes;

/// <summary>The one place that says who reacts to which <see cref="KeyChangeKind"/>.</summary>
internal static class KeyChangeKinds
{
    /// <summary>Whether the change counts as one made by the running command, towards save points and the log.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsCounted(this KeyChangeKind kind) => kind is not (KeyChangeKind.Expired or KeyChangeKind.Evicted);

    /// <summary>Whether the key existed before the change and does not exist after it.</summary>
    public static bool IsRemoval(this KeyChangeKind kind) =>
        kind is KeyChangeKind.Removed or KeyChangeKind.Expired or KeyChangeKind.Evicted;

    /// <summary>Whether the change makes the EXEC of a client that watches the key fail.</summary>
    public static bool FailsWatch(this KeyChangeKind kind) =>
        kind is not (KeyChangeKind.Metadata or KeyChangeKind.GroupRemoved or KeyChangeKind.FieldsExpired or KeyChangeKind.LastFieldExpired);

    /// <summary>Whether clients that wait for the key must look at it again.</summary>
    public static bool WakesWaiters(this KeyChangeKind kind) => kind is not (KeyChangeKind.Reduced or KeyChangeKind.Metadata);
}
