// A string that a command works on after it has let go of the key's latch. Owned by one command.
using Garnet.Store;

namespace Garnet.Server.Commands.Strings;

/// <summary>The bytes of a value as they were: a counted reference to a large one, a copy of others.</summary>
internal sealed class StringOperand : IDisposable
{
    private readonly ValueBlock _block;
    private readonly byte[] _copy = [];

    /// <summary>Takes the value of a latched record that holds a string, or is absent.</summary>
    public StringOperand(in RecordHandle record)
    {
        if (record.Exists && !record.TryReferenceBlock(out _block))
            _copy = record.Value.ToArray();
    }

    /// <summary>The bytes.</summary>
    public ReadOnlySpan<byte> Span => _block.Length != 0 ? _block.Span : _copy;

    /// <summary>Number of bytes.</summary>
    public int Length => Span.Length;

    /// <inheritdoc/>
    public void Dispose() => _block.Release();
}
