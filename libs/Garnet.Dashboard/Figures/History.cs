// The last hour. Written by one thread; read by any.
using System.Buffers.Binary;

namespace Garnet.Dashboard.Figures;

/// <summary>A ring of 3,600 rows, one a second, in less than 1 MB; what is not known is NaN.</summary>
internal sealed class History
{
    /// <summary>Rows, and seconds.</summary>
    public const int Seconds = 3600;

    /// <summary>Bytes before the values of what <see cref="Export"/> makes; zeros are a history of no rows.</summary>
    public const int HeaderBytes = 24;

    // A clock that is corrected a little costs no history.
    private const int MaxStepBack = 5;

    private static readonly int Latencies = FigureList.Count - FigureList.AllLatency;

    private readonly Lock _gate = new();

    // Row by row, the columns before the latencies.
    private readonly float[] _values = new float[Seconds * FigureList.AllLatency];

    // Of a latency the upper half of the number is kept: it is a power of two, or none, whose lower half is 0.
    private readonly ushort[] _latencies = new ushort[Seconds * Latencies];
    private long _first = long.MaxValue;
    private long _last = -1;

    /// <summary>Bytes of the ring.</summary>
    public int Bytes => (_values.Length * sizeof(float)) + (_latencies.Length * sizeof(ushort));

    /// <summary>Notes a row; seconds that were left out since the last one are unknown.</summary>
    /// <param name="second">
    /// Unix time; a second that is not after the last one replaces it. Once the clock has been set back by more, there is a new history.
    /// </param>
    /// <param name="row">A value for each column.</param>
    public void Add(long second, ReadOnlySpan<float> row)
    {
        lock (_gate)
        {
            if (second < _last - MaxStepBack)
                (_first, _last) = (long.MaxValue, -1);
            if (_last >= 0)
            {
                second = Math.Max(second, _last);
                for (long missing = Math.Max(_last + 1, second - Seconds + 1); missing < second; missing++)
                    Forget(missing);
            }

            Put(second, row);
            _last = second;
            _first = Math.Max(Math.Min(_first, second), second - Seconds + 1);
        }
    }

    /// <summary>
    /// The rows of the last seconds, each the mean of some, for latencies the maximum: little-endian, the number of rows and of columns
    /// (each 32 bits), the Unix time of the first and the seconds between two (each 64 bits), then the values as floats, row by row.
    /// </summary>
    /// <param name="seconds">How far back.</param>
    /// <param name="step">Seconds in a row.</param>
    /// <param name="isShown">Which columns the reader may see; the others are NaN.</param>
    public byte[] Export(int seconds, int step, Func<int, bool> isShown)
    {
        lock (_gate)
        {
            long from = _last < 0 ? 0 : Math.Max(_first, _last + 1 - seconds);
            int rows = _last < 0 ? 0 : (int)((_last - from + step) / step);
            byte[] bytes = new byte[HeaderBytes + (rows * FigureList.Count * sizeof(float))];
            BinaryPrimitives.WriteInt32LittleEndian(bytes, rows);
            BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(4), FigureList.Count);
            BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(8), from);
            BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(16), step);
            Span<byte> values = bytes.AsSpan(HeaderBytes);
            for (int row = 0; row < rows; row++)
            {
                long begin = from + ((long)row * step);
                for (int column = 0; column < FigureList.Count; column++)
                {
                    float value = isShown(column) ? Combine(column, begin, Math.Min(begin + step, _last + 1)) : float.NaN;
                    BinaryPrimitives.WriteSingleLittleEndian(values[(((row * FigureList.Count) + column) * sizeof(float))..], value);
                }
            }

            return bytes;
        }
    }

    private float Combine(int column, long begin, long end)
    {
        (float sum, float most, int count) = (0, float.NaN, 0);
        for (long second = begin; second < end; second++)
        {
            float value = At(second, column);
            if (float.IsNaN(value))
                continue;
            sum += value;
            most = float.IsNaN(most) ? value : Math.Max(most, value);
            count++;
        }

        return count == 0 || FigureList.IsLatency(column) ? most : sum / count;
    }

    private void Put(long second, ReadOnlySpan<float> row)
    {
        row[..FigureList.AllLatency].CopyTo(Values(second));
        Span<ushort> latencies = LatenciesOf(second);
        for (int i = 0; i < latencies.Length; i++)
            latencies[i] = (ushort)(BitConverter.SingleToUInt32Bits(row[FigureList.AllLatency + i]) >> 16);
    }

    private void Forget(long second)
    {
        Values(second).Fill(float.NaN);
        LatenciesOf(second).Fill((ushort)(BitConverter.SingleToUInt32Bits(float.NaN) >> 16));
    }

    private float At(long second, int column) =>
        FigureList.IsLatency(column)
            ? BitConverter.UInt32BitsToSingle((uint)LatenciesOf(second)[column - FigureList.AllLatency] << 16)
            : Values(second)[column];

    private Span<float> Values(long second) => _values.AsSpan((int)(second % Seconds) * FigureList.AllLatency, FigureList.AllLatency);

    private Span<ushort> LatenciesOf(long second) => _latencies.AsSpan((int)(second % Seconds) * Latencies, Latencies);
}
