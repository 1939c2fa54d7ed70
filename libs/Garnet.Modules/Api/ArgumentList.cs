// The last arguments of a call. Lives on the stack.
using Garnet.Modules.Running;

namespace Garnet.Modules;

/// <summary>The arguments from one on, of which there may be none; with <see cref="KeyAttribute"/>, the names of keys.</summary>
public readonly ref struct ArgumentList
{
    private readonly ref byte _context;
    private readonly int _first;

    internal ArgumentList(ref byte context, int first)
    {
        _context = ref context;
        _first = first;
    }

    /// <summary>The number of arguments.</summary>
    public int Count => ContextReference.Of(ref _context).Count - _first;

    /// <summary>The bytes of one of them; 0 is the first.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such argument.</exception>
    public ReadOnlySpan<byte> this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfNegative(index);
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, Count);
            return ContextReference.Of(ref _context)[_first + index];
        }
    }

    /// <summary>The arguments in their order, for <c>foreach</c>.</summary>
    public Enumerator GetEnumerator() => new(this);

    /// <summary>Enumerates the arguments.</summary>
    public ref struct Enumerator
    {
        private readonly ArgumentList _list;
        private int _index;

        internal Enumerator(ArgumentList list)
        {
            _list = list;
            _index = -1;
        }

        /// <summary>The current argument.</summary>
        public readonly ReadOnlySpan<byte> Current => _list[_index];

        /// <summary>Goes to the next one; false after the last.</summary>
        public bool MoveNext() => ++_index < _list.Count;
    }
}
