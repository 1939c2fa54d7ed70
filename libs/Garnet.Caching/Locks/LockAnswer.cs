// The server's answer to an owner that wants a lock. A plain value.
namespace Garnet.Caching.Locks;

/// <summary>Taken, or not.</summary>
/// <param name="Owner">Who asked.</param>
/// <param name="Held">What stands under the lock's key; null when it was not taken.</param>
/// <param name="Token">The fencing token of a lock that was taken.</param>
/// <param name="LeftMs">Milliseconds that are left of another's lease; -2 when that is not known.</param>
/// <param name="IsContended">Whether others may be waiting, as far as the owner has seen.</param>
internal readonly record struct LockAnswer(string Owner, string? Held, long Token, long LeftMs, bool IsContended)
{
    /// <summary>Whether it was taken.</summary>
    public bool IsTaken => Held is not null;
}
