// Walks the fields of a hash. Lives on the stack; void after the next change.
namespace Garnet.Store;

/// <summary>Shows the visible fields one by one.</summary>
public ref struct HashEnumerator
{
    private readonly HashView _view;
    private readonly int _end;
    private int _next;
    private HashField _current;

    internal HashEnumerator(ReadOnlySpan<byte> bytes, HashView view)
    {
        _view = view;
        _end = bytes.Length;
        _next = view.Start;
    }

    /// <summary>The field stepped to.</summary>
    public readonly HashField Current => _current;

    /// <summary>Steps to the next visible field.</summary>
    public bool MoveNext()
    {
        while (_next < _end)
        {
            _current = _view.At(_next, out _next);
            if (!_view.IsExpired(_current.ExpiresAtMs))
            {
                return true;
            }
        }

        return false;
    }
}
