// The line that is being edited. One thread.
using System.Globalization;

namespace Garnet.Cli.Interactive;

/// <summary>A text and a place in it, which moves by grapheme clusters and words.</summary>
internal sealed class LineBuffer
{
    private string _deleted = "";

    /// <summary>The text; may have several lines.</summary>
    public string Text { get; private set; } = "";

    /// <summary>The place, as an index into the text.</summary>
    public int Cursor { get; private set; }

    /// <summary>Whether the place is the end.</summary>
    public bool IsAtEnd => Cursor == Text.Length;

    /// <summary>Replaces all; the place is the end.</summary>
    public void Set(string text)
    {
        Text = text;
        Cursor = text.Length;
    }

    /// <summary>Inserts at the place.</summary>
    public void Insert(string text)
    {
        Text = Text.Insert(Cursor, text);
        Cursor += text.Length;
    }

    /// <summary>Carries out a key that moves or deletes; others do nothing.</summary>
    public void Apply(EditKey key)
    {
        switch (key)
        {
            case EditKey.Left:
                Cursor = Before(Cursor);
                break;
            case EditKey.Right:
                Cursor = After(Cursor);
                break;
            case EditKey.Home:
                Cursor = 0;
                break;
            case EditKey.End:
                Cursor = Text.Length;
                break;
            case EditKey.WordLeft:
                Cursor = WordBefore(Cursor);
                break;
            case EditKey.WordRight:
                Cursor = WordAfter(Cursor);
                break;
            case EditKey.Transpose:
                Transpose();
                break;
            case EditKey.Yank:
                Insert(_deleted);
                break;
            default:
                Delete(key);
                break;
        }
    }

    private void Delete(EditKey key)
    {
        switch (key)
        {
            case EditKey.Backspace:
                Remove(Before(Cursor), Cursor);
                break;
            case EditKey.Delete:
                Remove(Cursor, After(Cursor));
                break;
            case EditKey.DeleteToStart:
                Kill(0, Cursor);
                break;
            case EditKey.DeleteToEnd:
                Kill(Cursor, Text.Length);
                break;
            case EditKey.DeleteWordLeft:
                Kill(WordBefore(Cursor), Cursor);
                break;
            case EditKey.DeleteWordRight:
                Kill(Cursor, WordAfter(Cursor));
                break;
        }
    }

    private void Kill(int start, int end)
    {
        if (start < end)
            _deleted = Text[start..end];
        Remove(start, end);
    }

    private void Remove(int start, int end)
    {
        Text = Text.Remove(start, end - start);
        Cursor = start;
    }

    private void Transpose()
    {
        int end = IsAtEnd ? Cursor : After(Cursor);
        int middle = Before(end);
        int start = Before(middle);
        if (start == middle)
            return;
        Text = string.Concat(
            Text.AsSpan(0, start),
            Text.AsSpan(middle, end - middle),
            Text.AsSpan(start, middle - start),
            Text.AsSpan(end)
        );
        Cursor = end;
    }

    private int After(int at) => at == Text.Length ? at : at + StringInfo.GetNextTextElementLength(Text, at);

    private int Before(int at)
    {
        int start = 0;
        for (int next = 0; next < at; next = After(next))
            start = next;
        return at == 0 ? 0 : start;
    }

    private int WordBefore(int at)
    {
        while (at > 0 && char.IsWhiteSpace(Text[at - 1]))
            at--;
        while (at > 0 && !char.IsWhiteSpace(Text[at - 1]))
            at--;
        return at;
    }

    private int WordAfter(int at)
    {
        while (at < Text.Length && char.IsWhiteSpace(Text[at]))
            at++;
        while (at < Text.Length && !char.IsWhiteSpace(Text[at]))
            at++;
        return at;
    }
}
