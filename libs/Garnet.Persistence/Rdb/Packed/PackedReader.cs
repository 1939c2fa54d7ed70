// Reads a packed list of any layout front to back, checking every length before use. Lives on the stack.
namespace Garnet.Persistence.Rdb.Packed;

/// <summary>Reads an untrusted listpack, ziplist or zipmap. An invalid blob throws an <see cref="RdbFormatException"/>.</summary>
internal ref struct PackedReader
{
    private readonly ReadOnlySpan<byte> _blob;
    private readonly PackedForm _form;
    private readonly long _offset;
    private readonly byte[] _numbers;
    private readonly int _announced;
    private int _position;
    private int _previous;

    /// <summary>
    /// Opens a blob; <paramref name="offset"/> is its position for error messages, <paramref name="numbers"/> a buffer for the text of a
    /// number.
    /// </summary>
    public PackedReader(PackedForm form, ReadOnlySpan<byte> blob, long offset, byte[] numbers)
    {
        _numbers = numbers;
        _blob = blob;
        _form = form;
        _offset = offset;
        bool isOpen = form switch
        {
            PackedForm.ListPack => ListPack.TryOpen(blob, out _position, out _announced),
            PackedForm.ZipList => ZipList.TryOpen(blob, out _position, out _announced),
            _ => ZipMap.TryOpen(blob, out _position, out _announced),
        };
        if (!isOpen)
            throw Damaged();
    }

    /// <summary>Size of the blob.</summary>
    public readonly int Bytes => _blob.Length;

    /// <summary>Elements read so far.</summary>
    public int Count { get; private set; }

    /// <summary>
    /// Reads the next element; false at the end. Numbers are written into <paramref name="digits"/>, which must outlive the element.
    /// </summary>
    public bool MoveNext(byte[] digits, out PackedElement element)
    {
        element = default;
        if (_position == _blob.Length - 1)
        {
            if (
                (_announced >= 0 && _announced != Count)
                || (_form == PackedForm.ZipList && Count > 0 && ZipList.LastOf(_blob) != _position - _previous)
            )
            {
                throw Damaged();
            }

            return false;
        }

        bool isRead = _form switch
        {
            PackedForm.ListPack => ListPack.TryRead(_blob, ref _position, digits, out element),
            PackedForm.ZipList => ZipList.TryRead(_blob, ref _position, ref _previous, digits, out element),
            _ => ZipMap.TryRead(_blob, ref _position, isValue: (Count & 1) != 0, out element),
        };
        if (!isRead)
            throw Damaged();
        Count++;
        return true;
    }

    /// <summary>Reads the next element, which must be there.</summary>
    public PackedElement Next(byte[] digits) => MoveNext(digits, out PackedElement element) ? element : throw Damaged();

    /// <summary>Reads the next element, which must be a number.</summary>
    public long NextInteger()
    {
        byte[] digits = _numbers;
        return MoveNext(digits, out PackedElement element) && element.IsInteger ? element.Integer : throw Damaged();
    }

    /// <summary>The exception to throw when the elements are invalid.</summary>
    public readonly RdbFormatException Damaged() =>
        new(
            _offset,
            _form switch
            {
                PackedForm.ListPack => "A listpack is damaged",
                PackedForm.ZipList => "A ziplist is damaged",
                _ => "A zipmap is damaged",
            }
        );
}
