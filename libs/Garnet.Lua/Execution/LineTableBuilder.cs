// Builds tables of lines. Used by the thread that compiles.
namespace Garnet.Lua.Execution;

/// <summary>Takes the line of one instruction after the other.</summary>
internal sealed class LineTableBuilder
{
    private readonly List<byte> _runs = [];
    private int _line;
    private int _length;
    private int _lastLine;

    /// <summary>Adds the line of the next instruction.</summary>
    public void Add(int line)
    {
        if (line != _line)
        {
            EndRun();
            _line = line;
        }

        _length++;
    }

    /// <summary>The table; the builder is then ready for another one.</summary>
    public LineTable Build()
    {
        EndRun();
        var table = new LineTable([.. _runs]);
        _runs.Clear();
        _line = 0;
        _lastLine = 0;
        return table;
    }

    private void EndRun()
    {
        if (_length == 0)
            return;
        PackedNumbers.Add(_runs, _length);
        PackedNumbers.AddSigned(_runs, _line - _lastLine);
        _lastLine = _line;
        _length = 0;
    }
}
