// A log that is loaded, whose commands are on disk already. Stateless.
using Garnet.Engine.Execution;

namespace Garnet.Server.Persistence.Replay;

/// <summary>Takes no effects.</summary>
internal sealed class NoSink : EffectSink
{
    /// <summary>The only one.</summary>
    public static readonly NoSink Instance = new();

    private NoSink() { }

    /// <inheritdoc/>
    public override bool IsOpen => false;

    /// <inheritdoc/>
    public override void Commit(ClientSession client, int database, ReadOnlySpan<byte> unit) { }
}
