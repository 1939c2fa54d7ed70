// Walks the consumers of a group. Lives on the stack; void after the next change.
namespace Garnet.Store;

/// <summary>Shows consumers one by one.</summary>
public ref struct StreamConsumerEnumerator
{
    private readonly ReadOnlySpan<byte> _facts;
    private readonly int _end;
    private int _current;
    private int _next;

    internal StreamConsumerEnumerator(ReadOnlySpan<byte> facts, int group)
    {
        _facts = facts;
        _next = StreamFacts.FirstConsumer(facts, group);
        _end = group + StreamFacts.Size(facts, group);
    }

    /// <summary>The consumer stepped to.</summary>
    public readonly StreamConsumer Current => new(_facts, _current);

    /// <summary>Steps to the next consumer.</summary>
    public bool MoveNext()
    {
        if (_next >= _end)
        {
            return false;
        }

        _current = _next;
        _next += StreamFacts.Size(_facts, _current);
        return true;
    }
}
