// The lines of instructions. Immutable once built; any thread.
namespace Garnet.Lua.Execution;

/// <summary>
/// Runs of instructions of the same line: their number, and how many lines further down they are than the run before. Most functions need
/// two bytes for each line that way; only errors look lines up.
/// </summary>
internal readonly struct LineTable
{
    private readonly byte[] _runs;

    /// <param name="runs">The packed runs.</param>
    public LineTable(byte[] runs) => _runs = runs;

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
