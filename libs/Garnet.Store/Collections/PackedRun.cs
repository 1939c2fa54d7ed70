// Elements that lie one behind the other, as packed collections, leaves of lists and nodes of streams have them. Lives on the stack; void
// after the next change.
namespace Garnet.Store.Collections;

/// <summary>Shows the elements of a piece of a collection one by one.</summary>
public ref struct PackedRun
{
    private readonly ReadOnlySpan<byte> _bytes;
    private PackedElement _current;
    private int _next;

    internal PackedRun(ReadOnlySpan<byte> bytes) => _bytes = bytes;

    /// <summary>The element stepped to.</summary>
    public readonly PackedElement Current => _current;

    /// <summary>Itself.</summary>
    public readonly PackedRun GetEnumerator() => this;

    /// <summary>Steps to the next element.</summary>
    public bool MoveNext()
    {
        if (_next >= _bytes.Length)
        {
            return false;
        }

        _current = PackedEntries.Read(_bytes, _next, out _next);
        return true;
    }
}
