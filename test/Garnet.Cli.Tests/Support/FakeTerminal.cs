// A terminal whose keys are given and whose screen can be read. One thread.
using System.Globalization;
using System.Text;
using Garnet.Cli.Interactive;

namespace Garnet.Cli.Tests.Support;

/// <summary>Obeys the few escape sequences that the line editor writes; any other one fails the test.</summary>
/// <param name="width">Its width.</param>
/// <param name="input">The bytes of its keyboard, as Latin-1.</param>
internal sealed class FakeTerminal(int width, string input) : ITerminal
{
    private int _columns = width;
    private readonly List<string[]> _rows = [];
    private int _row;
    private int _column;
    private int _next;
    private KeyDecoder? _decoder;

    /// <inheritdoc/>
    public int Columns => _columns;

    /// <inheritdoc/>
    public bool HasColors { get; init; }

    /// <summary>How often the process was stopped.</summary>
    public int Suspensions { get; private set; }

    /// <summary>Whether keys are read as they are pressed.</summary>
    public bool IsRaw { get; private set; }

    /// <summary>The rows, without spaces at their ends.</summary>
    public string[] Screen => [.. _rows.Select(static row => string.Concat(row).TrimEnd())];

    /// <summary>Where the cursor is.</summary>
    public (int Row, int Column) Cursor => (_row, _column);

    /// <summary>Called before each key.</summary>
    public Action? BeforeKey { get; set; }

    /// <summary>Wraps all that is shown, which is one line, anew.</summary>
    public void Resize(int columns)
    {
        string[] cells = [.. _rows.SelectMany(static row => row)];
        int cursor = _row * _columns + _column;
        int shown = Math.Max(Array.FindLastIndex(cells, static cell => cell != " ") + 1, cursor);
        _rows.Clear();
        _columns = columns;
        (_row, _column) = (0, 0);
        foreach (string cell in cells[..shown])
            Show(cell);
        (_row, _column) = (cursor / columns, cursor % columns);
    }

    /// <inheritdoc/>
    public void EnterRawMode() => IsRaw = true;

    /// <inheritdoc/>
    public void LeaveRawMode() => IsRaw = false;

    /// <inheritdoc/>
    public KeyPress ReadKey()
    {
        BeforeKey?.Invoke();
        _decoder ??= new KeyDecoder(_ => _next < input.Length ? input[_next++] : -1);
        return _decoder.Read();
    }

    /// <inheritdoc/>
    public bool WaitForKey(CancellationToken cancellationToken) => true;

    /// <inheritdoc/>
    public void Suspend() => Suspensions++;

    /// <inheritdoc/>
    public void Write(string text)
    {
        for (int i = 0; i < text.Length; )
        {
            if (text[i] == '\u001b')
            {
                i = Obey(text, i + 1);
                continue;
            }

            int length = text[i] == '\r' ? 1 : StringInfo.GetNextTextElementLength(text, i);
            Show(text.Substring(i, length));
            i += length;
        }
    }

    private void Show(string cluster)
    {
        if (cluster == "\r")
        {
            _column = 0;
            return;
        }

        if (cluster == "\n")
        {
            _row++;
            return;
        }

        int width = DisplayWidth.Of(cluster);
        if (_column + width > _columns)
        {
            _column = 0;
            _row++;
        }

        string[] row = Row();
        row[_column] = cluster;
        if (width == 2)
            row[_column + 1] = "";
        _column += width;
    }

    private string[] Row()
    {
        while (_rows.Count <= _row)
            _rows.Add([.. Enumerable.Repeat(" ", _columns)]);
        return _rows[_row];
    }

    private int Obey(string text, int at)
    {
        int end = at + 1;
        while (!char.IsAsciiLetter(text[end]))
            end++;
        string parameters = text[(at + 1)..end];
        int count = int.TryParse(parameters, CultureInfo.InvariantCulture, out int number) ? number : 1;
        switch (text[end])
        {
            case 'A':
                _row = Math.Max(0, _row - count);
                break;
            case 'C':
                _column = Math.Min(_columns - 1, _column + count);
                break;
            case 'J' or 'K':
                Row().AsSpan(Math.Min(_column, _columns)).Fill(" ");
                if (text[end] == 'J')
                    _rows.RemoveRange(_row + 1, _rows.Count - _row - 1);
                break;
            case 'H':
                (_row, _column) = (0, 0);
                break;
            case 'm':
                break;
            default:
                throw new InvalidOperationException($"ESC {text[at..(end + 1)]}");
        }

        return end + 1;
    }
}
