// The lines of instructions. Immutable once built; any thread.
namespace Garnet.Lua.Execution;

/// <summary>
/// Runs of instructions of the same line: their number, and how many lines further down they are than the run before. Most functions need
/// two bytes for each line that way; only errors look lines up.
/// </summary>
internal readonly struct LineTable
{
    private readonly byte[] _runs;

    /// <param name="lines">The line of each instruction.</param>
    public LineTable(List<int> lines)
    {
        List<byte> runs = [];
        int last = 0;
        for (int start = 0, end; start < lines.Count; start = end)
        {
            for (end = start + 1; end < lines.Count && lines[end] == lines[start]; end++) { }
            PackedNumbers.Add(runs, end - start);
            PackedNumbers.AddSigned(runs, lines[start] - last);
            last = lines[start];
        }

        _runs = [.. runs];
    }

    /// <summary>The memory that the table takes.</summary>
    public int Bytes => _runs.Length;

    /// <summary>The line of an instruction.</summary>
    public int this[int pc]
    {
        get
        {
            int line = 0;
            int end = 0;
            for (int position = 0; position < _runs.Length && end <= pc; )
            {
                end += PackedNumbers.Read(_runs, ref position);
                line += PackedNumbers.ReadSigned(_runs, ref position);
            }

            return line;
        }
    }
}
