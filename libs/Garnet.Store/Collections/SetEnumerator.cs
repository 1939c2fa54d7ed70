// Walks the members of a set. Lives on the stack; void after the next change.
namespace Garnet.Store;

/// <summary>Shows the members one by one.</summary>
public ref struct SetEnumerator
{
    private readonly ReadOnlySpan<byte> _bytes;
    private readonly int _integers;
    private int _next;
    private PackedElement _current;

    internal SetEnumerator(ReadOnlySpan<byte> bytes, SetView view)
    {
        _bytes = bytes;
        _integers = view.IsIntegers ? IntegerArray.Count(bytes) : -1;
        _next = _integers >= 0 ? 0 : PackedForm.HeaderBytes;
    }

    /// <summary>The member stepped to.</summary>
    public readonly ReadOnlySpan<byte> Current => _current.Span;

    /// <summary>Steps to the next member.</summary>
    public bool MoveNext()
    {
        if (_integers >= 0)
        {
            if (_next >= _integers)
            {
                return false;
            }

            _current = new PackedElement(IntegerArray.At(_bytes, _next++));
            return true;
        }

        if (_next >= _bytes.Length)
        {
            return false;
        }

        _current = PackedEntries.Read(_bytes, _next);
        _next = PackedEntries.Next(_bytes, _next);
        return true;
    }
}
