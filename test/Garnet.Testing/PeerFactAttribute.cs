// Marks a test that needs other programs. Read by xunit's discovery; any thread.
using Xunit;

namespace Garnet.Testing;

/// <summary>A test that needs peers: skipped if one is missing, or failed if peers are required.</summary>
/// <param name="peers">Names for <see cref="Peers.TryFind"/>.</param>
internal sealed class PeerFactAttribute(params string[] peers) : FactAttribute
{
    /// <summary>
    /// Whether the peer is missing in continuous integration too (a Valkey build), so that the test is skipped there as well.
    /// </summary>
    public bool Optional { get; set; }

    /// <inheritdoc/>
    public override string? Skip
    {
        get
        {
            string[] missing = [.. peers.Where(peer => Peers.TryFind(peer) is null)];
            return missing.Length == 0 || (Peers.Required && !Optional)
                ? base.Skip
                : $"needs {string.Join(", ", missing.Select(Peers.Describe))}";
        }
        set => base.Skip = value;
    }
}
