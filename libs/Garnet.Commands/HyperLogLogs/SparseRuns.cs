// Reads the runs of a sparse sketch. Lives on the stack of one command; never reads outside the given bytes, even if they are corrupt.
namespace Garnet.Commands.HyperLogLogs;

/// <summary>
/// Runs of equal registers: <c>00nnnnnn</c> n+1 zeros, <c>01nnnnnn nnnnnnnn</c> n+1 zeros, <c>1vvvvvnn</c> n+1 registers of value v+1. A
/// long run of zeros truncated after its first byte is read as if a zero byte followed.
/// </summary>
internal ref struct SparseRuns
{
    public const int MaxValue = 32;
    public const int MaxValueRun = 4;
    public const int MaxShortZeroRun = 64;
    private const byte LongZeros = 0x40;
    private const byte Values = 0x80;

    private readonly ReadOnlySpan<byte> _bytes;
    private int _next;

    /// <summary>Positions the reader before the first run of a sketch.</summary>
    public SparseRuns(ReadOnlySpan<byte> sketch)
    {
        _bytes = sketch;
        _next = SketchFormat.HeaderBytes;
    }

    /// <summary>Value of the registers in the current run.</summary>
    public int Value { get; private set; }

    /// <summary>Number of registers in the current run.</summary>
    public int Length { get; private set; }

    /// <summary>Whether the current run is encoded in two bytes.</summary>
    public bool IsLong { get; private set; }

    /// <summary>Offset of the current run in the sketch.</summary>
    public int Offset { get; private set; }

    /// <summary>Moves to the next run; false at the end.</summary>
    public bool MoveNext()
    {
        if (_next >= _bytes.Length)
            return false;
        Offset = _next;
        byte code = _bytes[_next++];
        IsLong = (code & 0xC0) == LongZeros;
        if (IsLong)
        {
            int low = _next < _bytes.Length ? _bytes[_next] : 0;
            _next++;
            (Value, Length) = (0, (((code & 0x3F) << 8) | low) + 1);
        }
        else
        {
            (Value, Length) = code < Values ? (0, code + 1) : (((code >> 2) & 0x1F) + 1, (code & 3) + 1);
        }

        return true;
    }

    /// <summary>Adds the registers to a histogram of their values; false if the runs do not cover the registers exactly.</summary>
    public static bool TryAddTo(Span<int> histogram, ReadOnlySpan<byte> sketch)
    {
        SparseRuns runs = new(sketch);
        int register = 0;
        while (runs.MoveNext())
        {
            register += runs.Length;
            if (register > SketchFormat.Registers)
                return false;
            histogram[runs.Value] += runs.Length;
        }

        return register == SketchFormat.Registers;
    }

    /// <summary>
    /// Raises plain registers, one byte each, to those of the runs; false if the runs do not cover the registers exactly.
    /// </summary>
    public static bool TryMergeInto(Span<byte> plain, ReadOnlySpan<byte> sketch)
    {
        SparseRuns runs = new(sketch);
        int register = 0;
        while (runs.MoveNext())
        {
            if (register + runs.Length > SketchFormat.Registers)
                return false;
            if (runs.Value > 0)
            {
                foreach (ref byte value in plain.Slice(register, runs.Length))
                    value = (byte)Math.Max(value, runs.Value);
            }

            register += runs.Length;
        }

        return register == SketchFormat.Registers;
    }

    /// <summary>Writes a run and returns the number of bytes it took, 1 or 2.</summary>
    public static int Write(Span<byte> target, int value, int length)
    {
        if (value > 0)
        {
            target[0] = (byte)(Values | ((value - 1) << 2) | (length - 1));
            return 1;
        }

        if (length <= MaxShortZeroRun)
        {
            target[0] = (byte)(length - 1);
            return 1;
        }

        target[0] = (byte)(LongZeros | ((length - 1) >> 8));
        target[1] = (byte)(length - 1);
        return 2;
    }

    /// <summary>Whether a byte begins a run of values.</summary>
    public static bool IsValues(byte code) => code >= Values;

    /// <summary>Whether a byte begins a two-byte run of zeros.</summary>
    public static bool IsLongZeros(byte code) => (code & 0xC0) == LongZeros;
}
