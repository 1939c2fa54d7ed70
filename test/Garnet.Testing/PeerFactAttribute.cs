// Marks a test that needs other programs. Read by xunit's discovery; any thread.
using Xunit;

namespace Garnet.Testing;

/// <summary>A test that needs peers: skipped by name where one is missing, failed where peers are required.</summary>
/// <param name="peers">Names as <see cref="Peers.TryFind"/> knows them.</param>
public sealed class PeerFactAttribute(params string[] peers) : FactAttribute
{
    /// <summary>True for peers that continuous integration has not either (a Valkey build): always skipped when missing.</summary>
    public bool Optional { get; set; }

    /// <inheritdoc/>
    public override string? Skip
    {
        get
        {
            string[] missing = [.. peers.Where(peer => Peers.TryFind(peer) is null)];
            return missing.Length == 0 || (Peers.Required && !Optional) ? base.Skip : $"needs {string.Join(", ", missing)}";
        }
        set => base.Skip = value;
    }
}
