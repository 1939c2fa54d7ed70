// Format strings of binary layouts. Used by the thread that runs the state.
using Garnet.Lua.Execution;

namespace Garnet.Lua.Libraries;

/// <summary>Reads one option after the other, with its size and the padding that its alignment needs.</summary>
internal ref struct StructFormat(NativeCall call, ReadOnlySpan<byte> format)
{
    /// <summary>The largest integer.</summary>
    public const int MaxIntegerBytes = 32;

    private const int MaxAlignment = 8;

    private readonly ReadOnlySpan<byte> _format = format;
    private int _position;
    private int _alignment = 1;

    public int Option { get; private set; }

    public int Size { get; private set; }

    public int Padding { get; private set; }

    public bool IsLittleEndian { get; private set; } = true;

    /// <summary>Reads the next option, whose element begins at the given offset; false at the end.</summary>
    public bool Next(long offset)
    {
        if (_position >= _format.Length || _format[_position] == 0)
            return false;
        Option = _format[_position++];
        Size = ReadSize();
        Padding = 0;
        if (Size != 0 && Option != 'c')
        {
            int size = Math.Min(Size, _alignment);
            Padding = (int)((size - (offset & (size - 1))) & (size - 1));
        }

        return true;
    }

    /// <summary>Obeys an option that stands for no element.</summary>
    /// <exception cref="LuaException">It is unknown.</exception>
    public void Control()
    {
        switch (Option)
        {
            case ' ':
                break;
            case '>':
                IsLittleEndian = false;
                break;
            case '<':
                IsLittleEndian = true;
                break;
            case '!':
                int alignment = ReadNumber(MaxAlignment);
                if (alignment <= 0 || !int.IsPow2(alignment))
                    throw call.Error($"alignment {alignment} is not a power of 2");
                _alignment = alignment;
                break;
            default:
                throw call.ArgumentError(1, $"invalid format option '{(char)Option}'");
        }
    }

    private int ReadSize()
    {
        switch (Option)
        {
            case 'B' or 'b' or 'x':
                return 1;
            case 'H' or 'h':
                return 2;
            case 'L' or 'l' or 'T' or 'd':
                return 8;
            case 'f':
                return 4;
            case 'c':
                return ReadNumber(1);
            case 'i' or 'I':
                int size = ReadNumber(4);
                return size > MaxIntegerBytes ? throw call.Error($"integral size {size} is larger than limit of {MaxIntegerBytes}") : size;
            default:
                return 0;
        }
    }

    private int ReadNumber(int otherwise)
    {
        if (_position >= _format.Length || !CharacterClass.IsDigit(_format[_position]))
            return otherwise;
        long value = 0;
        for (; _position < _format.Length && CharacterClass.IsDigit(_format[_position]); _position++)
        {
            value = (value * 10) + _format[_position] - '0';
            if (value > int.MaxValue)
                throw call.Error("integral size overflow");
        }

        return (int)value;
    }
}
