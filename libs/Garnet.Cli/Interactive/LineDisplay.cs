// Draws the line that is being edited. One thread.
using System.Globalization;
using System.Text;

namespace Garnet.Cli.Interactive;

/// <summary>Redraws prompt, text and hint over as many rows as they need, and puts the cursor in its place.</summary>
/// <param name="terminal">Shows it.</param>
/// <param name="colors">Colours the text; gives a style for each index of it.</param>
internal sealed class LineDisplay(ITerminal terminal, Func<string, string?[]> colors)
{
    private const string Reset = "\u001b[0m";
    private const string HintStyle = "\u001b[90m";

    // The row of the cursor, counted from the prompt's, where the terminal had so many columns.
    private int _row;
    private int _columns;
    private string _beforeCursor = "";

    /// <summary>Forgets what was drawn: the cursor is at the beginning of a free row.</summary>
    public void Begin() => (_row, _columns) = (0, 0);

    /// <summary>Draws all anew.</summary>
    /// <param name="prompt">Stands before the text.</param>
    /// <param name="text">The text.</param>
    /// <param name="cursor">The place of the cursor in the text.</param>
    /// <param name="hint">Stands behind the text, in grey, as far as it fits in the row.</param>
    public void Draw(string prompt, string text, int cursor, string hint)
    {
        int columns = terminal.Columns;
        if (columns != _columns && _columns > 0)
            _row = RowBehind(_beforeCursor, columns);
        var drawn = new StringBuilder();
        AppendClear(drawn);
        var place = new Place(columns);
        AppendPlain(drawn, prompt, ref place);
        Place target = place;
        string?[] styles = terminal.HasColors ? colors(text) : [];
        string? style = null;
        for (int i = 0; i < text.Length; )
        {
            if (i == cursor)
                target = place;
            ReadOnlySpan<char> cluster = text.AsSpan(i, StringInfo.GetNextTextElementLength(text, i));
            if (styles.Length > 0 && styles[i] != style)
                drawn.Append(Reset).Append(style = styles[i]);
            AppendCluster(drawn, cluster, ref place);
            i += cluster.Length;
        }

        if (style is not null)
            drawn.Append(Reset);
        if (cursor == text.Length)
            target = place;
        AppendHint(drawn, hint, place);
        MoveCursor(drawn, ref place, target);
        terminal.Write(drawn.ToString());
        _row = target.IsAtEdge ? target.Row + 1 : target.Row;
        (_columns, _beforeCursor) = (columns, prompt + text[..cursor]);
    }

    /// <summary>Clears the screen; the line must be drawn again.</summary>
    public void ClearScreen()
    {
        terminal.Write("\u001b[H\u001b[2J");
        Begin();
    }

    // A terminal that was resized has wrapped what it shows anew, and the cursor is in another row.
    private static int RowBehind(string text, int columns)
    {
        var place = new Place(columns);
        AppendPlain(new StringBuilder(), text, ref place);
        return place.IsAtEdge ? place.Row + 1 : place.Row;
    }

    private void AppendClear(StringBuilder drawn)
    {
        if (_row > 0)
            drawn.Append(CultureInfo.InvariantCulture, $"\u001b[{_row}A");
        drawn.Append("\r\u001b[J");
    }

    private static void AppendPlain(StringBuilder drawn, string text, ref Place place)
    {
        for (int i = 0; i < text.Length; )
        {
            ReadOnlySpan<char> cluster = text.AsSpan(i, StringInfo.GetNextTextElementLength(text, i));
            AppendCluster(drawn, cluster, ref place);
            i += cluster.Length;
        }
    }

    private static void AppendCluster(StringBuilder drawn, ReadOnlySpan<char> cluster, ref Place place)
    {
        if (cluster[0] == '\n')
        {
            drawn.Append("\r\n");
            place.BreakLine();
            return;
        }

        drawn.Append(DisplayWidth.Shown(cluster));
        place.Advance(DisplayWidth.Of(cluster));
    }

    // The hint leaves the last column free, so that it never wraps.
    private void AppendHint(StringBuilder drawn, string hint, Place place)
    {
        int room = place.Columns - place.Column - 1;
        if (hint.Length == 0 || room < 2)
            return;
        if (terminal.HasColors)
            drawn.Append(HintStyle);
        int used = 0;
        for (int i = 0; i < hint.Length; )
        {
            ReadOnlySpan<char> cluster = hint.AsSpan(i, StringInfo.GetNextTextElementLength(hint, i));
            used += DisplayWidth.Of(cluster);
            if (used > room)
                break;
            drawn.Append(DisplayWidth.Shown(cluster));
            i += cluster.Length;
        }

        if (terminal.HasColors)
            drawn.Append(Reset);
    }

    // From the end of the text, which may be at the edge of the terminal, where it has not wrapped yet.
    private static void MoveCursor(StringBuilder drawn, ref Place end, Place target)
    {
        if (end.IsAtEdge)
        {
            drawn.Append("\r\n");
            end.BreakLine();
        }

        if (target.IsAtEdge)
            target.BreakLine();
        if (end.Row > target.Row)
            drawn.Append(CultureInfo.InvariantCulture, $"\u001b[{end.Row - target.Row}A");
        drawn.Append('\r');
        if (target.Column > 0)
            drawn.Append(CultureInfo.InvariantCulture, $"\u001b[{target.Column}C");
    }

    private struct Place(int columns)
    {
        public readonly int Columns => columns;

        public int Row { get; private set; }

        public int Column { get; private set; }

        public readonly bool IsAtEdge => Column >= columns;

        // A wide character does not fit into the last column; the terminal leaves that free.
        public void Advance(int width)
        {
            if (width > 0 && Column + width > columns)
                BreakLine();
            Column += width;
        }

        public void BreakLine()
        {
            Row++;
            Column = 0;
        }
    }
}
