// A string that a command uses after it has released the key's latch. Owned by one command.
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>An unchanging view of a value: a counted reference to a large one, a copy of a smaller one.</summary>
internal sealed class StringOperand : IDisposable
{
    private readonly ValueBlock _block;
    private readonly byte[] _copy = [];

    /// <summary>Captures the value of a latched record that holds a string or is absent.</summary>
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
