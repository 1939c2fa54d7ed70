// Reads lines from a terminal. One thread.
namespace Garnet.Cli.Interactive;

/// <summary>Edits a line with the keys of Emacs and of terminals, with history, search, completion, hints and paste.</summary>
/// <param name="terminal">Keys and screen.</param>
/// <param name="history">Older lines.</param>
/// <param name="completer">Completions and hints.</param>
/// <param name="colors">Colours the text.</param>
internal sealed class LineEditor(ITerminal terminal, History history, Completer completer, LineColors colors)
{
    private readonly LineDisplay _display = new(terminal, colors.Of);
    private readonly Queue<KeyPress> _pushedBack = new();

    // The history's line that is shown, counted from the end; 0 is the line that is being typed.
    private int _age;
    private string _typed = "";

    /// <summary>Gives a key that was read elsewhere to the next line.</summary>
    public void PushBack(KeyPress key) => _pushedBack.Enqueue(key);

    /// <summary>Reads a line.</summary>
    /// <param name="prompt">Stands before it.</param>
    /// <returns>
    /// The text, of several lines after a paste or while a quote is open; null at the end, which an empty line with Ctrl+C is, too.
    /// </returns>
    public string? ReadLine(string prompt)
    {
        var buffer = new LineBuffer();
        (_age, _typed) = (0, "");
        terminal.EnterRawMode();
        try
        {
            _display.Begin();
            Draw(prompt, buffer);
            while (true)
            {
                KeyPress key = NextKey();
                if (key.Key == EditKey.Search)
                    key = Search(buffer);
                else if (key.Key is EditKey.Tab or EditKey.BackTab)
                    key = CompleteLine(prompt, buffer, key.Key);
                if (Apply(key, prompt, buffer) is { } end)
                    return end.Line;
            }
        }
        finally
        {
            terminal.LeaveRawMode();
        }
    }

    private KeyPress NextKey() => _pushedBack.TryDequeue(out KeyPress key) ? key : terminal.ReadKey();

    // Null while the line goes on.
    private LineEnd? Apply(KeyPress key, string prompt, LineBuffer buffer)
    {
        switch (key.Key)
        {
            case EditKey.Enter when LineWords.HasOpenQuote(buffer.Text):
                buffer.Insert("\n");
                break;
            case EditKey.Enter:
                return Finish(prompt, buffer, buffer.Text, "");
            case EditKey.EndOfInput:
                return Finish(prompt, buffer, null, "");
            case EditKey.Interrupt:
                return Finish(prompt, buffer, buffer.Text.Length == 0 ? null : "", "^C");
            case EditKey.EndOrDelete when buffer.Text.Length == 0:
                return Finish(prompt, buffer, null, "");
            case EditKey.EndOrDelete:
                buffer.Apply(EditKey.Delete);
                break;
            case EditKey.Suspend:
                buffer.Apply(EditKey.End);
                _display.Draw(prompt, buffer.Text, buffer.Cursor, "");
                terminal.Write("\r\n");
                terminal.Suspend();
                _display.Begin();
                break;
            case EditKey.ClearScreen:
                _display.ClearScreen();
                break;
            case EditKey.Text or EditKey.Paste:
                buffer.Insert(key.Key == EditKey.Paste ? key.Text.TrimEnd('\n') : key.Text);
                break;
            case EditKey.Up or EditKey.Down:
                Recall(buffer, key.Key == EditKey.Up ? 1 : -1);
                break;
            default:
                buffer.Apply(key.Key);
                break;
        }

        Draw(prompt, buffer);
        return null;
    }

    private void Draw(string prompt, LineBuffer buffer) =>
        _display.Draw(prompt, buffer.Text, buffer.Cursor, buffer.IsAtEnd ? completer.Hint(buffer.Text) : "");

    // Without the hint, which would look like what was typed.
    private LineEnd Finish(string prompt, LineBuffer buffer, string? line, string mark)
    {
        buffer.Apply(EditKey.End);
        _display.Draw(prompt, buffer.Text, buffer.Cursor, "");
        terminal.Write(mark + "\r\n");
        return new LineEnd(line);
    }

    private void Recall(LineBuffer buffer, int step)
    {
        int age = _age + step;
        if (age < 0 || age > history.Lines.Count)
            return;
        if (_age == 0)
            _typed = buffer.Text;
        _age = age;
        buffer.Set(age == 0 ? _typed : history.Lines[^age]);
    }

    // Shows one completion after the other; the key that ends this is carried out.
    private KeyPress CompleteLine(string prompt, LineBuffer buffer, EditKey first)
    {
        string typed = buffer.Text;
        IReadOnlyList<string> candidates = completer.Complete(typed);
        if (candidates.Count == 0)
            return new KeyPress(EditKey.None);
        int at = first == EditKey.Tab ? 0 : candidates.Count - 1;
        while (true)
        {
            // Behind the last candidate stands what was typed.
            buffer.Set(at == candidates.Count ? typed : candidates[at]);
            Draw(prompt, buffer);
            if (candidates.Count == 1)
                return new KeyPress(EditKey.None);
            KeyPress key = NextKey();
            if (key.Key == EditKey.Tab)
                at = (at + 1) % (candidates.Count + 1);
            else if (key.Key == EditKey.BackTab)
                at = (at + candidates.Count) % (candidates.Count + 1);
            else if (key.Key == EditKey.Cancel)
                at = candidates.Count;
            else
                return key;
        }
    }

    // Ctrl+R: the newest line that contains what is typed; again for older ones.
    private KeyPress Search(LineBuffer buffer)
    {
        string before = buffer.Text;
        string query = "";
        int found = -1;
        while (true)
        {
            string match = found < 0 ? "" : history.Lines[found];
            int cursor = Math.Max(0, match.IndexOf(query, StringComparison.OrdinalIgnoreCase));
            _display.Draw($"({(found < 0 && query.Length > 0 ? "failed " : "")}reverse-i-search)`{query}': ", match, cursor, "");
            KeyPress key = NextKey();
            switch (key.Key)
            {
                case EditKey.Search:
                    found = Older(query, found < 0 ? history.Lines.Count : found, found);
                    break;
                case EditKey.Text or EditKey.Paste:
                    query += key.Text;
                    found = Older(query, found < 0 ? history.Lines.Count : found + 1, -1);
                    break;
                case EditKey.Backspace:
                    query = query.Length == 0 ? "" : query[..^1];
                    found = query.Length == 0 ? -1 : Older(query, history.Lines.Count, -1);
                    break;
                case EditKey.Cancel or EditKey.Interrupt:
                    buffer.Set(before);
                    return new KeyPress(EditKey.None);
                default:
                    buffer.Set(found < 0 ? before : match);
                    return key;
            }
        }
    }

    private int Older(string query, int than, int otherwise)
    {
        for (int i = than - 1; i >= 0; i--)
        {
            if (query.Length > 0 && history.Lines[i].Contains(query, StringComparison.OrdinalIgnoreCase))
                return i;
        }

        return otherwise;
    }

    private sealed record LineEnd(string? Line);
}
