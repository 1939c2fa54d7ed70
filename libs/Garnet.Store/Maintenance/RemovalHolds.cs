// When the store must not remove keys on its own. Set before the store is used; asked by any thread.
namespace Garnet.Store.Maintenance;

/// <summary>
/// Asked only when a key would go. A key that has expired stays, though readers do not see it, while <see cref="Expired"/> returns true;
/// writers remove it in any case. While <see cref="Evicted"/> returns true nothing is evicted, and memory may exceed its limit.
/// </summary>
internal sealed class RemovalHolds
{
    private static readonly Func<bool> Never = static () => false;

    /// <summary>Whether expired keys stay now.</summary>
    public Func<bool> Expired { get; set; } = Never;

    /// <summary>Whether nothing is evicted now.</summary>
    public Func<bool> Evicted { get; set; } = Never;
}
