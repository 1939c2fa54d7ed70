// A string that a command works on after it has let go of the key's latch. Owned by one command.
using Garnet.Store;

namespace Garnet.Server.Commands.Strings;

/// <summary>The bytes of a value as they were: a counted reference to a large one, a copy of others.</summary>
internal sealed class StringOperand : IDisposable
{
    private readonly ValueBlock block;
    private readonly byte[] copy = [];

    /// <summary>Takes the value of a latched record that holds a string, or is absent.</summary>
    public StringOperand(in RecordHandle record)
    {
        if (record.Exists && !record.TryReferenceBlock(out block))
            copy = record.Value.ToArray();
    }

    /// <summary>The bytes.</summary>
    public ReadOnlySpan<byte> Span => block.Length != 0 ? block.Span : copy;

    /// <summary>Number of bytes.</summary>
    public int Length => Span.Length;

    /// <inheritdoc/>
    public void Dispose() => block.Release();
}
