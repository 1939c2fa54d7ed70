// Contiguous elements of a packed collection, a list's leaf or a stream's node. Lives on the stack; invalid after the next change.
namespace Garnet.Store.Collections;

/// <summary>Enumerates the elements of a section of a collection.</summary>
internal ref struct PackedRun
{
    private readonly ReadOnlySpan<byte> _bytes;
    private PackedElement _current;
    private int _next;

    internal PackedRun(ReadOnlySpan<byte> bytes) => _bytes = bytes;

    /// <summary>The current element.</summary>
    public readonly PackedElement Current => _current;

    /// <summary>Returns itself, for foreach.</summary>
    public readonly PackedRun GetEnumerator() => this;

    /// <summary>Moves to the next element.</summary>
    public bool MoveNext()
    {
        if (_next >= _bytes.Length)
            return false;

        _current = PackedEntries.Read(_bytes, _next, out _next);
        return true;
    }
}
