// Walks the groups of a stream. Lives on the stack; void after the next change.
namespace Garnet.Store;

/// <summary>Shows groups one by one, in the order in which they were made.</summary>
public ref struct StreamGroupEnumerator
{
    private readonly ReadOnlySpan<byte> _facts;
    private int _current;
    private int _next;

    internal StreamGroupEnumerator(ReadOnlySpan<byte> facts)
    {
        _facts = facts;
        _next = StreamFacts.Bytes;
    }

    /// <summary>The group stepped to.</summary>
    public readonly StreamGroup Current => new(_facts, _current);

    /// <summary>Itself.</summary>
    public readonly StreamGroupEnumerator GetEnumerator() => this;

    /// <summary>Steps to the next group.</summary>
    public bool MoveNext()
    {
        if (_next >= _facts.Length)
        {
            return false;
        }

        _current = _next;
        _next += StreamFacts.Size(_facts, _current);
        return true;
    }
}
