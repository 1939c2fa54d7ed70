// What has expired for a session. Part of a StoreSession; used by its thread.
using System.Runtime.CompilerServices;

namespace Garnet.Store;

/// <summary>The time by which keys and fields expire.</summary>
internal struct SessionExpiry
{
    /// <summary>
    /// Whether keys and fields count as live however late it is, because whoever writes through this session decides about expiry. Set
    /// outside of batches.
    /// </summary>
    public bool IsSuspended { get; set; }

    /// <summary>
    /// Whether the session's clock stands still at 0, so that an expiry that has passed is stored like any other. Set outside of batches.
    /// </summary>
    public bool StopsClock { get; set; }

    /// <summary>The time in Unix milliseconds; 0 while expiry is suspended.</summary>
    public long NowMs { get; private set; }

    /// <summary>As in Valkey, a key still exists in the millisecond of its expiry.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool IsPast(long expiresAtMs) => expiresAtMs >= 0 && NowMs > expiresAtMs;

    /// <summary>The session has read the clock.</summary>
    internal void Follow(long nowMs) => NowMs = IsSuspended ? 0 : nowMs;
}
