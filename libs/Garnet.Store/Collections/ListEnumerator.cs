// Walks elements of a list in either direction. Lives on the stack; void after the next change.
namespace Garnet.Store;

/// <summary>Shows elements one by one.</summary>
public ref struct ListEnumerator
{
    private readonly ReadOnlySpan<byte> _bytes;
    private readonly PackedOffsets _offsets;
    private readonly bool _isReverse;
    private long _left;
    private int _next;
    private PackedElement _current;

    internal ListEnumerator(ReadOnlySpan<byte> bytes, ListView view, long first, long count, bool isReverse)
    {
        _bytes = bytes;
        _isReverse = isReverse;
        _left = Math.Max(0, Math.Min(count, isReverse ? first + 1 : view.Length - first));
        if (_left == 0)
        {
            return;
        }

        if (!isReverse)
        {
            _next = view.OffsetOf(first);
        }
        else
        {
            _offsets = new PackedOffsets(bytes, view.OffsetOf(first - _left + 1), (int)_left, 1);
        }
    }

    /// <summary>The element stepped to.</summary>
    public readonly ReadOnlySpan<byte> Current => _current.Span;

    /// <summary>Itself.</summary>
    public readonly ListEnumerator GetEnumerator() => this;

    /// <summary>Steps to the next element.</summary>
    public bool MoveNext()
    {
        if (_left <= 0)
        {
            return false;
        }

        _left--;
        int offset = _isReverse ? _offsets.At((int)_left) : _next;
        _current = PackedEntries.Read(_bytes, offset);
        if (!_isReverse && _left > 0)
        {
            _next = PackedEntries.Next(_bytes, offset);
        }

        return true;
    }
}
